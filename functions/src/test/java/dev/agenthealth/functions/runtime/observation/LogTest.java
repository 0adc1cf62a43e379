package dev.agenthealth.functions.runtime.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.testkit.MutableClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Log log =
            new Log(MutableClock.atExampleTime(), new PrintStream(out, true, StandardCharsets.UTF_8), "a-stack");

    @ParameterizedTest
    @CsvSource({
        "200,INFO",
        "304,INFO",
        "400,WARN",
        "404,WARN",
        "429,WARN",
        "500,ERROR",
        "502,WARN",
        "503,ERROR",
        "504,WARN"
    })
    void only_failures_of_the_registry_itself_are_errors(int status, String level) {
        log.request(
                new AnsweredRequest("GET /api/v1/ping", "request-1", status, "", "", "", 7, StorageUse.NONE, false));
        assertThat(lines().get(0).path("level").textValue()).isEqualTo(level);
    }

    @Test
    void a_request_is_logged_with_its_known_fields() {
        log.request(new AnsweredRequest(
                "GET /a/{agent_id}", "request-1", 503, "busy", "agent_1", "key_1", 7, new StorageUse(1.5, 2, 3), true));
        assertThat(lines())
                .containsExactly(
                        Json.stored(
                                """
                                {"timestamp":"2026-02-08T10:00:00.000Z","level":"ERROR","event":"request","route":"GET /a/{agent_id}",
                                 "request_id":"request-1","status":503,"error":"busy","agent_id":"agent_1","caller":"key_1",
                                 "latency_ms":7,"read_units":1.5,"write_units":2.0,"throttles":3,"cold_start":true}
                                """));
    }

    @Test
    void a_metric_is_a_line_in_the_embedded_format_with_the_stack_as_a_dimension() {
        log.metric(Metric.SERVER_ERRORS, 1, "RegistryFunction");
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("{\"_aws\":");
        assertThat(lines())
                .containsExactly(
                        Json.stored(
                                """
                                {"_aws":{"Timestamp":1770544800000,"CloudWatchMetrics":[
                                  {"Namespace":"AgentHealth","Dimensions":[["Stack","Function"]],
                                   "Metrics":[{"Name":"ServerErrors","Unit":"Count"}]}]},
                                 "Stack":"a-stack","Function":"RegistryFunction","ServerErrors":1}
                                """));
    }

    @Test
    void metrics_with_the_same_timestamp_share_lines_where_possible() {
        log.metrics(new Metrics()
                .with(Metric.SWEEP_PASSES, 1)
                .with(Metric.AGENTS, 5, "active")
                .with(Metric.AGENTS, 7, "unhealthy")
                .withNonZero(Metric.TRANSITIONS, 2, "dead")
                .withNonZero(Metric.SWEEP_FAILURES, 0)
                .withNonZero(Metric.TRANSITIONS, 0, "unhealthy")
                .with(Metric.SWEEP_DURATION, 30));
        assertThat(lines())
                .containsExactly(
                        Json.stored(
                                """
                                {"_aws":{"Timestamp":1770544800000,"CloudWatchMetrics":[
                                  {"Namespace":"AgentHealth","Dimensions":[["Stack","To"]],
                                   "Metrics":[{"Name":"Transitions","Unit":"Count"}]},
                                  {"Namespace":"AgentHealth","Dimensions":[["Stack"]],
                                   "Metrics":[{"Name":"SweepPasses","Unit":"Count"},{"Name":"SweepDuration","Unit":"Milliseconds"}]},
                                  {"Namespace":"AgentHealth","Dimensions":[["Stack","Status"]],
                                   "Metrics":[{"Name":"Agents","Unit":"Count"}]}]},
                                 "Stack":"a-stack","To":"dead","Status":"active","Transitions":2,"SweepPasses":1,"SweepDuration":30,
                                 "Agents":5}
                                """),
                        Json.stored(
                                """
                                {"_aws":{"Timestamp":1770544800000,"CloudWatchMetrics":[
                                  {"Namespace":"AgentHealth","Dimensions":[["Stack","Status"]],
                                   "Metrics":[{"Name":"Agents","Unit":"Count"}]}]},
                                 "Stack":"a-stack","Status":"unhealthy","Agents":7}
                                """));
    }

    @Test
    void no_metric_writes_no_line() {
        log.metrics(new Metrics().withNonZero(Metric.SWEEP_FAILURES, 0));
        assertThat(lines()).isEmpty();
    }

    @Test
    void a_metric_requires_its_declared_dimension() {
        assertThatThrownBy(() -> log.metric(Metric.AGENTS, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> log.metric(Metric.HEARTBEATS, 1, "x")).isInstanceOf(IllegalArgumentException.class);
    }

    private List<JsonNode> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().map(Json::stored).toList();
    }
}
