package dev.agenthealth.functions.operations.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.operations.notification.Collected;
import dev.agenthealth.model.operations.notification.NotificationFilter;
import dev.agenthealth.model.operations.notification.NotificationRule;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import dev.agenthealth.model.operations.problem.ProblemRule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Events of the bus, one a line, on which anybody may put some: what they say, and what rules and problems make of a batch of them. */
public final class ReceivedEventFuzzer {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");
    private static final Collected NOTHING = new Collected(Map.of(), Map.of(), Map.of());
    private static final NotificationRule RULE = new NotificationRule(
            "all",
            Instant.MIN,
            Set.of(EventType.values()),
            NotificationFilter.NONE,
            Duration.ofSeconds(30),
            Optional.empty(),
            true);

    private ReceivedEventFuzzer() {}

    private static List<List<ReceivedEvent>> read(String batch) {
        return batch.lines()
                .map(NotificationRun::json)
                .map(NotificationRun::read)
                .filter(event -> !event.isEmpty())
                .toList();
    }

    public static void fuzzerTestOneInput(byte[] input) throws UnreadableJsonException {
        String batch = new String(input, StandardCharsets.UTF_8);
        List<List<ReceivedEvent>> events = read(batch);
        assertThat(read(batch)).isEqualTo(events);
        List<ReceivedEvent> all = events.stream().flatMap(List::stream).toList();
        List<String> ids = new ArrayList<>();
        Collected collected = NOTHING.plus(RULE, all, NOW, () -> {
            ids.add("msg_" + ids.size());
            return ids.get(ids.size() - 1);
        });
        Set<String> subjects =
                all.stream().map(event -> event.entry().subject()).collect(Collectors.toSet());
        assertThat(collected.subjects().keySet()).isSubsetOf(subjects);
        assertThat(collected.plus(RULE, all, NOW, () -> "again"))
                .as("each counts once")
                .isEqualTo(collected);
        for (ReceivedEvent event : all) {
            assertThat(Json.received(Json.text(
                                    Json.object().put("text", event.entry().summary())))
                            .path("text")
                            .textValue())
                    .isEqualTo(event.entry().summary());
            event.entry().at().toEpochMilli();
        }
        events.stream()
                .map(event -> event.get(0))
                .filter(event -> ProblemRule.step(event, NOW).isPresent())
                .collect(Collectors.groupingBy(ProblemRule::group))
                .values()
                .forEach(ofOne -> {
                    var problems = ProblemRule.after(new HashMap<>(), ofOne, NOW);
                    assertThat(ProblemRule.after(problems, ofOne, NOW))
                            .as("the order of repeats decides nothing")
                            .containsOnlyKeys(problems.keySet());
                });
    }
}
