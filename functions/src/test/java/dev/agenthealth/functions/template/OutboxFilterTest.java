package dev.agenthealth.functions.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.testkit.StreamRecords;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.event.ruler.Ruler;

/** The stream's filter passes exactly the events to the publisher. */
@Tag("SYS-05")
@Tag("exhaustive")
class OutboxFilterTest {

    @AutoClose
    private final DeployedSystem system = new DeployedSystem();

    private TestApi api;

    @BeforeEach
    void open() {
        api = system.api();
    }

    @Test
    void exactly_the_event_items_that_the_stores_write_pass_the_filter() {
        writeEverything();
        List<ObjectNode> passed = new ArrayList<>();
        List<ObjectNode> held = new ArrayList<>();
        for (ObjectNode record : StreamRecords.ofRegistry(system.tables())) {
            (passes(record) ? passed : held).add(record);
        }
        assertThat(passed).hasSizeGreaterThan(10).allSatisfy(record -> assertThat(image(record))
                .contains("\"detail\"", "\"type\""));
        assertThat(held).hasSizeGreaterThan(10).allSatisfy(record -> {
            boolean isNewEvent = record.path("eventName").asText().equals("INSERT")
                    && record.path("dynamodb").path("NewImage").has("detail");
            assertThat(isNewEvent).as(Json.text(record)).isFalse();
        });
        assertThat(types(passed))
                .contains(
                        "agent.lifecycle",
                        "agent.clock_drift",
                        "agent.drain_timeout",
                        "agent.trust",
                        "registry.blackout",
                        "registry.blackout_over",
                        "registry.mass_silence");
        int sentBefore = sent();
        String answer = system.invoke("PublisherFunction", StreamRecords.event(passed));
        assertThat(answer).isEqualTo("{\"batchItemFailures\":[]}");
        assertThat(sent() - sentBefore).isEqualTo(passed.size());
    }

    private int sent() {
        return system.eventBridge().requests().stream().mapToInt(List::size).sum();
    }

    /** Uses the system until every kind of item and event was written. */
    private void writeEverything() {
        new Scenario(system, api, false).run();
    }

    private boolean passes(ObjectNode record) {
        return system.function("PublisherFunction").streams().get(0).filterPatterns().stream()
                .anyMatch(pattern -> matches(record, pattern));
    }

    private static boolean matches(ObjectNode record, String pattern) {
        try {
            return Ruler.matchesRule(Json.text(record), pattern);
        } catch (Exception e) {
            throw new AssertionError("the filter cannot be read: " + pattern, e);
        }
    }

    private static String image(ObjectNode record) {
        return Json.text(record.path("dynamodb").path("NewImage"));
    }

    private static List<String> types(List<ObjectNode> records) {
        return records.stream()
                .map(record -> record.path("dynamodb")
                        .path("NewImage")
                        .path("type")
                        .path("S")
                        .asText())
                .distinct()
                .toList();
    }
}
