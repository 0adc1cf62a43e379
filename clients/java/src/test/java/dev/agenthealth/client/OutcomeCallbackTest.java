package dev.agenthealth.client;

import static dev.agenthealth.client.ScriptedTransport.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.client.testing.ManualScheduler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who else sees the outcomes of an agent. */
class OutcomeCallbackTest {

    @Test
    void every_outcome_is_handed_to_the_callback_and_a_failing_callback_changes_nothing() {
        ScriptedTransport registry = new ScriptedTransport();
        registry.answers(answer(201, "{'agent_id':'a','incarnation':1,'version':1,'status':'active'}"));
        List<String> results = new ArrayList<>();
        AgentHealthClient client = AgentHealthClient.builder("http://registry.example")
                .apiKey("secret")
                .transport(registry)
                .scheduler(new ManualScheduler())
                .build();
        ManagedAgent agent = client.agent(Registration.of("a"))
                .onOutcome(outcome -> {
                    results.add(outcome.json().path("result").asText());
                    throw new IllegalStateException("full");
                })
                .start();

        agent.record(Outcome.success());
        agent.run(() -> {});
        agent.record(Outcome.failure(ErrorType.TIMEOUT));

        assertThat(results).containsExactly("success", "success", "failure");
        assertThat(agent.droppedOutcomes()).isZero();
    }
}
