package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.MeasurementFunction;
import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The metrics of tokens and calls in the format of Prometheus. */
class UsageMetricsTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final OutcomeClient client = new OutcomeClient(system);
    private final TestAgent agent = TestAgent.registered(system, "spender");
    private final MeasurementFunction measurement = new MeasurementFunction(system.wiring(Map.of()));
    private int batches;

    @BeforeEach
    void count() {
        system.sweep().passes(TestContext.of("SweepFunction"));
    }

    private void use(String usage) {
        batches++;
        assertThat(client.report(agent, "b-" + batches, "{\"result\":\"success\",\"usage\":{" + usage + "}}")
                        .status())
                .isEqualTo(202);
    }

    private List<String> lines() {
        measurement.handleRequest(Map.of(), null);
        return system.api()
                .get("/metrics")
                .key(TestSystem.COORDINATOR_KEY)
                .send()
                .text()
                .lines()
                .filter(line -> line.contains("usage_today"))
                .toList();
    }

    @Test
    void the_numbers_of_the_day_are_shown_by_provider_and_by_role() {
        assertThat(lines()).as("before any usage").isEmpty();
        use("\"input_tokens\":900,\"output_tokens\":100,\"model_calls\":3,\"model\":\"gpt-5\",\"provider\":\"openai\"");
        use("\"input_tokens\":50,\"model\":\"gpt-5-mini\",\"provider\":\"openai\"");
        use("\"input_tokens\":7");
        assertThat(lines())
                .contains(
                        "agent_health_provider_usage_today{provider=\"openai\",counter=\"input_tokens\"} 950",
                        "agent_health_provider_usage_today{provider=\"openai\",counter=\"model_calls\"} 3",
                        "agent_health_provider_usage_today{provider=\"_unknown\",counter=\"input_tokens\"} 7",
                        "agent_health_role_usage_today{role=\"worker\",counter=\"input_tokens\"} 957",
                        "agent_health_role_usage_today{role=\"worker\",counter=\"output_tokens\"} 100");
        system.clock().advance(Duration.ofDays(1));
        assertThat(lines()).as("on the next day").isEmpty();
    }

    @Test
    void a_name_that_breaks_the_format_and_further_providers_count_as_other() {
        use("\"input_tokens\":5000,\"provider\":\"a\\\"} 1\"");
        for (int i = 0; i < UsageMetrics.MAX_PROVIDERS + 3; i++) {
            use("\"input_tokens\":" + (1_000 - i) + ",\"provider\":\"provider-" + i + "\"");
        }
        List<String> tokens = lines().stream()
                .filter(line -> line.startsWith("agent_health_provider_usage_today")
                        && line.contains("counter=\"input_tokens\""))
                .toList();
        assertThat(tokens).hasSize(UsageMetrics.MAX_PROVIDERS);
        assertThat(tokens)
                .contains("agent_health_provider_usage_today{provider=\"_other\",counter=\"input_tokens\"} "
                        + (5_000 + 991 + 990 + 989 + 988));
    }
}
