package dev.agenthealth.functions.registry.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings that agents inherit from the workflow that declares their role (RFC-0016 §12). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-32")
class InheritanceTest {

    private static final String DECLARED =
            """
            agents:
              worker:
                role_id: declared
                capabilities: [sorting, packing]
                capacity: {max_concurrent_tasks: 4}
                heartbeat: {interval_seconds: 10, unhealthy_after_seconds: 40, dead_after_seconds: 100}
                drain_timeout_seconds: 33
            """;

    @AutoClose
    private TestSystem system;

    private WorkflowClient client;
    private int agents;

    @BeforeAll
    void open() {
        system = new TestSystem();
        client = new WorkflowClient(system);
        client.declare("inheritance", DECLARED);
    }

    @Test
    void an_agent_without_settings_inherits_all_of_them() {
        JsonNode record = register("");
        assertThat(record.get("capabilities")).isEqualTo(Json.stored("[\"sorting\",\"packing\"]"));
        assertThat(record.get("capacity").get("max_concurrent_tasks").intValue())
                .isEqualTo(4);
        assertThat(record.get("heartbeat_config")).isEqualTo(config(10, 40, 100));
        TestAgent agent = new TestAgent(system, record.get("agent_id").textValue());
        assertThat(agent.pulse().config().unhealthyAfterSeconds()).isEqualTo(40);
        assertThat(agent.pulse().workload().maxConcurrentTasks()).isEqualTo(4);
        agent.drain(system.api());
        assertThat(agent.pulse().drain().timeout()).isEqualTo(Duration.ofSeconds(33));
        assertThat(system.api()
                        .get("/api/v1/agents")
                        .query("capabilities", "packing")
                        .query("status", "draining")
                        .key(TestSystem.COORDINATOR_KEY)
                        .send()
                        .text())
                .as("found by an inherited capability")
                .contains(agent.id());
    }

    @Test
    void null_is_inherited_and_an_empty_list_is_not() {
        JsonNode nulls = register(",\"capabilities\":null,\"capacity\":null,\"heartbeat_config\":null");
        assertThat(nulls.get("capabilities")).hasSize(2);
        assertThat(nulls.get("capacity").get("max_concurrent_tasks").intValue()).isEqualTo(4);
        assertThat(nulls.get("heartbeat_config")).isEqualTo(config(10, 40, 100));
        JsonNode inner = register(
                ",\"capacity\":{\"max_concurrent_tasks\":null},\"heartbeat_config\":{\"interval_seconds\":null}");
        assertThat(inner.get("capacity").get("max_concurrent_tasks").intValue()).isEqualTo(4);
        assertThat(inner.get("heartbeat_config")).isEqualTo(config(10, 40, 100));
        assertThat(register(",\"capabilities\":[]").get("capabilities")).isEmpty();
    }

    @Test
    void the_agent_s_own_settings_have_priority() {
        JsonNode record = register(
                """
                        ,"capabilities":["own"],"capacity":{"max_concurrent_tasks":9},\
                        "heartbeat_config":{"interval_seconds":5,"unhealthy_after_seconds":10,\
                        "dead_after_seconds":20}\
                        """);
        assertThat(record.get("capabilities")).isEqualTo(Json.stored("[\"own\"]"));
        assertThat(record.get("capacity").get("max_concurrent_tasks").intValue())
                .isEqualTo(9);
        assertThat(record.get("heartbeat_config")).isEqualTo(config(5, 10, 20));
    }

    @Test
    void a_capacity_of_0_is_declared_and_inherited_like_any_other() {
        JsonNode own = register(",\"capacity\":{\"max_concurrent_tasks\":0}");
        assertThat(own.get("capacity").get("max_concurrent_tasks").intValue()).isZero();
        JsonNode declared = client.declare("resting", "agents: {resting: {capacity: {max_concurrent_tasks: 0}}}");
        assertThat(client.workflow("resting").json().get("agents")).isEqualTo(declared.get("agents"));
        JsonNode inherited = system.api()
                .post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"resting-1\",\"role_id\":\"resting\"}")
                .send()
                .json();
        assertThat(inherited.get("capacity")).isEqualTo(Json.stored("{\"max_concurrent_tasks\":0,\"current_load\":0}"));
        assertThat(client.pool("resting").json().get("capacity"))
                .isEqualTo(Json.stored("{\"max_concurrent_tasks\":0,\"current_load\":0,\"available\":0}"));
    }

    @ParameterizedTest
    @CsvSource({"interval_seconds, 20, 20, 40, 100", "dead_after_seconds, 80, 10, 40, 80"})
    void a_partial_configuration_is_filled_from_the_workflow(
            String field, int value, int interval, int unhealthy, int dead) {
        assertThat(register(",\"heartbeat_config\":{\"" + field + "\":" + value + "}")
                        .get("heartbeat_config"))
                .isEqualTo(config(interval, unhealthy, dead));
    }

    @Test
    @Tag("R16-08")
    void the_completed_configuration_is_validated_as_a_whole() {
        Response response = send("declared", ",\"heartbeat_config\":{\"interval_seconds\":21}");
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().get("errors").get(0).get("field").textValue())
                .isEqualTo("heartbeat_config.unhealthy_after_seconds");
    }

    @Test
    void other_roles_and_agents_without_a_role_have_the_fixed_defaults() {
        for (Response response : List.of(
                send("undeclared", ""),
                system.api()
                        .post("/api/v1/agents")
                        .key(TestSystem.AGENT_KEY)
                        .body("{}")
                        .send())) {
            assertThat(response.json().get("heartbeat_config")).isEqualTo(config(30, 90, 300));
            assertThat(response.json().get("capabilities")).isEmpty();
        }
    }

    @Test
    @Tag("R16-06")
    void a_changed_workflow_applies_from_the_next_registration() {
        client.declare("changing", "agents: {changing: {drain_timeout_seconds: 50}}");
        TestAgent agent = new TestAgent(system, "agent-of-changing");
        register(agent, "changing");
        client.declare(
                "changing", "agents: {changing: {drain_timeout_seconds: 60, capacity: {max_concurrent_tasks: 2}}}");
        assertThat(agent.pulse().coordination().drainTimeout()).isEqualTo(Duration.ofSeconds(50));
        agent.deregister();
        register(agent, "changing");
        assertThat(agent.pulse().coordination().drainTimeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(agent.pulse().workload().maxConcurrentTasks()).isEqualTo(2);
        client.delete(TestSystem.ADMINISTRATOR_KEY, "changing");
        agent.deregister();
        register(agent, "changing");
        assertThat(agent.pulse().coordination().drainTimeout()).isEqualTo(Duration.ofSeconds(120));
    }

    @Test
    void a_registration_with_a_role_costs_no_more_requests() {
        send("declared", "");
        system.meter().reset();
        system.api()
                .post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"without-role\"}")
                .send();
        int without = system.meter().operations().size();
        system.meter().reset();
        send("declared", "");
        assertThat(system.meter().operations()).hasSize(without);
        assertThat(system.meter().operations()).first().isEqualTo("BatchGetItem");
    }

    private void register(TestAgent agent, String role) {
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"agent_id\":\"" + agent.id() + "\",\"role_id\":\"" + role + "\"}")
                        .send()
                        .status())
                .isEqualTo(201);
    }

    private JsonNode register(String fields) {
        Response response = send("declared", fields);
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        return response.json();
    }

    private Response send(String role, String fields) {
        return system.api()
                .post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"heir-" + agents++ + "\",\"role_id\":\"" + role + "\"" + fields + "}")
                .send();
    }

    private static JsonNode config(int interval, int unhealthy, int dead) {
        return Json.stored("{\"interval_seconds\":" + interval + ",\"unhealthy_after_seconds\":" + unhealthy
                + ",\"dead_after_seconds\":" + dead + "}");
    }
}
