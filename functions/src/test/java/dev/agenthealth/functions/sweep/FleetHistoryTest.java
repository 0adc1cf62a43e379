package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.history.FleetHistoryStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.availability.FleetHour;
import dev.agenthealth.model.health.availability.FleetMinute;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.testkit.RequestMeter;
import dev.agenthealth.testkit.TestTables;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The counts of the fleet by minute and hour, and what follows from them. */
class FleetHistoryTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final TestSystem system = harness.system();
    private final FleetHistoryStore history = new FleetHistoryStore(system.database());

    @Test
    void each_minute_is_counted_once_also_by_two_sweeps_at_the_same_time() {
        Sweep other = harness.sweepThrough(system.dynamoDb());
        TestAgent agent = harness.agent("a");
        harness.passTime(300, () -> {
            agent.sendHeartbeat();
            SweepHarness.run(other);
        });
        assertThat(minutes())
                .extracting(FleetMinute::minute)
                .doesNotHaveDuplicates()
                .hasSize(6);
        assertThat(minutes()).noneMatch(FleetMinute::alsoBefore);
    }

    @Test
    @Tag("slow")
    void a_minute_costs_at_most_three_write_units_with_50_roles_also_where_an_hour_is_added_up() {
        for (int role = 0; role < 60; role++) {
            register("agent-" + role, "role-" + role, 7_200);
        }
        RequestMeter meter = system.meter();
        harness.passTime(300);
        double most = 0;
        for (int minute = 0; minute < 70; minute++) {
            double before = history(meter);
            harness.passTime(60);
            most = Math.max(most, history(meter) - before);
        }
        assertThat(history.hours(0, 99_999_999)).hasSize(1);
        assertThat(most).isEqualTo(3);
        FleetHour hour = history.hours(0, 99_999_999).get(0);
        assertThat(hour.verdicts()).hasSize(FleetMinute.MAX_ROLES + 1);
        assertThat(hour.counted()).hasSize(60);
    }

    /** The units of items that are put: no other item is, in a fleet that stays as it is. */
    private static double history(RequestMeter meter) {
        return meter.units(TestTables.REGISTRY, "PutItem");
    }

    @Test
    void nothing_is_counted_while_the_self_check_fails() {
        List<TestAgent> agents = harness.agents("b", 30);
        harness.passTime(60, () -> agents.forEach(TestAgent::sendHeartbeat));
        harness.publicApi().dropHeartbeats();
        harness.passTime(600);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, agents)).isZero();
        JsonNode shown = get("/api/v1/health/availability");
        assertThat(shown.path("unknown_seconds").asLong()).isGreaterThan(86_400 - 300);
        assertThat(shown.path("down_seconds").asLong()).isZero();
    }

    @Test
    void the_fleet_and_a_role_are_degraded_while_some_agents_are_not_ok_and_down_while_all_are() {
        TestAgent alive = register("a", "billing", 90);
        register("b", "billing", 90).sendHeartbeat();
        alive.sendHeartbeat();
        harness.sweep();
        harness.passTime(240, alive::sendHeartbeat);
        harness.passTime(120);
        for (String agent : List.of("a", "b")) {
            system.api()
                    .post("/v1/admin/agents/" + agent + "/block")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .body("{}")
                    .send();
        }
        harness.passTime(240);
        for (String path : List.of("/api/v1/health/availability", "/api/v1/pools/billing/availability")) {
            JsonNode shown = get(path);
            assertThat(shown.path("intervals").findValuesAsText("state"))
                    .containsExactly("unknown", "up", "degraded", "down");
            assertThat(shown.path("up_seconds").asLong()
                            + shown.path("degraded_seconds").asLong()
                            + shown.path("down_seconds").asLong()
                            + shown.path("unknown_seconds").asLong())
                    .isEqualTo(86_400);
            assertThat(shown.path("incidents")).hasSize(1);
            assertThat(shown.path("availability").asDouble()).isBetween(0.2, 0.8);
            assertThat(shown.path("heartbeats_share").asDouble()).isBetween(0.2, 0.8);
            assertThat(shown.path("shares").path("down").asDouble()).isBetween(0.1, 0.6);
            assertThat(shown.path("by_heartbeats_until").isNull()).isTrue();
        }
        assertThat(get("/api/v1/pools/billing/availability").path("role_id").asText())
                .isEqualTo("billing");
        assertThat(system.api()
                        .get("/api/v1/pools/none/availability")
                        .key(TestSystem.COORDINATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(404);
    }

    @Test
    void longer_windows_are_read_by_hour_and_end_with_the_last_minutes() {
        TestAgent alive = harness.agent("a");
        harness.sweep();
        harness.passTime(2 * 3_600 + 600, alive::sendHeartbeat);
        JsonNode shown = get("/api/v1/health/availability?window=30d");
        assertThat(shown.path("up_seconds").asLong()).isGreaterThan(7_500);
        assertThat(shown.path("availability").decimalValue()).isEqualByComparingTo("1");
        JsonNode byHour = get("/api/v1/health/history?resolution=hour");
        assertThat(byHour.path("points"))
                .extracting(point -> point.path("at").asText().substring(11, 16) + " "
                        + point.path("minutes").asInt())
                .as("the last one is the hour that runs")
                .containsExactly("10:00 60", "11:00 60", "12:00 11");
        JsonNode firstHour = get("/api/v1/health/history?resolution=hour&to=2026-02-08T10:59:59Z");
        assertThat(firstHour.path("points")).hasSize(1);
        JsonNode byMinute = get("/api/v1/health/history");
        assertThat(byMinute.path("resolution").asText()).isEqualTo("minute");
        assertThat(byMinute.path("points")).hasSize(131);
        assertThat(byMinute.path("points")
                        .path(0)
                        .path("by_lifecycle_status")
                        .path("active")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void a_day_by_minute_and_90_days_by_hour_are_the_longest_periods() {
        assertThat(status("?from=2026-02-01T00:00:00Z&resolution=minute")).isEqualTo(400);
        assertThat(status("?from=2025-10-01T00:00:00Z")).isEqualTo(400);
        assertThat(status("?from=2026-02-09T00:00:00Z")).isEqualTo(400);
        assertThat(status("?from=2026-02-01T00:00:00Z")).isEqualTo(200);
    }

    private TestAgent register(String id, String role, int unhealthyAfterSeconds) {
        String body =
                """
                {"agent_id":"%s","role_id":"%s",
                 "heartbeat_config":{"interval_seconds":%d,"unhealthy_after_seconds":%d,"dead_after_seconds":30000}}
                """
                        .formatted(id, role, unhealthyAfterSeconds / 3, unhealthyAfterSeconds);
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(TestSystem.AGENT_KEY)
                        .body(body)
                        .send()
                        .status())
                .isEqualTo(201);
        return new TestAgent(system, id);
    }

    private int status(String query) {
        return request("/api/v1/health/history" + query).send().status();
    }

    private List<FleetMinute> minutes() {
        return history.minutes(0, 99_999_999);
    }

    private JsonNode get(String path) {
        var response = request(path).send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    private TestApi.Request request(String path) {
        String[] parts = path.split("[?&]");
        var request = system.api().get(parts[0]).key(TestSystem.COORDINATOR_KEY);
        for (int i = 1; i < parts.length; i++) {
            String[] parameter = parts[i].split("=");
            request.query(parameter[0], parameter[1]);
        }
        return request;
    }
}
