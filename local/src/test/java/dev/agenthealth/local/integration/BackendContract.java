package dev.agenthealth.local.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.testing.RegistryCaller.Answer;
import dev.agenthealth.local.testing.ScriptedAgent;
import dev.agenthealth.local.testing.ScriptedAgent.Behaviour;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.template.TableDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;

/**
 * The contract of every backend. All tests of a class share one system, whose clock only goes forward; each has agents of its own. A test
 * that an emulator cannot pass is skipped there, and there only, by {@link #unlessDeviating}.
 */
@Tag("SYS-06")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BackendContract implements Harness.Opening {

    private static final int TIMES = 8;
    private static final String LIFECYCLE_RULE = "LifecycleRule";
    private static final String HEALTH_RULE = "HealthRule";

    private Harness harness;

    @BeforeAll
    void open() {
        harness = new Harness(this);
    }

    @AfterAll
    void close() {
        if (harness != null) {
            harness.close();
        }
    }

    private void unlessDeviating(Deviation deviation) {
        Assumptions.assumeFalse(harness.backend().deviates(deviation), deviation.description());
    }

    private static void assertStatus(Answer answer, int status) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    }

    /** The number of requests that follow each other. */
    private enum Pace {
        ONE_BY_ONE,
        AT_ONCE
    }

    private void unlessTooFast(Pace pace) {
        if (pace == Pace.AT_ONCE) {
            unlessDeviating(Deviation.WRITES_NOT_ATOMIC);
        }
    }

    /** Does the same many times; the answers' statuses, the lowest first. */
    private List<Integer> manyTimes(Pace pace, IntFunction<Answer> request) {
        unlessTooFast(pace);
        IntStream times = IntStream.range(0, TIMES);
        return (pace == Pace.AT_ONCE ? times.parallel() : times)
                .mapToObj(request)
                .map(Answer::status)
                .sorted()
                .toList();
    }

    /** One success and refusals for all the others. */
    private static List<Integer> oneOf(int success, int refusal) {
        List<Integer> statuses = new ArrayList<>(Collections.nCopies(TIMES - 1, refusal));
        statuses.add(0, success);
        return statuses;
    }

    @Test
    void the_tables_have_their_keys_indexes_stream_and_expiry() {
        for (TableDefinition definition : harness.stack().tables()) {
            String name = harness.backend().tableName(definition.logicalId());
            TableDescription table = harness.backend()
                    .dynamoDb()
                    .describeTable(request -> request.tableName(name))
                    .table();
            TableShape.assertSame(table, definition);
            TimeToLiveDescription expiry = harness.backend()
                    .dynamoDb()
                    .describeTimeToLive(request -> request.tableName(name))
                    .timeToLiveDescription();
            TableShape.assertSame(expiry, definition);
        }
    }

    @Test
    void an_agent_registers_sends_heartbeats_is_marked_dead_and_registers_again() {
        assertStatus(harness.registerMortal("phoenix"), 201);
        assertStatus(harness.registerMortal("phoenix"), 409);
        harness.pass(1);
        assertStatus(harness.sendHeartbeat("phoenix", "active"), 200);
        harness.pass(2);
        assertThat(harness.status("phoenix")).isEqualTo("unhealthy");
        assertStatus(harness.sendHeartbeat("phoenix", "active"), 200);
        assertThat(harness.status("phoenix")).isEqualTo("active");
        harness.pass(5);
        assertThat(harness.status("phoenix")).isEqualTo("dead");
        assertStatus(harness.sendHeartbeat("phoenix", "active"), 410);
        Answer again = harness.registerMortal("phoenix");
        assertStatus(again, 201);
        assertThat(again.json().path("incarnation").asInt()).isEqualTo(2);
        assertThat(again.json().path("version").asInt()).isEqualTo(1);
    }

    @Test
    void agents_are_found_by_what_they_are_and_how_they_are() {
        assertStatus(harness.registerMortal("seeker", Json.object().put("role_id", "seekers")), 201);
        assertThat(found("?role_id=seekers")).containsExactly("seeker");
        assertThat(found("?role_id=seekers&status=active&capabilities=test")).containsExactly("seeker");
        harness.pass(5);
        assertThat(found("?role_id=seekers&status=active")).isEmpty();
        assertThat(found("?role_id=seekers&status=dead")).containsExactly("seeker");
    }

    private List<String> found(String query) {
        return harness.administrator()
                .get("/api/v1/agents" + query)
                .json()
                .path("agents")
                .findValuesAsText("agent_id");
    }

    @ParameterizedTest
    @EnumSource(Pace.class)
    void of_many_registrations_one_succeeds(Pace pace) {
        assertThat(manyTimes(pace, i -> harness.register("contested-" + pace))).isEqualTo(oneOf(201, 409));
        assertThat(harness.agent("contested-" + pace).json().path("incarnation").asInt())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Pace.class)
    void a_change_of_what_was_changed_meanwhile_is_refused(Pace pace) {
        String agentId = "edited-" + pace;
        assertStatus(harness.register(agentId), 201);
        String path = "/api/v1/agents/" + agentId;
        assertThat(manyTimes(pace, i -> harness.administrator()
                        .patch(path, Json.object().put("name", "name " + i), "1")))
                .isEqualTo(oneOf(200, 412));
        assertThat(harness.agent(agentId).json().path("version").asInt()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Pace.class)
    void one_of_many_concurrent_requests_acquires_a_lease(Pace pace) {
        unlessTooFast(pace);
        String holders = "holder-" + pace + "-";
        for (int i = 0; i < TIMES; i++) {
            assertStatus(harness.register(holders + i), 201);
        }
        assertThat(manyTimes(pace, i -> lease("contested-" + pace, holders + i)))
                .isEqualTo(oneOf(201, 409));
    }

    private Answer lease(String intentId, String agentId) {
        return harness.administrator()
                .post(
                        "/api/v1/intents/" + intentId + "/leases",
                        Json.object()
                                .put("agent_id", agentId)
                                .put("scope", "send")
                                .put("duration_seconds", 3_600));
    }

    @Test
    void a_drain_completes_when_the_last_lease_is_released() {
        assertStatus(harness.register("leaver"), 201);
        Answer lease = lease("drained", "leaver");
        assertStatus(lease, 201);
        assertStatus(
                harness.administrator()
                        .post("/api/v1/agents/leaver/commands", Json.object().put("command", "drain")),
                202);
        assertThat(harness.sendHeartbeat("leaver", "active")
                        .json()
                        .path("pending_commands")
                        .findValuesAsText("command"))
                .containsExactly("drain");
        assertStatus(harness.sendHeartbeat("leaver", "draining"), 200);
        assertThat(harness.status("leaver")).isEqualTo("draining");
        assertStatus(
                harness.administrator()
                        .delete("/api/v1/intents/drained/leases/"
                                + lease.json().path("id").asText()),
                204);
        assertThat(harness.status("leaver")).isEqualTo("deregistered");
    }

    @Test
    void leases_of_dead_agents_can_be_acquired_by_others() {
        assertStatus(harness.registerMortal("mortal"), 201);
        Answer first = lease("inherited", "mortal");
        assertStatus(first, 201);
        harness.pass(5);
        assertStatus(harness.register("heir"), 201);
        Answer second = lease("inherited", "heir");
        assertStatus(second, 201);
        assertThat(second.json().path("fencing_token").asLong())
                .isGreaterThan(first.json().path("fencing_token").asLong());
        JsonNode events = harness.administrator()
                .get("/api/v1/intents/inherited/events")
                .json()
                .path("events");
        assertThat(events.findValuesAsText("type"))
                .containsExactly("lease.acquired", "lease.expired", "lease.acquired");
        assertThat(events.path(1).path("reason").asText()).isEqualTo("agent_dead");
    }

    @ParameterizedTest
    @EnumSource(Pace.class)
    void a_batch_of_outcomes_counts_once_after_retries(Pace pace) {
        String agentId = "counted-" + pace;
        registerMeasured(agentId);
        assertThat(manyTimes(pace, i -> report(agentId, "batch", 20, 0))).containsOnly(202);
        harness.pass(1);
        assertThat(document(agentId).path("calibration").path("sample_count").asInt())
                .isEqualTo(20);
    }

    @Test
    @Tag("SYS-05")
    void only_a_transition_from_healthy_reaches_the_subscriber_of_such_transitions() {
        registerMeasured("calibrated");
        assertStatus(report("calibrated", "good", 20, 0), 202);
        harness.pass(1);
        assertThat(document("calibrated").path("health").path("status").asText())
                .isEqualTo("healthy");
        harness.pass(5);
        assertStatus(report("calibrated", "bad", 0, 3), 202);
        harness.pass(1);
        assertThat(document("calibrated").path("health").path("status").asText())
                .isEqualTo("degraded");
        assertThat(harness.matched(HEALTH_RULE, "calibrated", 1))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.path("detail-type").asText()).isEqualTo("agent.health");
                    JsonNode detail = event.path("detail");
                    assertThat(detail.path("previous_status").asText()).isEqualTo("healthy");
                    assertThat(detail.path("new_status").asText()).isEqualTo("degraded");
                    assertThat(detail.path("calibration_anchor")
                                    .path("reverification")
                                    .asText())
                            .isEqualTo("required");
                });
    }

    private void registerMeasured(String agentId) {
        ObjectNode more = Json.object();
        more.putObject("expectations")
                .put("runtime_ms", 100)
                .put("baseline_latency_ms", 150)
                .put("sla_ms", 1_000)
                .put("window_seconds", 3_600);
        assertStatus(harness.register(agentId, more), 201);
    }

    private Answer report(String agentId, String batchId, int successes, int failures) {
        ObjectNode report = Json.object().put("batch_id", batchId);
        ArrayNode outcomes = report.putArray("outcomes");
        for (int i = 0; i < successes; i++) {
            outcomes.addObject().put("result", "success").put("latency_ms", 60 + 2 * i);
        }
        for (int i = 0; i < failures; i++) {
            outcomes.addObject()
                    .put("result", "failure")
                    .put("error_type", "timeout")
                    .put("latency_ms", 1_200);
        }
        return harness.administrator().post("/api/v1/agents/" + agentId + "/outcomes", report);
    }

    private JsonNode document(String agentId) {
        Answer answer = harness.administrator().get("/agents/" + agentId + "/.well-known/agent-health");
        assertStatus(answer, 200);
        return answer.json();
    }

    @Test
    void a_blocked_agent_is_not_called() {
        try (ScriptedAgent agents = new ScriptedAgent(harness.clock()::advance)) {
            registerCalled("suspect", agents);
            ObjectNode request = Json.object().put("message", "Pay invoice 42.");
            assertStatus(harness.administrator().post("/v1/agents/suspect/invoke", request), 200);
            ObjectNode reason = Json.object().put("reason", "under review");
            assertStatus(harness.administrator().post("/v1/admin/agents/suspect/block", reason), 200);
            Answer refused = harness.administrator().post("/v1/agents/suspect/invoke", request);
            assertStatus(refused, 403);
            assertThat(refused.error()).isEqualTo("agent_blocked");
            assertThat(agents.calls()).hasSize(1);
        }
    }

    @Test
    void an_asynchronous_invocation_goes_through_the_queue() {
        try (ScriptedAgent agents = new ScriptedAgent(harness.clock()::advance)) {
            registerCalled("queued", agents);
            Answer accepted = harness.administrator()
                    .post("/v1/agents/queued/invoke-async", Json.object().put("message", "Pay invoice 42."));
            assertStatus(accepted, 202);
            String receipt =
                    "/v1/receipts/" + accepted.json().path("receipt_id").asText();
            assertThat(harness.administrator()
                            .get(receipt)
                            .json()
                            .path("status")
                            .asText())
                    .isEqualTo("accepted");
            assertThat(agents.calls()).isEmpty();
            harness.work(1);
            assertThat(agents.calls()).hasSize(1);
            assertThat(harness.administrator()
                            .get(receipt)
                            .json()
                            .path("status")
                            .asText())
                    .isEqualTo("succeeded");
        }
    }

    @Test
    void an_invocation_of_an_unreachable_agent_is_retried_soon() {
        try (ScriptedAgent agents = new ScriptedAgent(harness.clock()::advance)) {
            ObjectNode deserted = Json.object().put("endpoint", ScriptedAgent.deserted());
            assertStatus(harness.register("returning", deserted), 201);
            Answer accepted = harness.administrator()
                    .post("/v1/agents/returning/invoke-async", Json.object().put("message", "Pay invoice 42."));
            assertStatus(accepted, 202);
            harness.workInVain(1);
            ObjectNode reachable = Json.object().put("endpoint", agents.endpoint(Behaviour.COMPLETES));
            assertStatus(harness.administrator().patch("/api/v1/agents/returning", reachable, "1"), 200);
            // The queue's own time-out would take minutes, on its clock or on this one.
            harness.clock().advanceSeconds(5);
            harness.work(1);
            Answer receipt = harness.administrator()
                    .get("/v1/receipts/" + accepted.json().path("receipt_id").asText());
            assertThat(receipt.json().path("status").asText()).isEqualTo("succeeded");
            assertThat(receipt.json().path("attempts").asInt()).isEqualTo(2);
        }
    }

    private void registerCalled(String agentId, ScriptedAgent agents) {
        ObjectNode more = Json.object()
                .put("provider_id", "provider-of-" + agentId)
                .put("endpoint", agents.endpoint(Behaviour.COMPLETES));
        assertStatus(harness.register(agentId, more), 201);
    }

    @Test
    @Tag("SYS-05")
    void a_subscriber_gets_exactly_the_events_of_the_outbox() {
        assertStatus(harness.registerMortal("told"), 201);
        String registered = harness.now();
        harness.pass(1);
        assertStatus(harness.sendHeartbeat("told", "active"), 200);
        String heard = harness.now();
        harness.pass(2);
        String unhealthy = harness.now();
        harness.pass(2);
        String dead = harness.now();

        List<JsonNode> events = harness.matched(LIFECYCLE_RULE, "told", 3);
        assertThat(events).hasSize(3);
        assertThat(events.stream().map(event -> event.path("id").asText()))
                .doesNotHaveDuplicates()
                .doesNotContain("");
        assertEnvelope(
                events.get(0),
                registered,
                """
                {"type":"agent.lifecycle","agent_id":"told","previous_status":"registering","new_status":"active",
                 "reason":"registered","timestamp":"%1$s","role_id":"worker","capabilities":["test"],
                 "detected_at":"%1$s","severity":"info","event_id":"agent:told:1","incarnation":1,"sequence":1}"""
                        .formatted(after(registered, 0)));
        assertEnvelope(
                events.get(1),
                unhealthy,
                """
                {"type":"agent.lifecycle","agent_id":"told","previous_status":"active","new_status":"unhealthy",
                 "reason":"heartbeat_timeout","timestamp":"%1$s","role_id":"worker","capabilities":["test"],
                 "deadline_at":"%2$s","last_heartbeat_at":"%3$s","detected_at":"%1$s","severity":"warning",
                 "event_id":"agent:told:2","incarnation":1,"sequence":2}"""
                        .formatted(after(unhealthy, 0), after(heard, 110), after(heard, 0)));
        assertEnvelope(
                events.get(2),
                dead,
                """
                {"type":"agent.lifecycle","agent_id":"told","previous_status":"unhealthy","new_status":"dead",
                 "reason":"heartbeat_timeout","timestamp":"%1$s","role_id":"worker","capabilities":["test"],
                 "deadline_at":"%2$s","ended_by":"registry","last_heartbeat_at":"%3$s","detected_at":"%1$s",
                 "severity":"error",
                 "event_id":"agent:told:3","incarnation":1,"sequence":3}"""
                        .formatted(after(dead, 0), after(heard, 230), after(heard, 0)));
    }

    @Test
    @Tag("SYS-05")
    void an_event_names_its_account() {
        unlessDeviating(Deviation.EVENTS_WITHOUT_ACCOUNT);
        assertStatus(harness.register("accounted"), 201);
        assertThat(harness.matched(LIFECYCLE_RULE, "accounted", 1))
                .singleElement()
                .satisfies(event -> assertThat(event.path("account").asText()).matches("\\d{12}"));
    }

    private static String after(String moment, int seconds) {
        return Timestamps.text(Instant.parse(moment).plusSeconds(seconds));
    }

    /** Compares everything that a target gets, but for the id and the account, which are the bus's. */
    private static void assertEnvelope(JsonNode event, String time, String detail) {
        ObjectNode expected = Json.object();
        expected.put("version", "0")
                .put("id", event.path("id").asText())
                .put("detail-type", "agent.lifecycle")
                .put("source", "agent-health")
                .put("time", time)
                .put("region", "us-east-1");
        expected.putArray("resources");
        expected.set("detail", Harness.json(detail));
        ObjectNode compared = event.deepCopy();
        compared.remove("account");
        assertThat(compared).isEqualTo(expected);
    }
}
