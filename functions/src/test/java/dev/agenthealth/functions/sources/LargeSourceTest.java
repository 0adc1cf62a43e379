package dev.agenthealth.functions.sources;

import static dev.agenthealth.functions.sources.SourceHarness.counts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What many entries cost, whatever the machine. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LargeSourceTest {

    private final SourceHarness harness = new SourceHarness();

    @AfterEach
    void close() {
        harness.close();
    }

    /** Serves a catalogue with this number of embedded cards. */
    private void catalogue(int number) {
        ObjectNode catalogue = Json.object().put("specVersion", "1.0");
        ArrayNode entries = catalogue.putArray("entries");
        for (int i = 0; i < number; i++) {
            entries.addObject()
                    .put("identifier", "urn:air:example.com:agents:agent-" + i)
                    .put("type", "application/a2a-agent-card+json")
                    .putObject("data")
                    .put("name", "Agent " + i)
                    .put("url", harness.url("/" + i));
        }
        harness.serve("/c", Script.body(Json.text(catalogue)));
        harness.source("c", "/c");
    }

    private int requests() {
        return harness.system.meter().calls().size();
    }

    @Test
    @Tag("exhaustive")
    void an_entry_costs_the_same_requests_in_a_large_source_and_none_while_it_is_unchanged() {
        int entries = 900;
        catalogue(entries);
        harness.system.meter().reset();
        assertThat(counts(harness.sync("c"))).isEqualTo("{registered=" + entries + "}");
        assertThat(requests()).isLessThanOrEqualTo(5 * entries);
        assertThat(harness.server.requests()).hasSize(1);
        harness.system.meter().reset();
        assertThat(counts(harness.sync("c"))).isEqualTo("{unchanged=" + entries + "}");
        assertThat(harness.system.meter().writeUnits()).as("its state").isEqualTo(1);
        assertThat(requests()).as("a query is up to 1 MB").isLessThanOrEqualTo(10);
        assertThat(harness.server.requests()).hasSize(2);
    }

    @Test
    void two_syncs_at_once_report_no_conflict() throws ExecutionException, InterruptedException {
        int entries = 100;
        catalogue(entries);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            CompletableFuture<JsonNode> other = CompletableFuture.supplyAsync(() -> harness.sync("c"), threads);
            JsonNode one = harness.sync("c");
            for (JsonNode sync : new JsonNode[] {one, other.get()}) {
                assertThat(sync.at("/counts/conflict").asInt()).as(counts(sync)).isZero();
                assertThat(sync.path("complete").asBoolean()).isTrue();
            }
        } finally {
            threads.shutdown();
        }
        assertThat(counts(harness.sync("c"))).isEqualTo("{unchanged=" + entries + "}");
    }
}
