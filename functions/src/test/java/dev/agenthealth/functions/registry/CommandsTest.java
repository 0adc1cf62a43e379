package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestDynamoDb;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Pending commands can be read and withdrawn, and the events of a drain say who requested it (RFC-0016 §5.3). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-14")
class CommandsTest {

    private static final String COORDINATOR_ID = TestSystem.keyId(TestSystem.COORDINATOR_KEY);
    private static final String COMMAND =
            """
                    {"command":"drain","reason":"maintenance_window","drain_timeout_seconds":77}\
                    """;

    @AutoClose
    private TestSystem system;

    private RegistryClient client;

    @BeforeAll
    void open() {
        system = new TestSystem();
        client = new RegistryClient(system);
    }

    @Test
    void pending_commands_can_be_read_until_the_drain_begins() {
        TestAgent agent = client.newAgent("");
        assertThat(list(TestSystem.AGENT_KEY, agent).text()).isEqualTo("{\"commands\":[]}");
        JsonNode queued = send(agent).json();
        for (String key : List.of(TestSystem.AGENT_KEY, TestSystem.COORDINATOR_KEY, TestSystem.ADMINISTRATOR_KEY)) {
            Response read = list(key, agent);
            assertThat(read.status()).isEqualTo(200);
            assertThat(read.json().get("commands")).containsExactly(queued);
        }
        assertThat(queued.toString())
                .isEqualTo("{\"command\":\"drain\",\"reason\":\"maintenance_window\",\"drain_timeout_seconds\":77,"
                        + "\"status\":\"pending\",\"requested_by\":\"" + COORDINATOR_ID + "\"}");
        agent.sendHeartbeat("draining", ",\"current_load\":1");
        assertThat(list(TestSystem.COORDINATOR_KEY, agent).json().get("commands"))
                .isEmpty();
    }

    @Test
    void a_restart_is_pending_until_the_process_registers_anew() {
        TestAgent agent = client.newAgent("");
        String restart =
                """
                {"command":"restart","reason":"hangs","drain_timeout_seconds":60}\
                """;
        Response refused = post(TestSystem.AGENT_KEY, agent, restart);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().path("detail").textValue()).contains("restart_when_stalled");
        for (String key : List.of(TestSystem.COORDINATOR_KEY, TestSystem.ADMINISTRATOR_KEY)) {
            assertThat(post(key, agent, restart).status()).isEqualTo(202);
        }
        for (int i = 0; i < 2; i++) {
            assertThat(agent.sendHeartbeat().json().get("pending_commands").toString())
                    .isEqualTo("[" + restart + "]");
        }
        agent.register(",\"replace\":true");
        assertThat(agent.sendHeartbeat().json().get("pending_commands")).isEmpty();
    }

    @Test
    void a_restart_is_withdrawn_as_a_drain_is_and_over_when_the_drain_begins() {
        TestAgent agent = client.newAgent("");
        post(TestSystem.COORDINATOR_KEY, agent, "{\"command\":\"restart\"}");
        assertThat(withdraw(TestSystem.COORDINATOR_KEY, agent).status()).isEqualTo(204);
        assertThat(list(TestSystem.AGENT_KEY, agent).json().get("commands")).isEmpty();
        post(TestSystem.COORDINATOR_KEY, agent, "{\"command\":\"restart\",\"reason\":\"hangs\"}");
        agent.sendHeartbeat("draining", ",\"current_load\":1");
        assertThat(list(TestSystem.AGENT_KEY, agent).json().get("commands")).isEmpty();
        assertThat(agent.events().get(1).get("drain_reason").textValue()).isEqualTo("hangs");
    }

    @Test
    void a_later_command_takes_the_place_of_a_restart() {
        TestAgent agent = client.newAgent("");
        post(TestSystem.COORDINATOR_KEY, agent, "{\"command\":\"restart\"}");
        JsonNode drain = send(agent).json();
        assertThat(list(TestSystem.AGENT_KEY, agent).json().get("commands")).containsExactly(drain);
    }

    private Response post(String key, TestAgent agent, String body) {
        return system.api()
                .post("/api/v1/agents/" + agent.id() + "/commands")
                .key(key)
                .body(body)
                .send();
    }

    @Test
    void a_withdrawn_command_reaches_no_heartbeat() {
        TestAgent agent = client.newAgent("");
        send(agent);
        assertThat(agent.sendHeartbeat().json().get("pending_commands")).hasSize(1);
        for (int i = 0; i < 2; i++) {
            Response withdrawn = withdraw(TestSystem.ADMINISTRATOR_KEY, agent);
            assertThat(withdrawn.status()).as("also where none is pending").isEqualTo(204);
            assertThat(withdrawn.text()).isEmpty();
        }
        assertThat(agent.sendHeartbeat().json().get("pending_commands")).isEmpty();
        assertThat(list(TestSystem.AGENT_KEY, agent).json().get("commands")).isEmpty();
        agent.drain(system.api());
        JsonNode start = agent.events().get(1);
        assertThat(start.has("drain_reason")).isFalse();
        assertThat(start.get("requested_by").textValue()).isEqualTo(TestSystem.keyId(TestSystem.AGENT_KEY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"draining", "dead", "deregistered"})
    void a_command_cannot_be_withdrawn_once_the_drain_began(String status) {
        TestAgent agent = client.newAgent("");
        send(agent);
        switch (status) {
            case "draining" -> agent.sendHeartbeat("draining", ",\"current_load\":1");
            case "dead" -> agent.becomeDead();
            default -> agent.deregister();
        }
        TableContents before = TableContents.of(system.tables());
        Response refused = withdraw(TestSystem.COORDINATOR_KEY, agent);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().get("error").textValue()).isEqualTo("transition_not_allowed");
        assertThat(refused.json().get("detail").textValue()).contains(status);
        assertThat(TableContents.of(system.tables())).isEqualTo(before);
        assertThat(list(TestSystem.COORDINATOR_KEY, agent).json().get("commands"))
                .isEmpty();
    }

    @Test
    void a_drain_that_begins_meanwhile_is_not_withdrawn() {
        TestAgent agent = client.newAgent("");
        send(agent);
        AtomicBoolean once = new AtomicBoolean();
        TestApi slow = system.apiThrough(new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest && once.compareAndSet(false, true)) {
                agent.sendHeartbeat("draining", ",\"current_load\":1");
            }
        }));
        assertThat(slow.delete(path(agent) + "/drain")
                        .key(TestSystem.COORDINATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(409);
        assertThat(agent.pulse().drain().reason()).isEqualTo("maintenance_window");
    }

    @Test
    @Tag("R16-35")
    void commands_of_other_agents_are_hidden() {
        TestAgent agent = client.newAgent("");
        send(agent);
        assertThat(list(TestSystem.OTHER_AGENT_KEY, agent).status()).isEqualTo(403);
        assertThat(withdraw(TestSystem.OTHER_AGENT_KEY, agent).status()).isEqualTo(403);
        TestAgent unknown = new TestAgent(system, "unknown");
        assertThat(list(TestSystem.ADMINISTRATOR_KEY, unknown).status()).isEqualTo(404);
        assertThat(withdraw(TestSystem.ADMINISTRATOR_KEY, unknown).status()).isEqualTo(404);
        assertThat(agent.sendHeartbeat().json().get("pending_commands")).hasSize(1);
    }

    @Test
    @Tag("R16-03")
    @Tag("R16-19")
    void the_events_of_a_drain_say_why_and_who_requested_it() {
        TestAgent agent = client.newAgent("");
        send(agent);
        agent.sendHeartbeat("draining", ",\"current_load\":1");
        agent.sendHeartbeat("draining", ",\"current_load\":0");
        assertThat(agent.changes()).hasSize(3);
        assertThat(agent.events().subList(1, 3)).allSatisfy(event -> {
            assertThat(event.get("drain_reason").textValue()).isEqualTo("maintenance_window");
            assertThat(event.get("requested_by").textValue()).isEqualTo(COORDINATOR_ID);
        });
        assertThat(agent.events().get(0).has("requested_by")).isFalse();
    }

    @Test
    @Tag("R16-03")
    void a_drain_by_another_key_than_the_commands_names_that_key() {
        TestAgent agent = client.newAgent("");
        send(agent);
        client.patchStatus(TestSystem.ADMINISTRATOR_KEY, agent.id(), "*", "{\"status\":\"draining\"}");
        JsonNode start = agent.events().get(1);
        assertThat(start.get("drain_reason").textValue()).isEqualTo("maintenance_window");
        assertThat(start.get("requested_by").textValue()).isEqualTo("administrator");
    }

    private Response send(TestAgent agent) {
        Response response = system.api()
                .post(path(agent))
                .key(TestSystem.COORDINATOR_KEY)
                .body(COMMAND)
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(202);
        return response;
    }

    private Response list(String key, TestAgent agent) {
        return system.api().get(path(agent)).key(key).send();
    }

    private Response withdraw(String key, TestAgent agent) {
        return system.api().delete(path(agent) + "/drain").key(key).send();
    }

    private static String path(TestAgent agent) {
        return "/api/v1/agents/" + agent.id() + "/commands";
    }
}
