package dev.agenthealth.functions.health.availability;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.sweep.SweepHarness;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.RequestMeter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The availability of an agent. The clock of the tests starts at 10:00:00; the sweep runs every 30 s. */
class AgentAvailabilityTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final TestSystem system = harness.system();

    @Test
    void an_agent_is_up_degraded_down_and_up_again() {
        harness.sweep();
        TestAgent agent = harness.agent("a");
        harness.passTime(600);
        agent.register("");
        agent.sendHeartbeat();
        harness.passTime(60);
        JsonNode shown = read(availability());
        assertThat(states(shown))
                .containsExactly(
                        "none 2026-02-07T10:11:00.000Z",
                        "up 2026-02-08T10:00:00.000Z",
                        "degraded 2026-02-08T10:02:00.000Z",
                        "down 2026-02-08T10:05:30.000Z",
                        "up 2026-02-08T10:10:00.000Z");
        assertThat(shown.path("to").asText()).isEqualTo("2026-02-08T10:11:00.000Z");
        assertThat(shown.path("up_seconds").asLong()).isEqualTo(180);
        assertThat(shown.path("degraded_seconds").asLong()).isEqualTo(210);
        assertThat(shown.path("down_seconds").asLong()).isEqualTo(270);
        assertThat(shown.path("none_seconds").asLong()).isEqualTo(86_400 - 660);
        assertThat(shown.path("availability").decimalValue()).isEqualByComparingTo("0.2727");
        assertThat(shown.path("incidents").toString())
                .isEqualTo(
                        """
                        [{"from":"2026-02-08T10:02:00.000Z","to":"2026-02-08T10:10:00.000Z","seconds":480,\
                        "state":"down","reason":"heartbeat_timeout"}]\
                        """);
    }

    @Test
    void time_in_which_the_sweep_did_not_run_is_unknown_and_an_incident_that_lasts_has_no_end() {
        harness.sweep();
        harness.agent("a");
        harness.passTime(180);
        system.clock().advanceSeconds(3_600);
        harness.sweep();
        harness.passTime(30);
        JsonNode shown = read(availability());
        assertThat(states(shown).subList(1, 5))
                .containsExactly(
                        "up 2026-02-08T10:00:00.000Z",
                        "degraded 2026-02-08T10:02:00.000Z",
                        "unknown 2026-02-08T10:04:00.000Z",
                        "degraded 2026-02-08T11:03:00.000Z");
        assertThat(shown.path("unknown_seconds").asLong()).isEqualTo(59 * 60);
        assertThat(shown.path("incidents")).hasSize(1);
        assertThat(shown.path("incidents").path(0).path("to").isNull()).isTrue();
        assertThat(shown.path("incidents").path(0).path("seconds").asLong()).isEqualTo(150);
    }

    @Test
    void a_minute_that_the_schedule_skipped_is_known() {
        harness.sweep();
        TestAgent agent = harness.agent("a");
        system.clock().advanceSeconds(119);
        agent.sendHeartbeat();
        harness.sweep();
        harness.passTime(60, agent::sendHeartbeat);
        assertThat(read(availability()).path("unknown_seconds").asLong()).isZero();
    }

    @Test
    void the_incidents_are_also_a_table() {
        harness.sweep();
        harness.agent("a");
        harness.passTime(180);
        for (Response response : List.of(
                availability().query("format", "csv").send(),
                availability().header("accept", "text/csv").send())) {
            assertThat(response.header("Content-Type")).startsWith("text/csv");
            assertThat(response.text())
                    .isEqualTo("agent_id,from,to,seconds,state,reason\r\n"
                            + "a,2026-02-08T10:02:00.000Z,,60,degraded,heartbeat_timeout\r\n");
        }
        assertThat(availability()
                        .header("accept", "text/csv")
                        .query("format", "json")
                        .send()
                        .json()
                        .path("incidents"))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {";", ";;;", ",", ";,;", "text/csv;", " ; q=1"})
    void accepted_types_without_a_name_fail_no_request(String accept) {
        harness.sweep();
        for (String path : List.of("/api/v1/health/availability", "/metrics")) {
            assertThat(system.api()
                            .get(path)
                            .key(TestSystem.ADMINISTRATOR_KEY)
                            .header("accept", accept)
                            .send()
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void a_deregistered_agent_that_was_archived_still_has_its_past() {
        harness.sweep();
        TestAgent agent = harness.agent("a");
        harness.passTime(60);
        agent.deregister();
        harness.passTime(4_000);
        JsonNode shown = read(availability());
        assertThat(harness.rows()).isEmpty();
        assertThat(shown.path("up_seconds").asLong()).isEqualTo(60);
        assertThat(states(shown)).hasSize(3).last().asString().startsWith("none");
    }

    @Test
    @Tag("slow")
    void of_more_than_1000_events_the_oldest_are_not_read_and_the_time_before_is_unknown() {
        harness.sweep();
        TestAgent agent = harness.agent("a");
        for (int i = 0; i < 600; i++) {
            agent.becomeUnhealthy();
            agent.sendHeartbeat();
        }
        harness.sweep();
        RequestMeter meter = system.meter();
        meter.reset();
        JsonNode shown = read(availability().query("window", "30d"));
        assertThat(shown.path("truncated").asBoolean()).isTrue();
        assertThat(shown.path("intervals").path(0).path("state").asText()).isEqualTo("unknown");
        assertThat(meter.operations()).hasSizeLessThan(20);
    }

    @Test
    void days_with_a_change_are_stored_once_and_show_90_days() {
        harness.sweep();
        TestAgent agent = harness.agent("a");
        harness.passTime(600);
        agent.register("");
        agent.sendHeartbeat();
        for (int hour = 0; hour < 24 * 60; hour++) {
            system.clock().advanceSeconds(3_600);
            agent.sendHeartbeat();
            if (hour < 72) {
                harness.sweep();
            }
        }
        assertThat(harness.items(
                        "RegistryTable", item -> SweepHarness.text(item, "sk").startsWith("Z#")))
                .hasSize(1);
        JsonNode shown = read(availability().query("window", "90d"));
        assertThat(shown.path("incidents")).hasSize(1);
        assertThat(shown.path("incidents").path(0).path("from").asText()).isEqualTo("2026-02-08T10:02:00.000Z");
        assertThat(shown.path("incidents").path(0).path("to").asText()).isEqualTo("2026-02-08T10:10:00.000Z");
        assertThat(states(shown).get(0)).startsWith("none 2026-01-09");
        assertThat(shown.path("degraded_seconds").asLong()
                        + shown.path("down_seconds").asLong())
                .isEqualTo(480);
    }

    @ParameterizedTest
    @CsvSource({"window,1h", "window,''", "format,xml", "from,2026-02-08T10:00:00Z"})
    void other_parameters_are_refused(String name, String value) {
        harness.agent("a");
        assertThat(availability().query(name, value).send().status()).isEqualTo(400);
    }

    @Test
    void an_unknown_agent_has_none_and_one_of_another_key_is_hidden() {
        assertThat(availability().send().status()).isEqualTo(404);
        harness.agent("a");
        assertThat(availability().key(TestSystem.OTHER_AGENT_KEY).send().status())
                .isEqualTo(403);
        assertThat(availability().key(TestSystem.COORDINATOR_KEY).send().status())
                .isEqualTo(200);
    }

    private Request availability() {
        return system.api().get("/api/v1/agents/a/availability").key(TestSystem.AGENT_KEY);
    }

    private static JsonNode read(Request request) {
        Response response = request.send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    private static List<String> states(JsonNode shown) {
        List<String> states = new ArrayList<>();
        shown.path("intervals")
                .forEach(interval -> states.add(interval.path("state").asText() + " "
                        + interval.path("from").asText()));
        return states;
    }
}
