package dev.agenthealth.functions.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.testkit.EventContract;
import dev.agenthealth.testkit.EventSchemas;
import dev.agenthealth.testkit.GeneratedText;
import dev.agenthealth.testkit.TestEventBridge;
import dev.agenthealth.testkit.TestTables;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

/** The schemas describe every event, strictly for the sender and leniently for subscribers. */
@Tag("SYS-05")
class EventSchemasTest {

    private static final EventSchemas SCHEMAS = EventSchemas.ofProject();

    static Stream<String> detailTypes() {
        return SCHEMAS.detailTypes().stream().sorted();
    }

    @Test
    void exactly_the_detail_types_have_schemas() {
        assertThat(SCHEMAS.detailTypes())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(EventType.values())
                        .map(EventType::wireName)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("detailTypes")
    void a_schema_has_an_id_and_describes_each_field(String detailType) {
        JsonNode schema = SCHEMAS.published().get(detailType);
        assertThat(schema.path("$schema").asText()).isEqualTo("https://json-schema.org/draft/2020-12/schema");
        Path file = EventSchemas.file(detailType);
        assertThat(schema.path("$id").asText())
                .isEqualTo("urn:agent-health:event:" + file.getParent().getFileName() + ":"
                        + file.getFileName().toString().replace(".json", ""));
        assertThat(schema.path("title").asText().toLowerCase(Locale.ROOT)).isEqualTo(detailType.replaceAll("[._]", ""));
        assertThat(schema.path("properties").path("type").path("enum"))
                .isEqualTo(Json.stored("[\"" + detailType + "\"]"));
        assertThat(schema.path("examples")).isNotEmpty();
        assertDescribed(detailType, schema);
    }

    /** Every object is open, every field described, and nothing is required that is not described. */
    private static void assertDescribed(String place, JsonNode schema) {
        assertThat(schema.path("description").asText()).as(place).endsWith(".");
        assertThat(schema.path("additionalProperties").isBoolean())
                .as(place + " lets subscribers accept fields to come")
                .isFalse();
        Set<String> fields = new HashSet<>();
        schema.path("properties").fieldNames().forEachRemaining(fields::add);
        schema.path("required").forEach(name -> assertThat(fields).as(place).contains(name.asText()));
        fields.forEach(name ->
                assertDescribed(place + "." + name, schema.path("properties").path(name)));
    }

    @ParameterizedTest
    @MethodSource("detailTypes")
    void the_sender_s_check_covers_every_field(String detailType) {
        ObjectNode example = example(detailType);
        assertThat(faults(detailType, example))
                .as("the example of " + detailType + ", which " + GeneratedText.COMMAND + " writes")
                .isEmpty();
        assertThat(faults(detailType, example.deepCopy().put("more", 1))).isNotEmpty();
        for (JsonNode required : SCHEMAS.published().get(detailType).path("required")) {
            ObjectNode without = example.deepCopy();
            without.remove(required.asText());
            assertThat(faults(detailType, without)).as(required.asText()).isNotEmpty();
        }
        example.fieldNames().forEachRemaining(field -> {
            ObjectNode wrong = example.deepCopy().put(field, true);
            assertThat(faults(detailType, wrong)).as(field).isNotEmpty();
        });
        assertThat(faults(detailType, example.deepCopy().put("timestamp", "yesterday")))
                .isNotEmpty();
    }

    @Test
    void the_sender_s_check_covers_known_values_and_nested_fields() {
        assertThat(faults("agent.lifecycle", example("agent.lifecycle").put("reason", "boredom")))
                .isNotEmpty();
        assertThat(faults("agent.lifecycle", example("agent.lifecycle").put("new_status", "asleep")))
                .isNotEmpty();
        ObjectNode health = example("agent.health");
        ((ObjectNode) health.path("calibration")).put("more", 1);
        assertThat(faults("agent.health", health)).isNotEmpty();
        assertThat(faults(
                        "agent.trust",
                        example("agent.trust").put("agent_id", "a").put("provider_id", "p")))
                .as("a block is of an agent or of a provider")
                .isNotEmpty();
        assertThat(faults("agent.unknown", health)).containsExactly("there is no schema of agent.unknown");
    }

    @Test
    void a_later_version_is_another_detail_type_beside_the_first() {
        assertThat(EventSchemas.detailType("agent.lifecycle", 1)).isEqualTo("agent.lifecycle");
        assertThat(EventSchemas.detailType("agent.lifecycle", 2)).isEqualTo("agent.lifecycle.v2");
    }

    @Test
    void an_event_that_breaks_the_contract_fails_the_test_whose_bus_it_was_sent_to() {
        TestEventBridge bus = TestEventBridge.of(List.of());
        bus.client()
                .putEvents(r -> r.entries(PutEventsRequestEntry.builder()
                        .source("agent-health")
                        .detailType("agent.lifecycle")
                        .detail("{\"type\":\"agent.lifecycle\"}")
                        .build()));
        assertThatThrownBy(bus::close).isInstanceOf(AssertionError.class).hasMessageContaining("agent_id");
    }

    @Test
    void an_event_that_breaks_the_contract_fails_the_test_whose_table_contains_it() {
        TestTables tables = TestTables.create();
        Map<String, String> item = Map.of(
                "pk", "SYSTEM", "sk", "E#1", "fp", "F#1#0", "fs", "1", "type", "registry.blackout", "detail", "{}");
        Map<String, AttributeValue> attributes = new HashMap<>(Map.of("at", AttributeValue.fromN("1")));
        item.forEach((name, text) -> attributes.put(name, AttributeValue.fromS(text)));
        tables.dynamoDb().putItem(r -> r.tableName(TestTables.REGISTRY).item(attributes));
        assertThatThrownBy(tables::close).isInstanceOf(AssertionError.class).hasMessageContaining("canaries_sent");
    }

    @Test
    void an_event_that_breaks_the_contract_is_found_in_its_envelope() {
        ObjectNode envelope = Json.object().put("source", "elsewhere").put("detail-type", "agent.score");
        envelope.set("detail", example("agent.score"));
        assertThatThrownBy(() -> EventContract.checkDelivered(envelope)).hasMessageContaining("another source");
        EventContract.checkDelivered(envelope.put("source", "agent-health"));
    }

    private static ObjectNode example(String detailType) {
        JsonNode examples = SCHEMAS.published().get(detailType).path("examples");
        assertThat(examples).isInstanceOf(ArrayNode.class).isNotEmpty();
        return examples.get(0).deepCopy();
    }

    private static List<String> faults(String detailType, ObjectNode detail) {
        return SCHEMAS.faults(detailType, Json.text(detail));
    }
}
