package dev.agenthealth.functions.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.EventDescription;
import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.ApiDescription;
import dev.agenthealth.testkit.EventContract;
import dev.agenthealth.testkit.EventSchemas;
import dev.agenthealth.testkit.GeneratedText;
import dev.agenthealth.testkit.ProjectFiles;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What subscribers read is what the system sends: samples, examples, the reference in {@code docs/reference/events.md}, the registered schemas. */
@Tag(GeneratedText.TAG)
@Tag("SYS-05")
class EventDocumentsTest {

    private static final GeneratedText REFERENCE =
            GeneratedText.between("docs/reference/events.md", "<!-- written from the schemas -->", "<!-- end -->");

    private static final String SCHEMAS_TEMPLATE = "deploy/events.yaml";
    private static final GeneratedText REGISTERED = GeneratedText.between(
            SCHEMAS_TEMPLATE,
            "  # Written from docs/schemas/events by \"" + GeneratedText.COMMAND + "\"; not to be edited by hand.",
            "  # The end of what is written from docs/schemas/events.");

    private static final GeneratedText DESCRIBED_TYPES = GeneratedText.between(
            ApiDescription.FILE,
            "            # Written from EventType by \"" + GeneratedText.COMMAND + "\": the types of events.",
            "            # The end of the types of events.");

    private static final GeneratedText DESCRIBED_RULE = GeneratedText.between(
            ApiDescription.FILE,
            "        # Written from EventType by \"" + GeneratedText.COMMAND + "\": the types of a rule.",
            "        # The end of the types of a rule.");

    private static final GeneratedText MESSAGES = GeneratedText.between(
            "docs/guides/notifications.md",
            "<!-- written from EventType and the samples -->",
            "<!-- end of the types with one severity -->");

    @BeforeAll
    static void write() {
        if (GeneratedText.isWritten()) {
            SampleEvents.write();
        }
    }

    /** As they stand in the files at this moment, by detail type. */
    private static Map<String, JsonNode> schemas() {
        Map<String, JsonNode> schemas = new TreeMap<>();
        EventSchemas.ofProject()
                .detailTypes()
                .forEach(detailType ->
                        schemas.put(detailType, Json.stored(ProjectFiles.text(EventSchemas.file(detailType)))));
        return schemas;
    }

    @Test
    void the_reference_matches_the_schemas() {
        REFERENCE.check(EventReference.text(schemas()));
    }

    @Test
    void every_detail_type_has_a_sample_that_fulfils_the_contract() {
        Map<String, JsonNode> samples = SampleEvents.ofFiles();
        assertThat(samples).containsOnlyKeys(EventSchemas.ofProject().detailTypes());
        samples.forEach((detailType, sample) -> {
            assertThat(sample.path("detail-type").asText()).isEqualTo(detailType);
            EventContract.checkDelivered(sample);
        });
    }

    @Test
    void an_event_has_the_severity_info_unless_it_is_a_problem_for_notifications() {
        SampleEvents.ofFiles().forEach((detailType, sample) -> {
            NotificationEntry entry = entry(sample);
            String severity = sample.path("detail").path("severity").asText();
            assertThat(severity.equals("info")).as(detailType).isEqualTo(entry.kind() != EventKind.PROBLEM);
            assertThat(entry.severity().wireName()).as(detailType).isEqualTo(severity);
            assertThat(entry.summary()).as(detailType).endsWith(".").doesNotContain("{", "[");
        });
    }

    /** Returns the sample as messages show it. */
    private static NotificationEntry entry(JsonNode sample) {
        Map<String, String> detail = new TreeMap<>();
        sample.path("detail").properties().forEach(field -> {
            JsonNode value = field.getValue();
            detail.put(field.getKey(), value.isArray() ? value.path(0).asText() : value.asText());
        });
        EventType type = WireNamed.find(
                        EventType.class, sample.path("detail-type").asText())
                .orElseThrow();
        return ReceivedEvent.of(type, detail).get(0).entry();
    }

    @Test
    void the_api_description_names_every_type() {
        String types =
                Arrays.stream(EventType.values()).map(EventType::wireName).collect(Collectors.joining(", "));
        DESCRIBED_TYPES.check("            [" + types + "]\n");
        DESCRIBED_RULE.check("        events: { type: array, minItems: 1, maxItems: " + EventType.values().length
                + ", items: { type: string, enum: [" + types
                + "] }, description: Types of events of which to notify. Those that end a problem of such an event are"
                + " included., examples: [[agent.lifecycle]] }\n");
    }

    @Test
    void the_guide_shows_the_message_of_every_type_with_one_severity() {
        StringBuilder table = new StringBuilder();
        table.append("\n| event | message, for example | severity | verdict | is over with |\n|---|---|---|---|---|\n");
        Map<String, JsonNode> samples = SampleEvents.ofFiles();
        for (EventType type : EventType.values()) {
            EventDescription description = type.description();
            if (description.severity().isPresent() && !description.kind().equals(Optional.of(EventKind.RECOVERY))) {
                table.append("| `%s` | %s | %s | %s | %s |\n"
                        .formatted(
                                type.wireName(),
                                entry(samples.get(type.wireName())).summary(),
                                type.severity().wireName(),
                                description
                                        .verdict()
                                        .map(verdict -> "`" + verdict.wireName() + "`")
                                        .orElse(""),
                                ends(type)));
            }
        }
        MESSAGES.check(table.append("\n").toString());
    }

    private static String ends(EventType type) {
        Stream<String> events = Arrays.stream(EventType.values())
                .filter(other -> other.ends().contains(type))
                .map(other -> "`" + other.wireName() + "`");
        Stream<String> registrations =
                switch (type.subject().end()) {
                    case OWN_EVENT -> Stream.of();
                    case REGISTRATION -> Stream.of("registered again", "deregistered");
                    case AGENT -> Stream.of("deregistered");
                };
        return Stream.concat(events, registrations).collect(Collectors.joining(", "));
    }

    @Test
    void the_example_of_a_schema_is_the_detail_of_its_sample() {
        Map<String, JsonNode> schemas = schemas();
        SampleEvents.ofFiles().forEach((detailType, sample) -> assertThat(
                        schemas.get(detailType).path("examples").path(0))
                .as(detailType + " is out of date: run " + GeneratedText.COMMAND)
                .isEqualTo(sample.path("detail")));
    }

    @Test
    @Tag("SYS-03")
    void every_schema_is_registered_in_a_registry_of_its_stack() {
        REGISTERED.check(RegisteredSchemas.text(schemas()));
        Map<?, ?> resources = (Map<?, ?>)
                Template.read(ProjectFiles.path(SCHEMAS_TEMPLATE)).document().get("Resources");
        Map<String, String> registered = new TreeMap<>();
        resources.forEach((logicalId, resource) -> {
            Map<?, ?> values = (Map<?, ?>) resource;
            Map<?, ?> properties = (Map<?, ?>) values.get("Properties");
            if (values.get("Type").equals("AWS::EventSchemas::Schema")) {
                registered.put(String.valueOf(properties.get("SchemaName")), String.valueOf(properties.get("Content")));
            }
            if (values.get("Type").equals("AWS::EventSchemas::Registry")) {
                assertThat(properties.get("RegistryName")).isEqualTo(Map.of("Ref", "AWS::StackName"));
            }
        });
        assertThat(registered).hasSize(EventSchemas.ofProject().detailTypes().size());
        registered.forEach((name, content) -> {
            assertThat(name).matches("[0-9A-Za-z_.@-]{1,385}");
            assertThat(content).as("the registry's limit").hasSizeLessThan(100_000);
            JsonNode event =
                    Json.stored(content).path("components").path("schemas").path("AWSEvent");
            assertThat(RegisteredSchemas.name(
                            event.path("x-amazon-events-detail-type").asText()))
                    .isEqualTo(name);
        });
    }
}
