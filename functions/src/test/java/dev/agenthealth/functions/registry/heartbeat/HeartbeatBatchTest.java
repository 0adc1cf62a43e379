package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.lifecycle.HeartbeatSchedule;
import dev.agenthealth.testkit.TestDynamoDb;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Many heartbeats in one request: each succeeds or fails independently, as a single heartbeat does. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-10")
class HeartbeatBatchTest {

    private static final String PATH = "/api/v1/heartbeats";

    @AutoClose
    private TestSystem system;

    private int agents;

    @BeforeAll
    void open() {
        system = new TestSystem();
    }

    @Test
    void a_batch_of_one_gets_the_result_of_a_single_heartbeat() {
        TestAgent agent = newAgent();
        Response response = send(List.of(element(agent.id(), ",\"current_load\":3,\"tasks_in_progress\":[\"t1\"]")));
        assertThat(response.status()).isEqualTo(200);
        int next = HeartbeatSchedule.AS_DECLARED.nextInSeconds(
                agent.pulse(), agent.id(), system.clock().instant());
        assertThat(response.json())
                .isEqualTo(Json.stored(
                        """
                        {"next_heartbeat_in_seconds": %d, "results": [{
                          "agent_id": "%s",
                          "status_code": 200,
                          "acknowledged": true,
                          "server_timestamp": "%s",
                          "agent_status": "active",
                          "incarnation": 1,
                          "pending_commands": [],
                          "next_heartbeat_in_seconds": %d
                        }]}
                        """
                                .formatted(
                                        next,
                                        agent.id(),
                                        Timestamps.text(system.clock().instant()),
                                        next)));
        assertThat(agent.pulse().workload().load()).isEqualTo(3);
        assertThat(agent.stored().tasks()).containsExactly("t1");
    }

    @Test
    void a_hundred_heartbeats_are_a_hundred_requests_and_write_units() {
        List<TestAgent> fleet =
                IntStream.range(0, 100).mapToObj(i -> newAgent()).toList();
        system.meter().reset();
        Response response = send(fleet.stream().map(a -> element(a.id(), "")).toList());
        assertThat(response.status()).isEqualTo(200);
        assertThat(ids(response))
                .containsExactlyElementsOf(fleet.stream().map(TestAgent::id).toList());
        assertThat(codes(response)).hasSize(100).containsOnly(200);
        assertThat(system.meter().operations()).hasSize(100).containsOnly("UpdateItem");
        assertThat(system.meter().writeUnits()).isEqualTo(100);
        assertThat(fleet).allMatch(agent -> agent.pulse().heartbeatCount() == 1);
    }

    @Test
    void more_than_a_hundred_are_refused_and_none_is_counted() {
        TestAgent agent = newAgent();
        List<String> elements = new ArrayList<>(IntStream.range(0, 100)
                .mapToObj(i -> element("agent_x" + i, ""))
                .toList());
        elements.add(element(agent.id(), ""));
        Response response = send(elements);
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().at("/errors/0/field").textValue()).isEqualTo("heartbeats");
        assertThat(agent.pulse().heartbeatCount()).isZero();
    }

    @Test
    @Tag("R16-12")
    @Tag("R16-13")
    @Tag("R16-33")
    void every_heartbeat_has_its_own_result_at_its_position() {
        TestAgent unhealthy = newAgent();
        unhealthy.becomeUnhealthy();
        TestAgent active = newAgent();
        TestAgent gone = newAgent();
        gone.deregister();
        TestAgent draining = newAgent();
        draining.sendHeartbeat("draining", ",\"current_load\":1");
        system.api()
                .post("/api/v1/agents")
                .key(TestSystem.OTHER_AGENT_KEY)
                .body("{\"agent_id\":\"agent_of_another\"}")
                .send();
        Response response = send(List.of(
                element(gone.id(), ""),
                element(active.id(), ""),
                element("agent_unknown", ""),
                element("agent_of_another", ""),
                element(unhealthy.id(), ""),
                "{\"agent_id\":\"" + newAgent().id() + "\",\"status\":\"dead\"}",
                element(draining.id(), ",\"current_load\":0")));
        assertThat(response.status()).isEqualTo(200);
        assertThat(codes(response)).containsExactly(410, 200, 404, 403, 200, 400, 200);
        JsonNode results = response.json().get("results");
        assertThat(results.get(0).get("error").textValue()).isEqualTo("agent_gone");
        assertThat(results.get(2).get("error").textValue()).isEqualTo("agent_not_found");
        assertThat(results.get(3).get("error").textValue()).isEqualTo("forbidden");
        assertThat(results.get(4).get("agent_status").textValue()).isEqualTo("active");
        assertThat(results.get(5).get("errors").findValuesAsText("field"))
                .containsExactlyInAnyOrder("status", "client_timestamp");
        assertThat(results.get(6).get("agent_status").textValue()).isEqualTo("deregistered");
        unhealthy.assertHistoryIsWhole("recovered in a batch");
        draining.assertHistoryIsWhole("drained in a batch");
    }

    @Test
    void a_second_heartbeat_of_an_agent_is_refused() {
        TestAgent agent = newAgent();
        TestAgent other = newAgent();
        Response response = send(List.of(element(agent.id(), ""), element(other.id(), ""), element(agent.id(), "")));
        assertThat(codes(response)).containsExactly(200, 200, 400);
        assertThat(response.json().at("/results/2/errors/0/field").textValue()).isEqualTo("agent_id");
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
    }

    @Test
    void an_element_without_a_valid_id_has_a_result_without_an_id() {
        TestAgent agent = newAgent();
        Response response =
                send(List.of(element("", ""), element("no id", ""), "{\"agent_id\":5}", "{}", element(agent.id(), "")));
        assertThat(codes(response)).containsExactly(400, 400, 400, 400, 200);
        JsonNode results = response.json().get("results");
        assertThat(results.get(0).get("agent_id").isNull()).isTrue();
        assertThat(results.get(3).get("errors").findValuesAsText("field"))
                .containsExactlyInAnyOrder("agent_id", "status", "client_timestamp");
    }

    @Test
    @Tag("R16-16")
    void a_client_timestamp_that_cannot_be_read_is_a_warning_of_its_part() {
        TestAgent puzzling = newAgent();
        TestAgent zoneless = newAgent();
        Response response = send(List.of(
                "{\"agent_id\":\"" + puzzling.id() + "\",\"status\":\"active\",\"client_timestamp\":\"now\"}",
                "{\"agent_id\":\"" + zoneless.id()
                        + "\",\"status\":\"active\",\"client_timestamp\":\"2026-02-08T10:30:00\"}"));
        assertThat(codes(response)).containsExactly(200, 200);
        assertThat(response.json().at("/results/0/warnings/0/field").textValue())
                .isEqualTo("client_timestamp");
        assertThat(response.json().at("/results/1").has("warnings")).isFalse();
    }

    @Test
    void a_mistake_in_a_detail_is_a_warning_of_its_part() {
        TestAgent odd = newAgent();
        TestAgent deep = newAgent();
        TestAgent plain = newAgent();
        Response response = send(List.of(
                element(odd.id(), ",\"current_load\":-1,\"tasks_in_progress\":[\"\"]"),
                element(deep.id(), ",\"current_load\":2,\"activity\":" + "[".repeat(100) + "]".repeat(100)),
                element(plain.id(), "")));
        assertThat(codes(response)).containsExactly(200, 200, 200);
        assertThat(response.json().at("/results/0/warnings").findValuesAsText("field"))
                .containsExactly("current_load", "tasks_in_progress");
        assertThat(response.json().at("/results/1/warnings").findValuesAsText("field"))
                .containsExactly("activity");
        assertThat(response.json().at("/results/2").has("warnings")).isFalse();
        assertThat(deep.pulse().workload().load()).isEqualTo(2);
        assertThat(List.of(odd, deep, plain)).allMatch(agent -> agent.pulse().heartbeatCount() == 1);
    }

    @Test
    void a_part_that_is_no_object_costs_no_other_part() {
        TestAgent agent = newAgent();
        Response response = send(List.of("1", "null", "[]", element(agent.id(), "")));
        assertThat(codes(response)).containsExactly(400, 400, 400, 200);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
    }

    @Test
    void a_part_that_only_names_its_agent_is_a_bare_ping() {
        TestAgent agent = newAgent();
        String ping = "{\"agent_id\":\"" + agent.id() + "\"}";
        Response response = send(List.of(ping, ping, "{\"agent_id\":\"no id\"}"));
        assertThat(codes(response)).containsExactly(200, 400, 400);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"heartbeats\":null}",
                "{\"heartbeats\":{}}",
                "{\"heartbeats\":\"all\"}",
                "{\"heartbeats\":[1]}",
                "{\"heartbeats\":[null]}",
                "{\"heartbeats\":[[]]}"
            })
    void a_body_that_is_no_batch_is_refused(String body) {
        assertThat(post(system.api(), TestSystem.AGENT_KEY, body).status()).isEqualTo(400);
    }

    @Test
    void an_empty_batch_is_valid() {
        Response response = send(List.of());
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().get("results")).isEmpty();
    }

    @Test
    @Tag("R16-33")
    void heartbeats_with_the_key_of_another_agent_are_forbidden() {
        Response response = post(
                system.api(),
                TestSystem.OTHER_AGENT_KEY,
                body(List.of(element(newAgent().id(), ""), element(newAgent().id(), ""))));
        assertThat(response.status()).isEqualTo(200);
        assertThat(codes(response)).containsExactly(403, 403);
    }

    @Test
    @Tag("R16-31")
    void a_batch_without_a_valid_key_gets_401() {
        List<String> bodies = Stream.of(
                        List.of(element(newAgent().id(), ""), element("agent_unknown", "")),
                        List.of(element("no id", "")),
                        List.<String>of())
                .map(HeartbeatBatchTest::body)
                .toList();
        for (String body : bodies) {
            assertThat(post(system.api(), "unknown key", body).status()).isEqualTo(401);
            assertThat(system.api().post(PATH).body(body).send().status()).isEqualTo(401);
        }
        assertThat(post(system.api(), "unknown key", "no batch").status()).isEqualTo(401);
    }

    @Test
    void a_busy_storage_for_one_heartbeat_does_not_affect_the_others() {
        assertOneFails(
                () -> TransactionConflictException.builder()
                        .message("Transaction is ongoing for the item")
                        .build(),
                503);
    }

    @Test
    void a_fault_in_one_heartbeat_does_not_affect_the_others() {
        assertOneFails(() -> new IllegalStateException("a damaged row"), 500);
    }

    private void assertOneFails(Supplier<RuntimeException> failure, int status) {
        List<TestAgent> fleet = IntStream.range(0, 20).mapToObj(i -> newAgent()).toList();
        String unlucky = fleet.get(7).id();
        DynamoDbClient client = new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof UpdateItemRequest update
                    && update.key().get("id").s().equals(unlucky)) {
                throw failure.get();
            }
        });
        Response response = post(
                system.apiThrough(client),
                TestSystem.AGENT_KEY,
                body(fleet.stream().map(a -> element(a.id(), "")).toList()));
        assertThat(response.status()).isEqualTo(200);
        for (int i = 0; i < 20; i++) {
            assertThat(codes(response).get(i)).isEqualTo(i == 7 ? status : 200);
            assertThat(fleet.get(i).pulse().heartbeatCount()).isEqualTo(i == 7 ? 0 : 1);
        }
    }

    private Response send(List<String> elements) {
        return post(system.api(), TestSystem.AGENT_KEY, body(elements));
    }

    private static Response post(TestApi api, String key, String body) {
        return api.post(PATH).key(key).body(body).send();
    }

    private static String body(List<String> elements) {
        return "{\"heartbeats\":[" + String.join(",", elements) + "]}";
    }

    private String element(String agentId, String more) {
        return "{\"agent_id\":\"" + agentId + "\",\"status\":\"active\",\"client_timestamp\":\""
                + system.clock().instant() + "\"" + more + "}";
    }

    private static List<Integer> codes(Response response) {
        return results(response).map(r -> r.get("status_code").intValue()).toList();
    }

    private static List<String> ids(Response response) {
        return results(response).map(r -> r.get("agent_id").textValue()).toList();
    }

    private static Stream<JsonNode> results(Response response) {
        return ((ArrayNode) response.json().get("results")).valueStream();
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "agent_" + agents++);
    }
}
