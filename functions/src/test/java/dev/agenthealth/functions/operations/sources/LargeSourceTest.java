package dev.agenthealth.functions.operations.sources;

import static dev.agenthealth.functions.operations.sources.SourceHarness.counts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
        assertThat(requests()).as("a registration and its declaration").isLessThanOrEqualTo(12 * entries + 20);
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

    private SourceSync sync() {
        return new SourceSync(
                harness.wiring,
                harness.system.database(),
                Authenticator.of(harness.wiring, harness.system.database()),
                host -> List.of(InetAddress.getLoopbackAddress()),
                SecureSockets.usualWhenUsed(),
                harness.system.log());
    }

    /** Syncs with so much time, and returns what was done. */
    private JsonNode sync(SourceSync sync, Duration time) {
        Source source = new SourceStore(harness.system.database()).find("c").orElseThrow();
        Instant now = harness.system.clock().instant();
        return sync.run(source, Optional.empty(), false, now.plus(time)).json(Json.object(), now);
    }

    /** Serves a catalogue with this number of addresses of cards, and an embedded MCP server at its end. */
    private void addresses(int number) {
        ObjectNode catalogue = Json.object().put("specVersion", "1.0");
        ArrayNode entries = catalogue.putArray("entries");
        for (int i = 0; i < number; i++) {
            entries.addObject()
                    .put("identifier", "urn:air:example.com:agents:agent-" + i)
                    .put("type", "application/a2a-agent-card+json")
                    .put("url", harness.url("/card-" + i));
        }
        ObjectNode server = entries.addObject()
                .put("identifier", "urn:air:example.com:servers:one")
                .put("type", "application/mcp-server-card+json")
                .putObject("data")
                .put("name", "one");
        server.putArray("remotes").addObject().put("type", "streamable-http").put("url", harness.url("/mcp"));
        harness.serve("/c", Script.body(Json.text(catalogue)));
        harness.source("c", "/c");
    }

    @Test
    @Tag("slow")
    void a_host_that_does_not_answer_is_left_alone_and_the_others_are_registered() {
        int entries = 300;
        addresses(entries);
        for (int i = 0; i < entries; i++) {
            harness.serve("/card-" + i, (request, out) -> harness.server.hang());
        }
        // The clock of the system stands still: time is short, and never over.
        JsonNode sync = sync(sync(), Duration.ofSeconds(2));
        assertThat(counts(sync)).isEqualTo("{failed=300, registered=1}");
        assertThat(sync.path("errors").toString())
                .contains("not asked further in this sync")
                .contains("no answer within");
        assertThat(harness.server.connections()).isLessThan(50);
    }

    @Test
    void entries_for_which_there_is_no_time_have_their_turn_in_a_later_sync() {
        int entries = 60;
        Duration time = Duration.ofSeconds(480);
        addresses(entries);
        for (int i = 0; i < entries; i++) {
            String card = "{\"name\":\"Agent\",\"url\":\"" + harness.url("/" + i) + "\"}";
            harness.serve("/card-" + i, (request, out) -> {
                harness.system.clock().advanceSeconds(10);
                Script.body(card).play(request, out);
            });
        }
        SourceSync sync = sync();
        SourceStore sources = new SourceStore(harness.system.database());
        assertThat(sync(sync, time).at("/counts/postponed").asInt()).isPositive();
        for (int i = 0; i < 40 && sources.entries("c").size() <= entries; i++) {
            sync(sync, time);
        }
        assertThat(sources.entries("c")).hasSize(entries + 1);
    }
}
