package dev.agenthealth.functions.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.testkit.EventSchemas;
import dev.agenthealth.testkit.ProjectFiles;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Names the places that a new type of events misses, as docs/recipes/event.md lists them. */
@Tag("SYS-05")
class EventPlacesTest {

    private static final String PAGE = "page/src/main/resources/page/";

    /** The keywords of a field whose values are not free texts. */
    private static final Set<String> BOUNDED = Set.of("enum", EventSchemas.KNOWN_VALUES, "const", "format", "pattern");

    /** The free texts that stay after an erasure: ids of keys, and words that no agent chose. */
    private static final Set<String> KEPT =
            Set.of("requested_by", "dismissed_by", "actor", "time_zone", "key_id", "name", "address", "request_id");

    @ParameterizedTest
    @EnumSource
    @Tag("SYS-06")
    void every_free_text_is_erased_with_the_agent_or_known_to_stay(EventType type) {
        Set<String> erased = type.description().erased();
        Map<String, JsonNode> schemas = EventSchemas.ofProject().published();
        assertThat(schemas).as("schemas in docs/schemas/events").containsKey(type.wireName());
        JsonNode fields = schemas.get(type.wireName()).path("properties");
        Set<String> texts = new TreeSet<>();
        fields.properties().forEach(field -> {
            if (isText(field.getValue()) && !KEPT.contains(field.getKey())) {
                texts.add(field.getKey());
            }
        });
        assertThat(erased)
                .as("the texts to erase in the description of " + type)
                .isEqualTo(texts);
    }

    /** Returns whether a field holds texts that the schema does not limit. */
    private static boolean isText(JsonNode field) {
        JsonNode value = field.path("type").asText().equals("array") ? field.path("items") : field;
        return value.path("type").asText().equals("string") && BOUNDED.stream().noneMatch(value::has);
    }

    @Test
    void the_page_has_a_sentence_for_every_type() {
        assertThat(names(ProjectFiles.text(PAGE + "format.js"), "case '([a-z]+\\.[a-z_]+)':"))
                .as("cases of happened() in format.js")
                .containsExactlyInAnyOrderElementsOf(types(type -> true));
    }

    @Test
    void the_page_shows_the_end_of_a_problem_as_good() {
        // A dismissal is an operator's own act, and leases are acquired all the time.
        Set<String> usual = Set.of(EventType.AGENT_DISMISSED.wireName(), EventType.LEASE_ACQUIRED.wireName());
        String tone = ProjectFiles.text(PAGE + "format.js").replaceAll("(?s).*export function tone", "");
        assertThat(names(tone, "'([a-z]+\\.[a-z_]+)'"))
                .as("types in tone() of format.js")
                .containsExactlyInAnyOrderElementsOf(
                        types(type -> type.description().kind().equals(Optional.of(EventKind.RECOVERY))
                                && !usual.contains(type.wireName())));
    }

    @Test
    void the_page_offers_every_problem_to_rules_of_notifications() {
        String offered = ProjectFiles.text(PAGE + "notifications.js").replaceAll("(?s).*const EVENTS = |};.*", "");
        assertThat(names(offered, "'([a-z]+\\.[a-z_]+)':"))
                .as("EVENTS in notifications.js")
                .containsExactlyInAnyOrderElementsOf(
                        types(type -> type.description().canBeProblem()));
    }

    @Test
    void the_page_offers_every_type_as_a_filter() {
        String offered = ProjectFiles.text(PAGE + "events.js").replaceAll("(?s).*const TYPES = |];.*", "");
        assertThat(names(offered, "'([a-z]+\\.[a-z_]+)'"))
                .as("TYPES in events.js")
                .containsExactlyInAnyOrderElementsOf(types(type -> true));
    }

    @Test
    void the_guide_explains_every_problem() {
        String guide = ProjectFiles.text("docs/guides/notifications.md");
        assertThat(names(guide, "\\| `([a-z]+\\.[a-z_]+)` \\|"))
                .as("rows of What is sent in docs/guides/notifications.md")
                .containsAll(types(type -> type.description().canBeProblem()));
    }

    private static Set<String> names(String text, String pattern) {
        Stream<MatchResult> matches = Pattern.compile(pattern).matcher(text).results();
        return matches.map(match -> match.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> types(Predicate<EventType> wanted) {
        return Arrays.stream(EventType.values())
                .filter(wanted)
                .map(EventType::wireName)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
