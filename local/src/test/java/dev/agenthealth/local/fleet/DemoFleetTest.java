package dev.agenthealth.local.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class DemoFleetTest {

    private static final String KEY = "test-administrator-key";
    private static final int SECONDS = 81;

    /** The interval of the agents' heartbeats. */
    private static final int STEP = 3;

    private final MutableClock clock = MutableClock.atExampleTime();

    @Test
    void agents_have_a_day_behind_them_work_are_slow_fail_die_and_restart_and_trust_moves() throws IOException {
        EmbeddedDynamoDb database = EmbeddedDynamoDb.inTemporaryFile(clock);
        LocalOptions options = LocalOptions.of(Template.find(), KEY)
                .database(database)
                .clock(clock, clock::advance)
                .byHand()
                .allowLoopbackEndpoints()
                .out(new PrintStream(OutputStream.nullOutputStream()));
        try (database;
                DemoEndpoint endpoint = DemoEndpoint.open()) {
            List<String> progress = new ArrayList<>();
            run(options, DemoHistory.write(options, endpoint, clock, progress::add), endpoint);
            assertThat(progress).containsExactly("6 of 24 hours", "12 of 24 hours", "18 of 24 hours", "24 of 24 hours");
        }
    }

    private void run(LocalOptions options, String agentKey, DemoEndpoint endpoint) throws IOException {
        try (LocalSystem system = LocalSystem.start(options)) {
            RegistryHttp administrator = new RegistryHttp(URI.create(system.baseUrl()), KEY);
            showsTheDayBefore(administrator);
            JsonNode source =
                    administrator.get("/v1/admin/sources/partner").json().path("last_sync");
            assertThat(source.at("/counts/registered").asInt())
                    .as(source.toString())
                    .isEqualTo(2);
            DemoOperator operator = new DemoOperator(administrator, clock.instant());
            operator.prepare();
            DemoFleet fleet = new DemoFleet(
                    administrator.withKey(agentKey),
                    administrator.withNewKey("coordinator", "demo", List.of()),
                    endpoint,
                    Runnable::run,
                    clock.instant());
            for (int second = 0; second < SECONDS; second += STEP) {
                fleet.act(clock.instant());
                operator.act(clock.instant());
                if (second % (2 * STEP) == 0) {
                    system.drainStreams();
                    system.runSchedules();
                }
                clock.advanceSeconds(STEP);
            }
            system.runSchedules();
            assertThat(values(
                            administrator,
                            "/api/v1/agents?limit=100&status=active,unhealthy,dead,draining,deregistered",
                            "agents",
                            "verdict"))
                    .contains("ok", "degraded", "down");
            assertThat(values(administrator, "/api/v1/events?limit=1000&type=agent.lifecycle", "events", "reason"))
                    .contains("registered", "heartbeat_timeout", "re_registered", "drain_completed");
            assertThat(record(administrator, "contract-reader-1")
                            .path("stalled_since")
                            .asText())
                    .isNotEmpty();
            assertThat(record(administrator, "ledger-export-1").path("status").asText())
                    .isEqualTo("unhealthy");
            assertThat(record(administrator, "nightly-report-1").path("status").asText())
                    .isEqualTo("active");
            JsonNode watched = record(administrator, "search-1");
            assertThat(watched.path("last_seen_by").asText()).isEqualTo("probe");
            assertThat(watched.path("last_probe").path("failure").isNull()).isTrue();
            for (String imported : List.of("partner.example:notes", "partner.example:weather")) {
                JsonNode probe = record(administrator, imported).path("last_probe");
                assertThat(probe.path("failure").isNull()).as(probe.toString()).isTrue();
            }
            assertThat(record(administrator, "archive-1").path("last_seen_by").asText())
                    .isEqualTo("ping");
            JsonNode called = record(administrator, "answers-1");
            assertThat(called.at("/declaration/change/altered").toString()).isEqualTo("[\"model\"]");
            assertThat(called.path("heartbeat_config").path("mode").asText()).isEqualTo("none");
            assertThat(reputation(administrator, "answers-1")).isGreaterThan(0.5);
            assertThat(values(
                            administrator,
                            "/api/v1/agents?limit=100&status=active,unhealthy,dead,draining,deregistered",
                            "agents",
                            "agent_id"))
                    .hasSize(DemoFleet.size() + 1)
                    .contains(DemoHistory.DEAD);
            assertThat(values(administrator, "/api/v1/intents/invoice-4711/leases", "leases", "agent_id"))
                    .containsExactly("billing-1");
            assertThat(values(administrator, "/v1/admin/silences", "silences", "name"))
                    .containsExactly("new-model");
            assertThat(values(administrator, "/api/v1/problems?limit=100", "problems", "kind"))
                    .contains("block", "lifecycle", "pool", "score");
            assertThat(values(administrator, "/api/v1/problems?agent_id=support-5", "problems", "state"))
                    .contains("acknowledged");
            assertThat(values(administrator, "/api/v1/problems?agent_id=research-3", "problems", "in_maintenance"))
                    .containsExactly("new-model");
            assertThat(values(administrator, "/api/v1/agents?verdict=blocked", "agents", "agent_id"))
                    .containsExactly("assistant-2");
            assertThat(reputation(administrator, "billing-1")).isGreaterThan(0.6);
            assertThat(reputation(administrator, "translator-3")).isLessThan(0.3);
        }
    }

    private static void showsTheDayBefore(RegistryHttp registry) {
        JsonNode crashed = registry.get("/api/v1/agents/billing-4/availability").json();
        assertThat(crashed.path("heartbeats_share").asDouble()).isBetween(0.9, 0.95);
        assertThat(crashed.path("availability").asDouble())
                .as("bad health counts too")
                .isLessThan(crashed.path("heartbeats_share").asDouble());
        assertThat(crashed.path("incidents")).isNotEmpty();
        assertThat(crashed.path("unknown_seconds").asInt()).isLessThan(120);
        JsonNode dead = registry.get("/api/v1/agents/" + DemoHistory.DEAD + "/availability")
                .json();
        assertThat(dead.at("/incidents/0/to").isNull()).as(dead.toString()).isTrue();
        assertThat(registry.get("/api/v1/agents/" + DemoHistory.DEPLOYED + "/availability")
                        .json()
                        .path("heartbeats_share")
                        .asDouble())
                .isEqualTo(1);
        assertThat(values(registry, "/api/v1/health/history?resolution=minute", "points", "at"))
                .hasSizeGreaterThan(1_000);
        assertThat(values(registry, "/api/v1/problems?agent_id=" + DemoHistory.DEPLOYED, "problems", "kind"))
                .contains("declaration", "health");
        JsonNode points = registry.get("/api/v1/agents/" + DemoHistory.DEPLOYED + "/health/history")
                .json()
                .path("points");
        assertThat(points).hasSizeGreaterThan(20);
        assertThat(points.get(0).path("response_ratio").asDouble()).isEqualTo(1);
        assertThat(points.get(points.size() - 1).path("response_ratio").asDouble())
                .isLessThan(0.95);
        assertThat(values(registry, "/api/v1/agents/planner-2/events?limit=100", "events", "type"))
                .contains("agent.trust");
    }

    private static JsonNode record(RegistryHttp registry, String agentId) {
        return registry.get("/api/v1/agents/" + agentId).json();
    }

    private static double reputation(RegistryHttp registry, String agentId) {
        return registry.get("/v1/trust/agents/" + agentId)
                .json()
                .path("reputation_score")
                .asDouble();
    }

    private static Set<String> values(RegistryHttp registry, String path, String list, String field) {
        RegistryHttp.Answer answer = registry.get(path);
        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
        Set<String> values = new TreeSet<>();
        for (JsonNode item : answer.json().path(list)) {
            values.add(item.path(field).asText());
        }
        return values;
    }
}
