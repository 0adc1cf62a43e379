package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.TestTables;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Which heartbeats are accepted (RFC-0016 §4.4, §11, Security Considerations). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HeartbeatAccessTest {

    @AutoClose
    private TestSystem system;

    private int agents;

    @BeforeAll
    void open() {
        system = new TestSystem();
    }

    @Test
    @Tag("R16-31")
    void a_heartbeat_without_a_key_gets_401() {
        Response response = system.api()
                .post(newAgent().heartbeatPath())
                .body(TestAgent.HEARTBEAT_BODY.formatted(system.clock().instant()))
                .send();
        assertProblem(response, 401, "unauthenticated");
        assertThat(response.header("WWW-Authenticate")).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "unknown key"})
    @Tag("R16-31")
    void an_unknown_key_gets_401(String key) {
        TestAgent agent = newAgent();
        assertProblem(sendHeartbeat(agent.id(), key), 401, "unauthenticated");
        assertThat(agent.pulse().heartbeatCount()).isZero();
    }

    @Test
    @Tag("R16-31")
    void an_unknown_key_gets_no_information_about_agents_or_fields() {
        assertProblem(sendHeartbeat("agent_unknown", "unknown key"), 401, "unauthenticated");
        Response malformed = system.api()
                .post(newAgent().heartbeatPath())
                .key("unknown key")
                .body("{\"status\":\"dead\"}")
                .send();
        assertProblem(malformed, 401, "unauthenticated");
        Response noId = system.api()
                .post("/api/v1/agents/-/heartbeat")
                .key("unknown key")
                .body("{}")
                .send();
        assertProblem(noId, 401, "unauthenticated");
    }

    @ParameterizedTest
    @ValueSource(strings = {TestSystem.OTHER_AGENT_KEY, TestSystem.COORDINATOR_KEY, TestSystem.ADMINISTRATOR_KEY})
    @Tag("R16-33")
    void only_the_owner_key_sends_heartbeats_for_an_agent(String key) {
        TestAgent agent = newAgent();
        assertProblem(sendHeartbeat(agent.id(), key), 403, "forbidden");
        assertThat(agent.pulse().heartbeatCount()).isZero();
    }

    @Test
    @Tag("R16-33")
    void only_the_owner_key_sends_heartbeats_for_an_unhealthy_dead_or_archived_agent() {
        TestAgent agent = newAgent();
        agent.becomeUnhealthy();
        assertProblem(sendHeartbeat(agent.id(), TestSystem.OTHER_AGENT_KEY), 403, "forbidden");
        assertThat(agent.events()).hasSize(2);
        agent.becomeDead();
        assertProblem(sendHeartbeat(agent.id(), TestSystem.OTHER_AGENT_KEY), 403, "forbidden");
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertProblem(sendHeartbeat(agent.id(), TestSystem.OTHER_AGENT_KEY), 403, "forbidden");
        assertProblem(sendHeartbeat(agent.id(), "unknown key"), 401, "unauthenticated");
    }

    @Test
    @Tag("R16-10")
    void an_unknown_agent_is_not_found() {
        assertProblem(sendHeartbeat("agent_unknown", TestSystem.AGENT_KEY), 404, "agent_not_found");
    }

    @Test
    @Tag("R16-13")
    void a_heartbeat_of_a_dead_agent_gets_410_until_it_registers_again() {
        TestAgent agent = newAgent();
        agent.becomeDead();
        int events = agent.events().size();
        for (String status : new String[] {"active", "draining"}) {
            Response response = agent.sendHeartbeat(status, ",\"current_load\":1,\"tasks_in_progress\":[\"t\"]");
            assertProblem(response, 410, "agent_gone");
            assertThat(response.json().get("detail").textValue())
                    .contains("dead")
                    .contains("register again");
        }
        assertThat(agent.events()).hasSize(events);
        assertThat(agent.pulse().heartbeatCount()).isZero();
        assertThat(agent.register("").status()).isEqualTo(201);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
    }

    @Test
    @Tag("R16-13")
    void a_heartbeat_of_a_deregistered_agent_gets_410_until_it_registers_again() {
        TestAgent agent = newAgent();
        assertThat(agent.deregister().status()).isEqualTo(204);
        Response response = agent.sendHeartbeat();
        assertProblem(response, 410, "agent_gone");
        assertThat(response.json().get("detail").textValue()).contains("deregistered");
        assertThat(agent.register("").status()).isEqualTo(201);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
    }

    @Test
    @Tag("R16-13")
    void a_heartbeat_of_an_archived_agent_gets_410() {
        TestAgent agent = newAgent();
        agent.deregister();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertProblem(agent.sendHeartbeat(), 410, "agent_gone");
        assertThat(agent.register("").status()).isEqualTo(201);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        assertThat(agent.changes())
                .containsExactly(
                        "registering->active registered",
                        "active->deregistered deregistered",
                        "deregistered->active re_registered");
        agent.assertHistoryIsWhole("archived and registered again");
    }

    @Test
    @Tag("R16-33")
    void heartbeats_with_a_revoked_key_are_refused_once_the_credential_is_cleared() {
        system.addKey("leaked key", Role.AGENT, Set.of());
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key("leaked key")
                        .body("{\"agent_id\":\"agent_leaked\"}")
                        .send()
                        .status())
                .isEqualTo(201);
        assertThat(sendHeartbeat("agent_leaked", "leaked key").status()).isEqualTo(200);
        assertProblem(sendHeartbeat("unknown agent", "leaked key"), 400, "invalid_request");
        assertThat(new KeyStore(system.database()).revoke("key-leaked key")).isTrue();
        clearCredential("agent_leaked");
        // The key is cached, but looked up where it is not the one on the row.
        assertProblem(sendHeartbeat("agent_leaked", "leaked key"), 401, "unauthenticated");
        assertProblem(sendHeartbeat("agent_leaked", TestSystem.AGENT_KEY), 403, "forbidden");
    }

    private void clearCredential(String agentId) {
        system.dynamoDb().updateItem(r -> r.tableName(TestTables.PULSES)
                .key(Map.of("id", AttributeValue.fromS(agentId)))
                .updateExpression("REMOVE k"));
    }

    private Response sendHeartbeat(String agentId, String key) {
        return system.api()
                .post("/api/v1/agents/" + agentId + "/heartbeat")
                .key(key)
                .body(TestAgent.HEARTBEAT_BODY.formatted(system.clock().instant()))
                .send();
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "agent_" + agents++);
    }

    private static void assertProblem(Response response, int status, String error) {
        assertThat(response.status()).isEqualTo(status);
        assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(response.json().get("status").intValue()).isEqualTo(status);
        assertThat(response.json().get("error").textValue()).isEqualTo(error);
    }
}
