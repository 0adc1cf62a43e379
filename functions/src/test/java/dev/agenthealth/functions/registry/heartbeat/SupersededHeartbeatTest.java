package dev.agenthealth.functions.registry.heartbeat;

import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.SUCCESS;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.batch;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.testkit.RequestMeter.Call;
import dev.agenthealth.testkit.TestDynamoDb;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Heartbeats of a process that was replaced: it learns that it must stop, which is not the same as registering again. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-10")
@Tag("R16-13")
class SupersededHeartbeatTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final OutcomeClient outcomes = new OutcomeClient(system);
    private int agents;

    /** States of the second incarnation. */
    private enum State {
        ACTIVE(agent -> {}),
        UNHEALTHY(TestAgent::becomeUnhealthy),
        DRAINING(agent -> agent.sendHeartbeat("draining", ",\"current_load\":1")),
        DEAD(TestAgent::becomeDead),
        DEREGISTERED(TestAgent::deregister),
        ARCHIVED(agent -> {
            agent.deregister();
            agent.finishCleanUp();
            assertThat(agent.archive()).isTrue();
        });

        private final Consumer<TestAgent> enter;

        State(Consumer<TestAgent> enter) {
            this.enter = enter;
        }

        boolean isGone() {
            return compareTo(DEAD) >= 0;
        }
    }

    @Test
    void registration_and_every_answer_to_a_heartbeat_carry_the_incarnation() {
        TestAgent agent = new TestAgent(system, "agent_shown");
        for (int incarnation = 1; incarnation <= 2; incarnation++) {
            assertThat(agent.register("").json().get("incarnation").intValue()).isEqualTo(incarnation);
            assertThat(incarnationIn(agent.sendHeartbeat())).isEqualTo(incarnation);
            assertThat(incarnationIn(agent.send("")))
                    .as("heartbeat without details")
                    .isEqualTo(incarnation);
            assertThat(sendBatch("{\"agent_id\":\"agent_shown\"}")
                            .get("incarnation")
                            .intValue())
                    .isEqualTo(incarnation);
            agent.becomeUnhealthy();
            assertThat(incarnationIn(agent.sendHeartbeat())).as("recovery").isEqualTo(incarnation);
            assertThat(incarnationIn(agent.sendHeartbeat("draining", ",\"current_load\":1")))
                    .as("start of a drain")
                    .isEqualTo(incarnation);
            agent.deregister();
        }
    }

    @Test
    @Tag("SYS-01")
    void naming_the_current_incarnation_costs_nothing() {
        TestAgent agent = replaced();
        system.meter().reset();
        assertThat(agent.sendHeartbeat("active", ",\"incarnation\":2").status()).isEqualTo(200);
        assertThat(system.meter().calls()).containsExactly(new Call("UpdateItem", 1, 0));
    }

    @ParameterizedTest
    @EnumSource
    void the_replaced_process_is_refused_in_every_state_of_its_successor(State state) {
        TestAgent agent = replaced();
        state.enter.accept(agent);
        Pulse before = agent.pulse();
        for (String status : new String[] {"active", "draining"}) {
            Response refused = agent.sendHeartbeat(status, ",\"incarnation\":1,\"current_load\":9");
            assertThat(refused.status()).isEqualTo(410);
            assertThat(refused.json().get("error").textValue()).isEqualTo("superseded");
            assertThat(refused.json().get("detail").textValue()).contains("must not register again");
        }
        assertThat(agent.pulse()).isEqualTo(before);
        Response current = agent.sendHeartbeat("active", ",\"incarnation\":2");
        assertThat(current.status()).isEqualTo(state.isGone() ? 410 : 200);
        assertThat(current.json().path("error").asText()).isEqualTo(state.isGone() ? "agent_gone" : "");
    }

    @Test
    void an_incarnation_that_does_not_exist_yet_is_refused_as_well() {
        assertSuperseded(replaced().sendHeartbeat("active", ",\"incarnation\":3"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "\"1\"", "true", "1e30", "[1]"})
    void an_incarnation_that_is_no_positive_number_is_a_warning(String incarnation) {
        TestAgent agent = replaced();
        Response answer = agent.sendHeartbeat("active", ",\"incarnation\":" + incarnation);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("warnings").findValuesAsText("field")).containsExactly("incarnation");
        assertThat(agent.pulse().heartbeatCount()).isOne();
    }

    @Test
    @Tag("R16-33")
    void another_key_does_not_learn_which_incarnation_is_current() {
        TestAgent agent = replaced();
        Response refused = system.api()
                .post(agent.heartbeatPath())
                .key(TestSystem.OTHER_AGENT_KEY)
                .body(
                        """
                        {"status":"active","incarnation":1,"client_timestamp":"2026-02-08T10:00:00Z"}\
                        """)
                .send();
        assertThat(refused.status()).isEqualTo(403);
    }

    @Test
    @Tag("AHS-08")
    void outcomes_of_the_replaced_process_are_taken() {
        TestAgent agent = replaced();
        Response refused = agent.sendHeartbeat("active", ",\"incarnation\":1," + batch("last-words", SUCCESS));
        assertSuperseded(refused);
        assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(refused.json().at("/outcomes/status_code").intValue()).isEqualTo(202);
        assertThat(refused.json().at("/outcomes/accepted").intValue()).isEqualTo(1);
        assertThat(successes(agent)).isEqualTo(1);
        assertThat(agent.pulse().heartbeatCount()).isZero();
    }

    @Test
    @Tag("AHS-08")
    void a_part_of_a_batch_is_superseded_alone_and_its_outcomes_are_taken() {
        TestAgent old = replaced();
        JsonNode result = sendBatch("{\"agent_id\":\"" + old.id()
                + "\",\"status\":\"active\",\"client_timestamp\":\"2026-02-08T10:00:00Z\",\"incarnation\":1,"
                + batch("last-words", SUCCESS) + "}");
        assertThat(result.get("status_code").intValue()).isEqualTo(410);
        assertThat(result.get("error").textValue()).isEqualTo("superseded");
        assertThat(result.at("/outcomes/accepted").intValue()).isEqualTo(1);
        assertThat(successes(old)).isEqualTo(1);
    }

    @Test
    @Tag("R16-12")
    void a_process_that_is_replaced_while_its_heartbeat_is_handled_does_not_revive_its_successor() {
        TestAgent agent = TestAgent.registered(system, "agent_raced");
        agent.becomeUnhealthy();
        AtomicBoolean once = new AtomicBoolean(true);
        TestApi racing = system.apiThrough(new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest && once.getAndSet(false)) {
                agent.deregister();
                assertThat(agent.register("").status()).isEqualTo(201);
            }
        }));
        assertSuperseded(agent.sendHeartbeat(racing, "active", ",\"incarnation\":1"));
        assertThat(once).isFalse();
        assertThat(agent.pulse().heartbeatCount()).isZero();
        agent.assertHistoryIsWhole("replaced between the reading and the writing of a recovery");
    }

    private static void assertSuperseded(Response response) {
        assertThat(response.status()).as(response.text()).isEqualTo(410);
        assertThat(response.json().get("error").textValue()).isEqualTo("superseded");
    }

    private static int incarnationIn(Response response) {
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json().get("incarnation").intValue();
    }

    private JsonNode sendBatch(String part) {
        return system.api()
                .post("/api/v1/heartbeats")
                .key(TestSystem.AGENT_KEY)
                .body("{\"heartbeats\":[" + part + "]}")
                .send()
                .json()
                .at("/results/0");
    }

    private long successes(TestAgent agent) {
        return outcomes.stored(agent).total().get(OutcomeCounter.SELF_SUCCESSES);
    }

    /** An agent of the second incarnation. */
    private TestAgent replaced() {
        TestAgent agent = TestAgent.registered(system, "agent_" + agents++);
        agent.deregister();
        assertThat(agent.register("").status()).isEqualTo(201);
        return agent;
    }
}
