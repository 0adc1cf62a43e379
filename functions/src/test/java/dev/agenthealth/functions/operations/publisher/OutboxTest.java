package dev.agenthealth.functions.operations.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.PublisherFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.LambdaRuntime;
import dev.agenthealth.testkit.StreamRecords;
import dev.agenthealth.testkit.TestEventBridge;
import dev.agenthealth.testkit.TestTables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

/** From a change of status, over the table's real stream, to the bus: subscribers see what the event log shows. */
class OutboxTest {

    private final TestSystem system = new TestSystem(TestTables.withStream());
    private final TestEventBridge eventBridge = TestEventBridge.of(List.of("bus"));
    private final PublisherFunction publisher =
            new PublisherFunction(system.wiring(Map.of("EVENT_BUS", "bus"), eventBridge::client, () -> {
                throw new IllegalStateException("the publisher calls no function");
            }));

    @AfterEach
    void close() {
        eventBridge.close();
        system.close();
    }

    @Test
    @Tag("SYS-05")
    @Tag("R16-03")
    void every_event_of_the_log_reaches_the_bus_as_it_is_logged() {
        for (String agent : List.of("a", "b")) {
            system.api()
                    .post("/api/v1/agents")
                    .key(TestSystem.AGENT_KEY)
                    .body("{\"agent_id\":\"" + agent + "\",\"role_id\":\"r\",\"capabilities\":[\"c1\",\"c2\"]}")
                    .send();
            system.clock().advanceSeconds(1);
        }
        system.api().delete("/api/v1/agents/a").key(TestSystem.AGENT_KEY).send();
        system.clock().advanceSeconds(10);

        List<ObjectNode> events = StreamRecords.events(system.tables()).stream()
                .filter(event -> !event.toString().contains("AUDIT#"))
                .toList();
        assertThat(events).hasSize(3);
        String answer = LambdaRuntime.invoke(publisher, StreamRecords.event(events), null);
        assertThat(Json.stored(answer).path("batchItemFailures")).isEmpty();

        List<JsonNode> logged = new ArrayList<>();
        system.api()
                .get("/api/v1/events")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .path("events")
                .forEach(logged::add);
        List<PutEventsRequestEntry> entries = eventBridge.requests().get(0);
        assertThat(entries.stream().map(e -> Json.stored(e.detail()))).containsExactlyElementsOf(logged);
        assertThat(entries).allSatisfy(entry -> {
            JsonNode detail = Json.stored(entry.detail());
            assertThat(entry.detailType())
                    .isEqualTo("agent.lifecycle")
                    .isEqualTo(detail.path("type").asText());
            assertThat(entry.time())
                    .isEqualTo(Instant.parse(detail.path("timestamp").asText()));
        });
    }

    @Test
    void an_event_that_a_silence_covers_says_so_on_the_bus() {
        TestAgent agent = TestAgent.registered(system, "a");
        TestAgent.registered(system, "b").deregister();
        system.api()
                .put("/api/v1/silences/s")
                .key(TestSystem.AGENT_KEY)
                .body("{\"scope\":{\"agent_id\":\"a\"},\"for_seconds\":60}")
                .send();
        agent.deregister();
        LambdaRuntime.invoke(publisher, StreamRecords.event(StreamRecords.events(system.tables())), null);
        assertThat(eventBridge.requests().stream()
                        .flatMap(List::stream)
                        .map(PutEventsRequestEntry::detail)
                        .map(Json::stored)
                        .filter(detail -> detail.path("agent_id").asText().equals("a")))
                .isNotEmpty()
                .allMatch(detail -> detail.path("in_maintenance").asBoolean());
        assertThat(eventBridge.requests().stream()
                        .flatMap(List::stream)
                        .map(PutEventsRequestEntry::detail)
                        .map(Json::stored)
                        .filter(detail -> detail.path("agent_id").asText().equals("b")))
                .isNotEmpty()
                .noneMatch(detail -> detail.has("in_maintenance"));
        system.clock().advanceSeconds(61);
        agent.register("");
        LambdaRuntime.invoke(publisher, StreamRecords.event(StreamRecords.events(system.tables())), null);
        List<PutEventsRequestEntry> last =
                eventBridge.requests().get(eventBridge.requests().size() - 1);
        assertThat(Json.stored(last.get(last.size() - 1).detail()).has("in_maintenance"))
                .isFalse();
    }
}
