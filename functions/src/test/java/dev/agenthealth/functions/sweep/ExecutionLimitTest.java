package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.MeasurementFunction;
import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits that count executions, also executions without usage. */
class ExecutionLimitTest {

    private static final String HOURLY = "\"executions_per_hour\":10";

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final TestSystem system = harness.system();
    private final OutcomeClient client = new OutcomeClient(system);
    private final MeasurementFunction measurement = new MeasurementFunction(system.wiring(Map.of()));
    private final TestAgent agent = new TestAgent(system, "worker-1");
    private int batches;

    @BeforeEach
    void registerInTheMiddleOfAnHour() {
        system.clock().advanceSeconds(1_800);
        register(agent, "");
    }

    private static void register(TestAgent one, String fields) {
        assertThat(one.register(fields).status()).isEqualTo(201);
        one.sendHeartbeat();
    }

    private void declare(String holder, String limits) {
        Response answer =
                switch (holder) {
                    case "agent" -> agent.change("{\"expectations\":{\"limits\":{" + limits + "}}}");
                    case "role" ->
                        system.api()
                                .put("/api/v1/workflows/coding")
                                .key(TestSystem.ADMINISTRATOR_KEY)
                                .body("{\"agents\":{\"worker\":{\"limits\":{" + limits + "}}}}")
                                .send();
                    default ->
                        system.api()
                                .patch("/v1/admin/keys/" + agent.pulse().owner().keyId())
                                .key(TestSystem.ADMINISTRATOR_KEY)
                                .body("{\"limits\":{" + limits + "}}")
                                .send();
                };
        assertThat(answer.status()).as(answer.text()).isLessThan(300);
    }

    private void report(TestAgent one, String... outcomes) {
        assertThat(client.report(one, "b-" + ++batches, outcomes).status()).isEqualTo(202);
    }

    private void measureAndSweep() {
        system.clock().advanceSeconds(1);
        measurement.handleRequest(Map.of(), null);
        harness.sweep();
    }

    private List<String> reasons() {
        measureAndSweep();
        JsonNode rows = system.api()
                .get("/api/v1/agents")
                .query("status", "active")
                .key(TestSystem.COORDINATOR_KEY)
                .send()
                .json()
                .get("agents");
        List<String> reasons = new ArrayList<>();
        for (JsonNode row : rows) {
            if (row.get("agent_id").textValue().equals(agent.id())) {
                row.get("reasons").forEach(reason -> reasons.add(reason.textValue()));
            }
        }
        return reasons;
    }

    private long executions(String by, String id) {
        JsonNode total = system.api()
                .get("/api/v1/usage")
                .query("by", by)
                .query(by + "_id", id)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .get("total");
        return total.get("executions").longValue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent", "role", "owner"})
    void a_limit_counts_executions_without_usage_also_before_its_declaration(String holder) {
        report(agent, OutcomeClient.times(7, OutcomeClient.SUCCESS));
        assertThat(reasons()).isEmpty();
        assertThat(executions("agent", agent.id())).isZero();
        declare(holder, HOURLY);
        report(agent, OutcomeClient.SUCCESS);
        assertThat(reasons()).containsExactly("near_limit");
        report(agent, "{\"result\":\"success\",\"usage\":{\"input_tokens\":5}}", OutcomeClient.SUCCESS);
        assertThat(reasons()).containsExactly("over_limit");
        assertThat(executions("agent", agent.id())).isEqualTo(10);
        assertThat(executions("role", "worker")).isEqualTo(10);
        measureAndSweep();
        measureAndSweep();
        assertThat(executions("role", "worker")).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"role", "owner"})
    void a_shared_limit_counts_the_executions_of_all_agents(String holder) {
        declare(holder, HOURLY);
        TestAgent second = new TestAgent(system, "worker-2");
        register(second, "");
        report(agent, OutcomeClient.times(5, OutcomeClient.SUCCESS));
        report(second, OutcomeClient.times(5, "{\"result\":\"failure\",\"error_type\":\"timeout\"}"));
        assertThat(reasons()).containsExactly("over_limit");
    }

    @Test
    void repeated_batches_and_failed_triggers_do_not_count() {
        declare("role", HOURLY);
        for (int i = 0; i < 3; i++) {
            client.report(agent, "same", OutcomeClient.times(4, OutcomeClient.SUCCESS));
            measureAndSweep();
        }
        report(agent, OutcomeClient.times(6, "{\"result\":\"trigger_failure\"}"));
        assertThat(reasons()).doesNotContain("near_limit", "over_limit");
        assertThat(executions("agent", agent.id())).isEqualTo(4);
    }

    @Test
    void a_slice_of_several_hours_keeps_the_hours_apart() {
        TestAgent weekly = new TestAgent(system, "a-weekly");
        register(weekly, ",\"expectations\":{\"window_seconds\":604800}");
        declare("role", "\"executions_per_hour\":100");
        Instant hourAgo = system.clock().instant().minusSeconds(3_600);
        String earlier = "{\"result\":\"success\",\"occurred_at\":\"" + Timestamps.text(hourAgo) + "\"}";
        report(weekly, OutcomeClient.times(3, earlier));
        report(weekly, OutcomeClient.times(2, OutcomeClient.SUCCESS));
        measureAndSweep();
        JsonNode points = system.api()
                .get("/api/v1/usage")
                .query("by", "agent")
                .query("agent_id", weekly.id())
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .at("/series/0/points");
        assertThat(points)
                .extracting(point -> point.get("executions").longValue())
                .containsExactly(3L, 2L);
    }

    @Test
    void without_a_limit_of_executions_no_hour_is_written() {
        declare("role", "\"tokens_per_hour\":1000");
        report(agent, OutcomeClient.times(20, OutcomeClient.SUCCESS));
        assertThat(reasons()).isEmpty();
        assertThat(executions("agent", agent.id())).isZero();
    }
}
