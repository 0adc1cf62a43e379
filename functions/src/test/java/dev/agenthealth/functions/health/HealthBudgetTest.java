package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cost of reading health: few requests and no computation (Agent Health State §7). */
@Tag("AHS-14")
class HealthBudgetTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final HealthClient client = new HealthClient(system.api());
    private final Healths healths = new Healths(system);
    private final TestAgent agent = new TestAgent(system, "x".repeat(64));

    /** An agent with the maximum of stored data. */
    @BeforeEach
    void register() {
        String expectations =
                """
                "success_rate":0.987654321,"failures_per_hour":1.23456789,"runtime_ms":1234.56789,\
                "deviation_allowed":0.23456789,"full_confidence_executions":1000000,"long_running_threshold":1000000,\
                "sla_breach_threshold":1000000,"trigger_failure_threshold":1000000,"baseline_latency_ms":1234.56789,\
                "sla_ms":12345.6789,"window_seconds":604800\
                """;
        assertThat(agent.register(",\"agent_uri\":\"https://example.com/" + "u".repeat(2_000) + "\",\"personal\":false,"
                                + "\"model\":{\"name\":\"m\",\"changed_at\":\"2026-01-01T00:00:00Z\"},\"expectations\":{"
                                + expectations + "}")
                        .status())
                .isEqualTo(201);
        Map<OutcomeCounter, Long> counts = Arrays.stream(OutcomeCounter.values())
                .collect(Collectors.toMap(counter -> counter, counter -> 123_456_789L));
        healths.compute(agent, healths.measurement(agent, Healths.counts(counts), 1234.5678, 123456.789));
    }

    @Test
    void a_document_without_a_key_costs_one_request_of_one_read_unit() {
        for (Request request :
                List.of(client.ofAgent(agent.id()), client.ofHost().query("agent_id", agent.id()))) {
            assertCosts(request, 200, 1, 1);
        }
    }

    @Test
    void a_conditional_request_costs_the_same() {
        String tag = client.read(client.ofAgent(agent.id())).header("ETag");
        assertCosts(client.ofAgent(agent.id()).header("if-none-match", tag), 304, 1, 1);
    }

    @Test
    void a_request_by_host_costs_half_a_unit_more_and_the_registry_s_document_costs_less() {
        assertThat(system.api()
                        .put("/v1/admin/hosts/agent.example.com")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"agent_id\":\"" + agent.id() + "\"}")
                        .send()
                        .status())
                .isEqualTo(200);
        healths.computeRegistry(60, 0, system.clock().instant());
        assertCosts(client.ofHost().domain("agent.example.com"), 200, 1.5, 2);
        assertCosts(client.ofHost().domain("registry.example.com"), 200, 1, 2);
    }

    @Test
    void a_document_of_an_agent_without_outcomes_costs_half_a_unit_more() {
        TestAgent without = new TestAgent(system, "without");
        assertThat(without.register("").status()).isEqualTo(201);
        assertCosts(client.ofAgent(without.id()), 200, 1.5, 2);
    }

    @Test
    void a_request_for_an_unknown_agent_is_cheap() {
        assertCosts(client.ofAgent("never"), 404, 3, 3);
    }

    @Test
    void reads_write_nothing() {
        system.meter().reset();
        for (String key : List.of(TestSystem.AGENT_KEY, TestSystem.ADMINISTRATOR_KEY)) {
            client.read(client.ofAgent(agent.id()).key(key));
            client.read(client.ofHost().key(key));
        }
        assertThat(system.meter().writeUnits()).isZero();
        assertThat(system.meter().operations()).doesNotContain("Scan", "Query");
    }

    private void assertCosts(Request request, int status, double mostUnits, int requests) {
        system.meter().reset();
        assertThat(request.send().status()).isEqualTo(status);
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(mostUnits);
        assertThat(system.meter().writeUnits()).isZero();
        assertThat(system.meter().operations()).as("%s", system.meter().calls()).hasSizeLessThanOrEqualTo(requests);
    }
}
