package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The hourly history of the score. */
@Tag("AHM-01")
class ScoreHistoryTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final Healths healths = new Healths(system);
    private final TestAgent agent = TestAgent.registered(system, "a");

    @Test
    void the_history_starts_a_day_ago_by_default_and_is_sorted_oldest_first() {
        for (int hour = 0; hour < 30; hour++) {
            healths.keep(healths.compute(agent, hour, hour % 2));
            system.clock().advanceSeconds(3_600);
        }
        List<String> shown = read(history()).findValuesAsText("at");
        assertThat(shown).hasSize(24).isSorted();
        assertThat(shown.get(0)).isEqualTo("2026-02-08T16:00:00.000Z");
        assertThat(shown.get(23)).isEqualTo("2026-02-09T15:00:00.000Z");
    }

    @Test
    void a_point_has_both_scales_and_their_figures() {
        healths.keep(healths.compute(agent, healths.measurement(agent, Healths.counts(18, 2), 123.456_789, 1_000)));
        assertThat(read(history()).path("points"))
                .isEqualTo(
                        Json.stored(
                                """
                                [{"at":"2026-02-08T10:00:00.000Z","score":92.53,"state":"Healthy","health_status":"degraded",
                                  "lifecycle_status":"active","response_ratio":0.9,"latency_p50_ms":123.457,"latency_p99_ms":1000,"quality":null,"sample_count":20}]
                                """));
    }

    @Test
    void outcomes_are_also_shown_by_five_minutes() {
        agent.change("{\"expectations\":{\"window_seconds\":300}}");
        for (String result : List.of("success", "failure", "success")) {
            system.api()
                    .post("/api/v1/agents/a/outcomes")
                    .key(TestSystem.AGENT_KEY)
                    .body("{\"batch_id\":\"" + system.clock().instant() + "\",\"outcomes\":[{\"result\":\"" + result
                            + "\",\"latency_ms\":100}]}")
                    .send();
            system.clock().advanceSeconds(120);
        }
        JsonNode points = read(history().query("resolution", "five_minutes")).path("points");
        assertThat(points.findValuesAsText("sample_count").stream()
                        .mapToInt(Integer::parseInt)
                        .sum())
                .isEqualTo(3);
        assertThat(points.path(0).path("seconds").asInt()).isEqualTo(300);
        assertThat(points.path(0).path("latency_p50_ms").asDouble()).isBetween(90.0, 110.0);
        assertThat(history().query("resolution", "minute").send().status()).isEqualTo(400);
    }

    @Test
    void an_hour_without_outcomes_has_no_score() {
        healths.keep(healths.compute(agent, 0, 0));
        JsonNode point = read(history()).path("points").path(0);
        assertThat(point.path("score").isNull()).isTrue();
        assertThat(point.path("state").asText()).isEqualTo("Inactive");
    }

    @Test
    void a_time_range_can_be_requested() {
        for (int hour = 0; hour < 5; hour++) {
            healths.keep(healths.compute(agent, 20, 0));
            system.clock().advanceSeconds(3_600);
        }
        assertThat(read(history().query("from", "2026-02-08T11:30:00.000Z").query("to", "2026-02-08T14:00:00+01:00"))
                        .findValuesAsText("at"))
                .containsExactly("2026-02-08T11:00:00.000Z", "2026-02-08T12:00:00.000Z", "2026-02-08T13:00:00.000Z");
        assertThat(read(history().query("from", "2026-02-08T13:00:00.000Z")).findValuesAsText("at"))
                .containsExactly("2026-02-08T13:00:00.000Z", "2026-02-08T14:00:00.000Z");
        assertThat(read(history().query("to", "2026-02-08T11:00:00.000Z")).findValuesAsText("at"))
                .containsExactly("2026-02-08T10:00:00.000Z", "2026-02-08T11:00:00.000Z");
        assertThat(read(history().query("from", "2026-01-09T15:00:00.000Z")).path("points"))
                .hasSize(5);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-02-08T10:00:00.000Z,2026-02-08T10:00:00.000Z,from",
        "2026-02-08T11:00:00.000Z,2026-02-08T10:00:00.000Z,from",
        "2026-02-09T11:00:00.000Z,'',from",
        "2026-01-01T00:00:00.000Z,2026-01-31T00:00:00.001Z,from",
        "yesterday,'',from",
        "'',tomorrow,to",
        "'',2026-02-08T10:00:00,to",
        "-1000000000-01-01T00:00:00.000Z,+1000000000-12-31T23:59:59.000Z,from"
    })
    void an_empty_or_too_long_time_range_is_refused_with_the_name_of_its_field(String from, String to, String field) {
        Response refused = history().query("from", from).query("to", to).send();
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.json().path("errors").findValuesAsText("field")).contains(field);
    }

    @ParameterizedTest
    @CsvSource({
        "1960-01-01T00:00:00.000Z,1960-01-20T00:00:00.000Z",
        "1969-12-31T00:00:00.000Z,1970-01-02T00:00:00.000Z",
        "0001-01-01T00:00:00.000Z,0001-01-02T00:00:00.000Z",
        "9999-01-01T00:00:00.000Z,9999-01-02T00:00:00.000Z",
        "+13377-12-20T00:00:00.000Z,+13377-12-31T00:00:00.000Z",
        "+13378-01-01T00:00:00.000Z,+13378-01-05T00:00:00.000Z"
    })
    void a_time_range_long_ago_or_in_the_future_is_empty(String from, String to) {
        healths.keep(healths.compute(agent, 20, 0));
        Response response = history().query("from", from).query("to", to).send();
        assertThat(response.status()).as(response.text()).isIn(200, 400);
        assertThat(response.json().path("points")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-1000000000-01-01T00:00:00.000Z", "-999999999-01-01T00:00:00.000Z", "1969-01-01T00:00:00.000Z"})
    void every_early_timestamp_is_accepted(String to) {
        assertThat(history().query("to", to).send().status()).isIn(200, 400);
    }

    @Test
    void errors_of_both_timestamps_are_reported_together() {
        Response refused = history().query("from", "x").query("to", "y").send();
        assertThat(refused.json().path("errors").findValuesAsText("field")).containsExactlyInAnyOrder("from", "to");
    }

    @Test
    void the_history_is_kept_after_the_agent_is_archived() {
        healths.keep(healths.compute(agent, 20, 0));
        agent.deregister();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        Response history = history().key(TestSystem.ADMINISTRATOR_KEY).send();
        assertThat(history.status()).isEqualTo(200);
        assertThat(history.json().path("points")).hasSize(1);
    }

    @Test
    void points_older_than_thirty_days_are_not_returned() {
        healths.keep(healths.compute(agent, 20, 0));
        Instant kept = system.clock().instant();
        system.clock().advanceSeconds(30 * 86_400 - 1);
        assertThat(read(history().query("from", kept.toString())).path("points"))
                .hasSize(1);
        system.clock().advanceSeconds(1);
        assertThat(read(history().query("from", kept.toString())).path("points"))
                .isEmpty();
    }

    private Request history() {
        return system.api().get("/api/v1/agents/a/health/history").key(TestSystem.AGENT_KEY);
    }

    private static JsonNode read(Request request) {
        Response response = request.send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }
}
