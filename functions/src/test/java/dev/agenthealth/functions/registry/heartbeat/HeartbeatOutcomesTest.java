package dev.agenthealth.functions.registry.heartbeat;

import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.SUCCESS;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.assertAccepted;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.batch;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.successAt;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.times;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.HeartbeatSchedule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Outcomes in heartbeats: counted like reported outcomes; their errors do not affect the heartbeat. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHS-08")
@Tag("R16-10")
class HeartbeatOutcomesTest {

    /** More failures than any retry limit. */
    private static final int LASTING = 3_000;

    private final TestSystem system = new TestSystem();
    private final OutcomeClient client = new OutcomeClient(system);
    private int agents;

    @AfterEach
    void clearFaults() {
        system.faults().clear();
    }

    @AfterAll
    void close() {
        system.close();
    }

    @Test
    void outcomes_are_counted_as_self_reported() {
        TestAgent agent = newAgent();
        Response response = agent.sendHeartbeat("active", "," + batch("b-1", SUCCESS, "{\"result\":\"failure\"}"));
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json())
                .isEqualTo(Json.stored(
                        """
                        {"acknowledged":true,"server_timestamp":"%s","agent_status":"active","incarnation":1,"pending_commands":[],
                         "next_heartbeat_in_seconds":%d,"outcomes":{"status_code":202,"accepted":2,"duplicate":false}}
                        """
                                .formatted(
                                        system.clock().instant(),
                                        HeartbeatSchedule.AS_DECLARED.nextInSeconds(
                                                agent.pulse(),
                                                agent.id(),
                                                system.clock().instant()))));
        assertThat(client.stored(agent).total().get(OutcomeCounter.SELF_SUCCESSES))
                .isEqualTo(1);
        assertThat(client.stored(agent).total().get(OutcomeCounter.SELF_FAILURES))
                .isEqualTo(1);
        assertThat(client.stored(agent).isDue()).isTrue();
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
    }

    @Test
    void a_batch_is_a_duplicate_whether_it_is_reported_or_in_a_heartbeat() {
        TestAgent agent = newAgent();
        assertThat(outcomes(agent.sendHeartbeat("active", "," + batch("b-1", SUCCESS)))
                        .path("duplicate"))
                .hasToString("false");
        assertAccepted(client.report(agent, "b-1", SUCCESS), 1, true);
        assertAccepted(client.report(agent, "b-2", SUCCESS), 1, false);
        assertThat(outcomes(agent.sendHeartbeat("active", "," + batch("b-2", SUCCESS)))
                        .path("duplicate"))
                .hasToString("true");
        assertThat(client.stored(agent).total().successes()).isEqualTo(2);
    }

    @Test
    void outcomes_are_counted_that_happened_before_the_registrys_clock_went_back() {
        TestAgent agent = newAgent();
        Instant right = system.clock().instant();
        system.clock().advanceSeconds(-1_800);
        String outcomes = batch("b-1", "{\"result\":\"success\",\"occurred_at\":\"" + right + "\"}");
        String heartbeat = "{\"status\":\"active\",\"client_timestamp\":\"%s\"," + outcomes + "}";
        assertThat(outcomes(heartbeat(agent, heartbeat.formatted(system.clock().instant())))
                        .at("/errors/0/field"))
                .as("neither clock permits it")
                .hasToString("\"outcomes[0].occurred_at\"");
        assertThat(outcomes(heartbeat(agent, heartbeat.formatted(right))).path("accepted"))
                .hasToString("1");
        system.clock().advanceSeconds(1_800);
        assertThat(outcomes(heartbeat(agent, heartbeat.formatted(right))).path("duplicate"))
                .as("it is in the slice in which it happened")
                .hasToString("true");
        assertThat(client.stored(agent).total().successes()).isEqualTo(1);

        Instant wrong = right.plus(Duration.ofDays(2));
        assertThat(outcomes(heartbeat(
                                agent,
                                heartbeat
                                        .replace(right.toString(), wrong.toString())
                                        .formatted(wrong)))
                        .path("status_code"))
                .as("a clock that is off by days is wrong")
                .hasToString("400");
    }

    private Response heartbeat(TestAgent agent, String body) {
        return system.api()
                .post("/api/v1/agents/" + agent.id() + "/heartbeat")
                .key(TestSystem.AGENT_KEY)
                .body(body)
                .send();
    }

    @Test
    void a_batch_of_heartbeats_may_contain_outcomes() {
        TestAgent good = newAgent();
        TestAgent bad = newAgent();
        TestAgent plain = newAgent();
        TestAgent gone = newAgent();
        gone.deregister();
        Response response = system.api()
                .post("/api/v1/heartbeats")
                .key(TestSystem.AGENT_KEY)
                .body("{\"heartbeats\":["
                        + List.of(
                                        element(good, "," + batch("b-1", SUCCESS, SUCCESS)),
                                        element(bad, "," + batch("b-1", SUCCESS, "{}")),
                                        element(plain, ""),
                                        element(gone, "," + batch("b-1", SUCCESS)))
                                .stream()
                                .collect(Collectors.joining(","))
                        + "]}")
                .send();
        assertThat(response.status()).isEqualTo(200);
        JsonNode results = response.json().path("results");
        assertThat(results.findValuesAsText("agent_id")).containsExactly(good.id(), bad.id(), plain.id(), gone.id());
        assertThat(IntStream.range(0, 4)
                        .mapToObj(i -> results.path(i).path("status_code").intValue()))
                .containsExactly(200, 200, 200, 410);
        assertThat(results.path(0).path("outcomes"))
                .isEqualTo(Json.stored("{\"status_code\":202,\"accepted\":2,\"duplicate\":false}"));
        assertThat(results.path(1).path("outcomes").path("status_code").intValue())
                .isEqualTo(400);
        assertThat(results.path(1).at("/outcomes/errors/0/field").textValue()).isEqualTo("outcomes[1].result");
        assertThat(results.path(2).has("outcomes")).isFalse();
        assertThat(results.path(3).has("outcomes")).isFalse();
        assertThat(client.stored(good).total().successes()).isEqualTo(2);
        assertThat(client.stored(bad).parts()).isEmpty();
        assertThat(client.stored(gone).parts()).isEmpty();
        assertThat(bad.pulse().heartbeatCount()).isEqualTo(1);
    }

    @Test
    void all_heartbeats_of_a_request_are_stored_before_the_first_report_is_read() {
        List<TestAgent> fleet = IntStream.range(0, 40).mapToObj(i -> newAgent()).toList();
        List<String> tables = Collections.synchronizedList(new ArrayList<>());
        TestDynamoDb noting = new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof UpdateItemRequest update) {
                tables.add(update.tableName());
            }
        });
        Response response = system.apiThrough(noting)
                .post("/api/v1/heartbeats")
                .key(TestSystem.AGENT_KEY)
                .body(fleet.stream()
                        .map(agent -> element(agent, "," + batch("b-1", SUCCESS)))
                        .collect(Collectors.joining(",", "{\"heartbeats\":[", "]}")))
                .send();
        assertThat(response.json().findValuesAsText("accepted")).hasSize(40).containsOnly("1");
        assertThat(tables.subList(0, 40)).containsOnly(TestTables.PULSES);
        assertThat(tables.subList(40, tables.size())).hasSize(40).containsOnly(TestTables.REGISTRY);
    }

    @Test
    void a_storage_busy_with_reports_fails_no_heartbeat_of_a_batch() {
        List<TestAgent> fleet = IntStream.range(0, 20).mapToObj(i -> newAgent()).toList();
        for (int i = 0; i < LASTING; i++) {
            system.faults().throttleOn(QueryRequest.class);
        }
        Response response = system.api()
                .post("/api/v1/heartbeats")
                .key(TestSystem.AGENT_KEY)
                .body(fleet.stream()
                        .map(agent -> element(agent, "," + batch("b-1", SUCCESS)))
                        .collect(Collectors.joining(",", "{\"heartbeats\":[", "]}")))
                .send();
        assertThat(response.status()).isEqualTo(200);
        JsonNode results = response.json().path("results");
        assertThat(results).hasSize(20).allSatisfy(result -> {
            assertThat(result.path("status_code").intValue()).isEqualTo(200);
            assertThat(result.path("outcomes").path("status_code").intValue()).isEqualTo(503);
        });
        assertThat(fleet).allMatch(agent -> agent.pulse().heartbeatCount() == 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '!',
            value = {
                "outcomes                  | \"outcomes\":{},\"batch_id\":\"b\"",
                "outcomes                  | \"outcomes\":7,\"batch_id\":\"b\"",
                "outcomes[0]               | \"outcomes\":[7],\"batch_id\":\"b\"",
                "outcomes[0].result        | \"outcomes\":[{}],\"batch_id\":\"b\"",
                "outcomes[0].latency       | \"outcomes\":[{\"result\":\"success\",\"latency\":1}],\"batch_id\":\"b\"",
                "outcomes[0].latency_ms    | \"outcomes\":[{\"result\":\"success\",\"latency_ms\":-1}],\"batch_id\":\"b\"",
                "outcomes[0].occurred_at   | \"outcomes\":[{\"result\":\"success\",\"occurred_at\":\"2036-01-01T00:00:00Z\"}],\"batch_id\":\"b\"",
                "outcomes[0].occurred_at   | \"outcomes\":[{\"result\":\"success\",\"occurred_at\":\"2016-01-01T00:00:00Z\"}],\"batch_id\":\"b\"",
                "batch_id                  | \"outcomes\":[{\"result\":\"success\"}]",
                "batch_id                  | \"outcomes\":[{\"result\":\"success\"}],\"batch_id\":[]",
                "batch_id                  | \"outcomes\":[{\"result\":\"success\"}],\"batch_id\":\"a\\nb\""
            })
    void an_invalid_outcome_is_reported_and_does_not_affect_the_heartbeat(String mistake, String fields) {
        TestAgent agent = newAgent();
        agent.becomeUnhealthy();
        Response response = agent.sendHeartbeat("active", "," + fields);
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().path("acknowledged").booleanValue()).isTrue();
        JsonNode result = outcomes(response);
        assertThat(result.path("status_code").intValue()).isEqualTo(400);
        assertThat(result.path("error").textValue()).isEqualTo("invalid_request");
        assertThat(result.path("errors").findValuesAsText("field")).containsExactly(mistake);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(client.stored(agent).parts()).isEmpty();
    }

    @Test
    void five_hundred_outcomes_are_the_maximum() {
        TestAgent agent = newAgent();
        assertThat(outcomes(agent.sendHeartbeat("active", "," + batch("b-1", times(500, SUCCESS))))
                        .path("accepted")
                        .intValue())
                .isEqualTo(500);
        assertThat(outcomes(agent.sendHeartbeat("active", "," + batch("b-2", times(501, SUCCESS))))
                        .path("status_code")
                        .intValue())
                .isEqualTo(400);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(2);
        assertThat(client.stored(agent).total().successes()).isEqualTo(500);
    }

    @Test
    void an_empty_list_is_acknowledged_with_zero_and_needs_no_request() {
        TestAgent agent = newAgent();
        system.meter().reset();
        assertThat(outcomes(agent.sendHeartbeat("active", ",\"outcomes\":[]")))
                .isEqualTo(Json.stored("{\"status_code\":202,\"accepted\":0,\"duplicate\":false}"));
        assertThat(agent.sendHeartbeat("active", ",\"outcomes\":null").json().has("outcomes"))
                .isFalse();
        assertThat(agent.sendHeartbeat("active", ",\"batch_id\":\"b\"").json().has("outcomes"))
                .isFalse();
        assertThat(system.meter().operations()).containsExactly("UpdateItem", "UpdateItem", "UpdateItem");
    }

    @Test
    void outcomes_of_a_refused_heartbeat_are_not_stored() {
        TestAgent agent = newAgent();
        String more = "," + batch("b-1", SUCCESS);
        String body = "{\"status\":\"active\",\"client_timestamp\":\""
                + system.clock().instant() + "\"" + more + "}";
        assertThat(system.api()
                        .post(agent.heartbeatPath())
                        .key("unknown")
                        .body(body)
                        .send()
                        .status())
                .isEqualTo(401);
        for (String key : new String[] {TestSystem.OTHER_AGENT_KEY, TestSystem.COORDINATOR_KEY}) {
            assertThat(system.api()
                            .post(agent.heartbeatPath())
                            .key(key)
                            .body(body)
                            .send()
                            .status())
                    .isEqualTo(403);
        }
        assertThat(new TestAgent(system, "unknown")
                        .sendHeartbeat("active", more)
                        .status())
                .isEqualTo(404);
        assertThat(agent.sendHeartbeat("sleeping", more).status()).isEqualTo(400);
        assertThat(agent.send("{\"status\":\"active\"" + more).status()).isEqualTo(400);
        agent.deregister();
        assertThat(agent.sendHeartbeat("active", more).status()).isEqualTo(410);
        assertThat(client.stored(agent).parts()).isEmpty();
        assertThat(client.stored(agent).expiriesOfArrivals()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"profile", "slice"})
    void a_busy_storage_is_reported_beside_the_acknowledgement(String what) {
        TestAgent agent = newAgent();
        for (int i = 0; i < LASTING; i++) {
            system.faults().throttleOn(what.equals("profile") ? GetItemRequest.class : QueryRequest.class);
        }
        Response response = agent.sendHeartbeat("active", "," + batch("b-1", SUCCESS));
        assertThat(response.status()).isEqualTo(200);
        assertThat(outcomes(response).path("status_code").intValue()).isEqualTo(503);
        assertThat(outcomes(response).path("error").textValue()).isEqualTo("temporarily_unavailable");
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
        system.faults().clear();
        assertThat(outcomes(agent.sendHeartbeat("active", "," + batch("b-1", SUCCESS)))
                        .path("status_code")
                        .intValue())
                .isEqualTo(202);
        assertThat(client.stored(agent).total().successes()).isEqualTo(1);
    }

    @Test
    void an_internal_error_of_the_report_does_not_fail_the_heartbeat() {
        TestAgent agent = newAgent();
        TestDynamoDb refusing = new TestDynamoDb(system.dynamoDb()).failAt(2, WriteFailure.IS_REJECTED);
        Response response = agent.sendHeartbeat(system.apiThrough(refusing), "active", "," + batch("b-1", SUCCESS));
        assertThat(response.status()).isEqualTo(200);
        assertThat(outcomes(response).path("status_code").intValue()).isEqualTo(500);
        assertThat(response.text()).doesNotContain("authorized");
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
    }

    @Test
    void the_last_heartbeat_of_a_drain_may_contain_outcomes() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("draining", ",\"current_load\":1");
        Response response = agent.sendHeartbeat("draining", ",\"current_load\":0," + batch("b-1", SUCCESS));
        assertThat(response.json().path("agent_status").textValue()).isEqualTo("deregistered");
        assertThat(outcomes(response).path("accepted").intValue()).isEqualTo(1);
        assertThat(client.stored(agent).total().successes()).isEqualTo(1);
    }

    @Test
    @Tag("SYS-01")
    void outcomes_cost_one_profile_read_and_the_cost_of_a_report() {
        TestAgent agent = newAgent();
        Instant now = system.clock().instant();
        system.meter().reset();
        agent.sendHeartbeat("active", "," + batch("b-1", times(500, successAt(now, 12.5))));
        assertThat(system.meter().operations()).containsExactly("UpdateItem", "GetItem", "Query", "UpdateItem");
        assertThat(system.meter().writeUnits())
                .as("heartbeat, slice, its mark in the index")
                .isEqualTo(3);
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(2);
    }

    private String element(TestAgent agent, String more) {
        return "{\"agent_id\":\"" + agent.id() + "\",\"status\":\"active\",\"client_timestamp\":\""
                + system.clock().instant() + "\"" + more + "}";
    }

    private static JsonNode outcomes(Response response) {
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json().path("outcomes");
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "agent_" + agents++);
    }
}
