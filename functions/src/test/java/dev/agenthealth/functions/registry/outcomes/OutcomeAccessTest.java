package dev.agenthealth.functions.registry.outcomes;

import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.SUCCESS;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.assertAccepted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The keys that may report outcomes of an agent, and the source under which these are counted. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHS-08")
class OutcomeAccessTest {

    private static final String COORDINATOR_OF_WORKERS = "coordinator-of-workers";
    private static final String COORDINATOR_OF_OTHERS = "coordinator-of-others";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final OutcomeClient client = new OutcomeClient(system);
    private int agents;

    @BeforeAll
    void addKeys() {
        system.addKey(COORDINATOR_OF_WORKERS, Role.COORDINATOR, Set.of("worker"));
        system.addKey(COORDINATOR_OF_OTHERS, Role.COORDINATOR, Set.of("other"));
    }

    @Test
    void without_a_valid_key_no_outcome_is_stored() {
        TestAgent agent = newAgent();
        for (String key : new String[] {"", "unknown-key"}) {
            assertThat(client.report(key, agent, "b-1", SUCCESS).status()).isEqualTo(401);
            assertThat(client.send(key, "unknown", "{}").status()).isEqualTo(401);
            assertThat(client.send(key, "no~id", "{").status()).isEqualTo(401);
        }
        assertThat(client.stored(agent).parts()).isEmpty();
    }

    @Test
    void keys_of_other_agents_and_roles_are_refused() {
        TestAgent agent = newAgent();
        for (String key : new String[] {TestSystem.OTHER_AGENT_KEY, COORDINATOR_OF_OTHERS}) {
            Response response = client.report(key, agent, "b-1", SUCCESS);
            assertThat(response.status()).isEqualTo(403);
            assertThat(response.json().path("error").textValue()).isEqualTo("forbidden");
        }
        assertThat(client.stored(agent).parts()).isEmpty();
    }

    @Test
    void an_unknown_agent_has_no_outcomes() {
        TestAgent unknown = new TestAgent(system, "unknown");
        for (String key : new String[] {TestSystem.AGENT_KEY, TestSystem.ADMINISTRATOR_KEY}) {
            assertThat(client.report(key, unknown, "b-1", SUCCESS).status()).isEqualTo(404);
        }
        assertThat(client.stored(unknown).parts()).isEmpty();
    }

    @Test
    void self_reports_and_reports_of_others_are_counted_separately() {
        TestAgent agent = newAgent();
        String failure = "{\"result\":\"failure\"}";
        assertAccepted(client.report(agent, "b-1", SUCCESS, SUCCESS, failure), 3, false);
        assertAccepted(client.report(TestSystem.COORDINATOR_KEY, agent, "b-1", SUCCESS, failure), 2, false);
        assertAccepted(client.report(COORDINATOR_OF_WORKERS, agent, "b-1", failure), 1, false);
        assertAccepted(client.report(TestSystem.ADMINISTRATOR_KEY, agent, "b-1", failure), 1, false);
        assertAccepted(client.report(COORDINATOR_OF_WORKERS, agent, "b-1", failure), 1, true);
        OutcomeCounts counts = client.stored(agent).total();
        assertThat(counts.get(OutcomeCounter.SELF_SUCCESSES)).isEqualTo(2);
        assertThat(counts.get(OutcomeCounter.SELF_FAILURES)).isEqualTo(1);
        assertThat(counts.get(OutcomeCounter.COORDINATOR_SUCCESSES)).isEqualTo(1);
        assertThat(counts.get(OutcomeCounter.COORDINATOR_FAILURES)).isEqualTo(3);
        assertThat(counts.get(OutcomeCounter.GATEWAY_SUCCESSES)).isZero();
        assertThat(counts.get(OutcomeCounter.GATEWAY_FAILURES)).isZero();
    }

    @Test
    void outcomes_from_the_owner_key_count_as_self_reported() {
        Map<String, String> owners =
                Map.of(COORDINATOR_OF_WORKERS, "", TestSystem.ADMINISTRATOR_KEY, ",\"owner_key_id\":\"administrator\"");
        for (String key : owners.keySet()) {
            TestAgent agent = new TestAgent(system, "agent_" + agents++);
            assertThat(system.api()
                            .post("/api/v1/agents")
                            .key(key)
                            .body("{\"agent_id\":\"" + agent.id() + "\",\"role_id\":\"worker\"" + owners.get(key) + "}")
                            .send()
                            .status())
                    .isEqualTo(201);
            assertAccepted(client.report(key, agent, "b-1", SUCCESS), 1, false);
            assertThat(client.stored(agent).total().get(OutcomeCounter.SELF_SUCCESSES))
                    .isEqualTo(1);
        }
    }

    @Test
    void outcomes_of_deregistered_dead_and_archived_agents_are_accepted() {
        TestAgent deregistered = newAgent();
        deregistered.deregister();
        TestAgent dead = newAgent();
        dead.becomeDead();
        TestAgent archived = newAgent();
        archived.deregister();
        archived.finishCleanUp();
        assertThat(archived.archive()).isTrue();
        for (TestAgent agent : new TestAgent[] {deregistered, dead, archived}) {
            assertAccepted(client.report(agent, "b-1", SUCCESS), 1, false);
            assertAccepted(client.report(TestSystem.COORDINATOR_KEY, agent, "b-1", SUCCESS), 1, false);
            assertThat(client.report(TestSystem.OTHER_AGENT_KEY, agent, "b-2", SUCCESS)
                            .status())
                    .isEqualTo(403);
            assertThat(client.stored(agent).total().executions()).isEqualTo(2);
            assertThat(agent.pulse().status().hasEnded()).isTrue();
        }
    }

    @Test
    void outcomes_of_an_agent_with_an_expired_tombstone_are_refused() {
        TestAgent archived = newAgent();
        archived.deregister();
        archived.finishCleanUp();
        archived.archive();
        system.clock().advance(Duration.ofDays(401));
        assertThat(client.report(archived, "b-1", SUCCESS).status()).isEqualTo(404);
        assertThat(client.stored(archived).parts()).isEmpty();
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "agent_" + agents++);
    }
}
