package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.upstreams.UpstreamStore;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.upstream.UpstreamError;
import dev.agenthealth.model.registry.upstream.UpstreamFigures;
import dev.agenthealth.model.registry.upstream.UpstreamProblem;
import dev.agenthealth.model.registry.upstream.UpstreamRule;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Failed calls of agents whose model provider fails for many agents are no evidence for their reputation. */
class SharedCauseTest {

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    @Test
    void failures_during_the_problem_of_the_provider_count_for_the_status_and_not_for_the_reputation() {
        gateway.agent("a", gateway.server().plays(Script.status(503)));
        gateway.agent("b", gateway.server().plays(Script.status(503)));
        UpstreamProblem problem = problem("a");
        put(new UpstreamRule.Change(Optional.empty(), Optional.of(problem)));
        for (int i = 0; i < 3; i++) {
            invoke("a");
            invoke("b");
        }
        assertThat(gateway.outcomes("a").executions()).isEqualTo(3);
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(3);
        assertThat(gateway.reputation("a")).isEqualTo(0.5);
        assertThat(gateway.reputation("b"))
                .as("an agent that the problem does not concern")
                .isLessThan(0.5);
        put(new UpstreamRule.Change(Optional.of(problem), Optional.empty()));
        invoke("a");
        assertThat(gateway.outcomes("a").executions()).isEqualTo(4);
        assertThat(gateway.reputation("a")).as("after the problem").isLessThan(0.5);
    }

    private UpstreamProblem problem(String agentId) {
        Instant now = gateway.system().clock().instant();
        UpstreamFigures figures =
                new UpstreamFigures(List.of(new UpstreamFigures.Part("gpt-5", UpstreamError.UNAVAILABLE, 5, 9)));
        return new UpstreamProblem(
                "openai",
                now,
                new UpstreamProblem.Counts(5, 5, 2, 5, figures),
                Set.of(UpstreamProblem.numberOf(agentId)));
    }

    private void put(UpstreamRule.Change change) {
        assertThat(new UpstreamStore(gateway.system().database())
                        .put(change, gateway.system().clock().instant()))
                .isTrue();
    }

    private void invoke(String agentId) {
        int status = gateway.api()
                .post("/v1/agents/" + agentId + "/invoke")
                .key(TestSystem.COORDINATOR_KEY)
                .body(GatewayHarness.HELLO)
                .send()
                .status();
        assertThat(status).isGreaterThanOrEqualTo(500);
    }
}
