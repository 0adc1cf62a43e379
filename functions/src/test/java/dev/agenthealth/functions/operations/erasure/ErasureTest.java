package dev.agenthealth.functions.operations.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.AdministrationFunction;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.events.EventItem;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.HeartbeatTimeoutRule;
import dev.agenthealth.model.registry.profile.ProbeResult;
import dev.agenthealth.model.registry.profile.ProbeState;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Erasure of an agent: permission, timing, concurrent requests, and continuation after an interruption. */
@Tag("SYS-06")
class ErasureTest {

    private final CapturedOutput output = new CapturedOutput();
    private final TestSystem system = new TestSystem();
    private final TestApi api = through(system.dynamoDb());

    @AfterEach
    void close() {
        output.close();
        system.close();
    }

    @Test
    void only_dead_and_deregistered_agents_are_erased() {
        TestAgent agent = TestAgent.registered(system, "a");
        Response living = erase("a");
        assertThat(living.status()).isEqualTo(409);
        assertThat(living.json().path("error").asText()).isEqualTo("agent_not_gone");
        agent.becomeDead();
        assertThat(erase("a").status()).as("its leases are being ended").isEqualTo(202);
        assertThat(agent.stored().hasProfile()).isTrue();
        agent.finishCleanUp();
        assertThat(erase("a").status()).isEqualTo(202);
        assertThat(get("a")).isEqualTo(404);
        assertThat(erase("unknown").status()).isEqualTo(404);
        assertThat(erase("-a").status()).isEqualTo(400);
    }

    @Test
    void the_erasure_completes_when_no_earlier_request_can_still_write() {
        gone("a");
        Response first = erase("a");
        assertThat(first.header("Retry-After")).isEqualTo("120");
        assertThat(first.json().path("done").asBoolean(true)).isFalse();
        system.clock().advanceSeconds(60);
        assertThat(erase("a").header("Retry-After")).isEqualTo("60");
        system.clock().advanceSeconds(60);
        assertThat(erase("a").status()).isEqualTo(204);
        assertThat(erase("a").status()).isEqualTo(204);
        assertThat(below("a")).containsExactlyInAnyOrder("T", "E#000000000001", "E#000000000002");
        assertThat(output.text()).contains("agent_erasure_begun", "agent_erased", "\"by\":\"administrator\"");
    }

    @Test
    void archived_agents_and_remains_of_expired_ones_are_erased() {
        TestAgent agent = gone("a");
        assertThat(agent.archive()).isTrue();
        put("A#b", "G#00");
        for (String id : List.of("a", "b")) {
            assertThat(erase(id).status()).isEqualTo(202);
            system.clock().advanceSeconds(120);
            assertThat(erase(id).status()).isEqualTo(204);
            assertThat(get(id)).isEqualTo(404);
        }
        assertThat(below("b")).containsExactly("T");
        assertThat(system.api()
                        .get("/api/v1/agents")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .query("status", "deregistered")
                        .send()
                        .json()
                        .path("agents"))
                .isEmpty();
    }

    @Test
    void heartbeats_outcomes_and_leases_of_an_erased_agent_are_404() {
        TestAgent agent = gone("a");
        erase("a");
        assertThat(agent.sendHeartbeat().status()).isEqualTo(404);
        assertThat(post(
                        "/api/v1/agents/a/outcomes",
                        """
                {"batch_id":"b","outcomes":[{"result":"success"}]}\
                """))
                .isEqualTo(404);
        assertThat(post(
                        "/api/v1/intents/i/leases",
                        """
                {"agent_id":"a","scope":"s","duration_seconds":60}\
                """))
                .isEqualTo(404);
        assertThat(agent.drain(system.api()).status()).isEqualTo(404);
        assertThat(agent.deregister().status()).isEqualTo(404);
        assertThat(below("a")).containsExactlyInAnyOrder("T", "E#000000000001", "E#000000000002");
    }

    @Test
    void late_writes_of_earlier_requests_are_erased_too() {
        gone("a");
        List<Integer> statuses = new ArrayList<>();
        boolean[] erased = {false};
        // The report has found the agent and is about to count when the agent is erased.
        TestApi late = system.apiThrough(new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof UpdateItemRequest && !erased[0]) {
                erased[0] = true;
                statuses.add(erase("a").status());
            }
        }));
        statuses.add(late.post("/api/v1/agents/a/outcomes")
                .key(TestSystem.AGENT_KEY)
                .body(
                        """
                        {"batch_id":"b","outcomes":[{"result":"success"}]}\
                        """)
                .send()
                .status());
        assertThat(statuses).containsExactly(202, 202);
        assertThat(below("a")).as("it came back").anyMatch(key -> key.startsWith("O#"));
        system.clock().advanceSeconds(120);
        assertThat(erase("a").status()).isEqualTo(204);
        assertThat(below("a")).containsExactlyInAnyOrder("T", "E#000000000001", "E#000000000002");
    }

    @Test
    void the_id_cannot_be_registered_during_the_erasure_and_can_be_afterwards() {
        TestAgent agent = gone("a");
        erase("a");
        Response early = agent.register("");
        assertThat(early.status()).isEqualTo(409);
        assertThat(early.json().path("error").asText()).isEqualTo("agent_being_erased");
        system.clock().advanceSeconds(120);
        erase("a");
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(TestSystem.OTHER_AGENT_KEY)
                        .body("{\"agent_id\":\"a\"}")
                        .send()
                        .status())
                .isEqualTo(403);
        assertThat(agent.register("").status()).isEqualTo(201);
        agent.assertHistoryIsWhole("after erasure");
        assertThat(agent.pulse().incarnation()).isEqualTo(2);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        assertThat(erase("a").status()).isEqualTo(409);
        agent.deregister();
        agent.finishCleanUp();
        assertThat(erase("a").status())
                .as("another incarnation, another erasure")
                .isEqualTo(202);
    }

    @ParameterizedTest
    @CsvSource({"before, block, 1", "after, block, 1", "before, unblock, 0"})
    void an_agent_that_is_blocked_when_it_registers_after_its_erasure_learns_of_it(
            String when, String last, int warnings) {
        TestAgent agent = gone("a");
        if (when.equals("before")) {
            assertThat(decide("block")).isEqualTo(200);
        }
        erase("a");
        system.clock().advanceSeconds(120);
        assertThat(erase("a").status()).isEqualTo(204);
        assertThat(decide(last)).isEqualTo(200);
        assertThat(agent.register("").status()).isEqualTo(201);
        assertThat(agent.sendHeartbeat().json().path("warnings").findValuesAsText("field"))
                .isEqualTo(Collections.nCopies(warnings, "blocked"));
    }

    @Test
    void an_agent_that_is_blocked_while_it_registers_after_its_erasure_learns_of_it() {
        TestAgent agent = gone("a");
        erase("a");
        system.clock().advanceSeconds(120);
        assertThat(erase("a").status()).isEqualTo(204);
        boolean[] blocked = {false};
        TestApi racing = system.apiThrough(hook(request -> {
            if (request instanceof TransactWriteItemsRequest && !blocked[0]) {
                blocked[0] = true;
                assertThat(decide("block")).isEqualTo(200);
            }
        }));
        assertThat(agent.register(racing, "").status()).isEqualTo(201);
        assertThat(agent.sendHeartbeat().json().path("warnings").findValuesAsText("field"))
                .containsExactly("blocked");
    }

    @Test
    void the_reason_of_a_drain_is_erased_from_its_events() {
        TestAgent agent = TestAgent.registered(system, "a");
        assertThat(post("/api/v1/agents/a/commands", "{\"command\":\"drain\",\"reason\":\"for Mr. Smith\"}"))
                .isEqualTo(202);
        agent.sendHeartbeat("draining", ",\"current_load\":0");
        agent.sendHeartbeat("draining", ",\"current_load\":0");
        agent.finishCleanUp();
        assertThat(agent.events().get(2).get("drain_reason").textValue()).isEqualTo("for Mr. Smith");
        assertThat(erase("a").status()).isEqualTo(202);
        assertThat(new EventStore(system.database())
                        .ofAgent("a", EventStore.Asked.first(Instant.EPOCH, 10))
                        .items())
                .hasSize(3)
                .noneMatch(event -> event.toString().contains("Smith"))
                .last()
                .returns("erased", event -> event.get("drain_reason").textValue());
    }

    @Test
    void the_reasons_of_blocks_from_before_its_registration_are_erased() {
        for (String id : List.of("a", "a:b")) {
            assertThat(decide(id, "block", "{\"reason\":\"Smith about " + id + "\"}"))
                    .isEqualTo(200);
        }
        gone("a");
        assertThat(eventsOfTheRegistry()).contains("Smith about a\"", "Smith about a:b\"");

        assertThat(erase("a").status()).isEqualTo(202);
        system.clock().advanceSeconds(120);
        assertThat(erase("a").status()).isEqualTo(204);

        assertThat(eventsOfTheRegistry()).contains("\"reason\":\"erased\"", "Smith about a:b\"");
        assertThat(eventsOfTheRegistry()).doesNotContain("Smith about a\"");
    }

    private String eventsOfTheRegistry() {
        return system
                .tables()
                .dynamoDb()
                .queryPaginator(r -> r.tableName(TestTables.REGISTRY)
                        .keyConditionExpression("pk = :pk")
                        .expressionAttributeValues(
                                Map.of(":pk", AttributeValue.fromS(ItemKind.REGISTRY_EVENT.partition()))))
                .items()
                .stream()
                .map(item -> item.get(EventItem.DETAIL).s())
                .collect(Collectors.joining("\n"));
    }

    @Test
    void the_text_that_a_probe_missed_is_erased_from_the_events_of_a_silence() {
        TestAgent agent = TestAgent.registered(system, "a");
        Instant now = system.clock().instant().plusSeconds(91);
        assertThat(new AgentStore(system.database())
                        .change(
                                HeartbeatTimeoutRule.due(agent.pulse(), Instant.EPOCH, now)
                                        .orElseThrow(),
                                agent.stored().profile(),
                                ProbeState.NONE.then(
                                        new ProbeResult(now, "does not contain 'Smith'", "", 9, Instant.EPOCH))))
                .isTrue();
        assertThat(agent.events().get(1).get("probe_failure").textValue()).contains("Smith");
        agent.deregister();
        agent.finishCleanUp();
        assertThat(erase("a").status()).isEqualTo(202);
        assertThat(agent.events().get(1).get("probe_failure").textValue()).isEqualTo("erased");
    }

    @ParameterizedTest
    @EnumSource
    @Tag("exhaustive")
    void after_any_interruption_a_repeated_request_completes_the_erasure(WriteFailure way) {
        for (int write = 1; ; write++) {
            String id = way.name().toLowerCase(Locale.ROOT).replace('_', '-') + write;
            gone(id);
            host(id);
            fill(id, 60);
            TestDynamoDb crashing = new TestDynamoDb(system.dynamoDb()).failAt(write, way);
            try {
                through(crashing)
                        .delete("/v1/admin/agents/" + id)
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send();
            } catch (Crash e) {
                assertThat(crashing.hasFailed()).isTrue();
            }
            system.clock().advanceSeconds(36);
            assertThat(erase(id).status()).isEqualTo(202);
            system.clock().advanceSeconds(120);
            assertThat(erase(id).status()).as("%s at write %s", way, write).isEqualTo(204);
            assertThat(below(id)).containsExactlyInAnyOrder("T", "E#000000000001", "E#000000000002");
            if (!crashing.hasFailed()) {
                assertThat(write).isGreaterThan(6);
                return;
            }
        }
    }

    @Test
    void of_two_concurrent_erasures_one_continues() {
        gone("a");
        fill("a", 60);
        List<Integer> others = new ArrayList<>();
        TestApi first = through(new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof BatchWriteItemRequest) {
                others.add(erase("a").status());
            }
        }));
        assertThat(first.delete("/v1/admin/agents/a")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(202);
        assertThat(others).isNotEmpty().containsOnly(202);
        assertThat(below("a")).hasSize(3);
    }

    @Test
    void an_agent_with_many_items_is_erased_in_several_requests() {
        gone("a");
        fill("a", 400);
        TestApi slow = through(hook(request -> {
            if (request instanceof BatchWriteItemRequest) {
                system.clock().advanceSeconds(4);
            }
        }));
        int requests = 0;
        int left = 400;
        while (left > 0) {
            Response answer = slow.delete("/v1/admin/agents/a")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .send();
            assertThat(answer.status()).isEqualTo(202);
            int now = below("a").size() - 3;
            assertThat(now).isLessThan(left);
            left = now;
            requests++;
        }
        assertThat(requests).isGreaterThan(2);
    }

    @Test
    void the_erasure_continues_after_a_503_of_a_busy_storage() {
        gone("a");
        fill("a", 10);
        boolean[] busy = {true};
        TestApi troubled = through(hook(request -> {
            if (busy[0] && request instanceof BatchWriteItemRequest) {
                throw ProvisionedThroughputExceededException.builder()
                        .message("busy")
                        .build();
            }
        }));
        assertThat(troubled.delete("/v1/admin/agents/a")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(503);
        busy[0] = false;
        system.clock().advanceSeconds(36);
        assertThat(erase("a").status()).isEqualTo(202);
        assertThat(below("a")).hasSize(3);
    }

    @Test
    void a_process_of_an_erased_agent_learns_that_an_operator_ended_it() {
        TestAgent agent = TestAgent.registered(system, "a");
        system.api()
                .delete("/api/v1/agents/a")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
        agent.finishCleanUp();
        assertThat(erase("a").status()).isEqualTo(202);
        Response heartbeat = agent.sendHeartbeat();
        assertThat(heartbeat.status()).isEqualTo(410);
        assertThat(heartbeat.json().path("ended_by").asText()).isEqualTo("operator");
        Response outcomes = system.api()
                .post("/api/v1/agents/a/outcomes")
                .key(TestSystem.AGENT_KEY)
                .body(
                        """
                        {"batch_id":"b","outcomes":[{"result":"success"}]}\
                        """)
                .send();
        assertThat(outcomes.status()).isEqualTo(410);
        assertThat(outcomes.json().path("ended_by").asText()).isEqualTo("operator");
        assertThat(system.api()
                        .post("/api/v1/agents/a/heartbeat")
                        .key(TestSystem.OTHER_AGENT_KEY)
                        .send()
                        .status())
                .as("another key learns nothing")
                .isEqualTo(404);
    }

    @Test
    void a_process_of_an_erased_agent_that_its_owner_ended_registers() {
        TestAgent agent = TestAgent.registered(system, "a");
        agent.deregister();
        agent.finishCleanUp();
        assertThat(erase("a").status()).isEqualTo(202);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(404);
    }

    private TestDynamoDb hook(Consumer<DynamoDbRequest> before) {
        return new TestDynamoDb(system.dynamoDb()).before(before);
    }

    private TestApi through(DynamoDbClient dynamoDb) {
        Wiring usual = system.wiring(Map.of());
        return new TestApi(List.of(new AdministrationFunction(
                usual.toBuilder().dynamoDb(() -> dynamoDb).build())));
    }

    private TestAgent gone(String id) {
        TestAgent agent = TestAgent.registered(system, id);
        agent.deregister();
        agent.finishCleanUp();
        return agent;
    }

    private Response erase(String id) {
        return api.delete("/v1/admin/agents/" + id)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
    }

    private int get(String id) {
        return system.api()
                .get("/api/v1/agents/" + id)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .status();
    }

    private int post(String path, String body) {
        return system.api()
                .post(path)
                .key(TestSystem.AGENT_KEY)
                .body(body)
                .send()
                .status();
    }

    private int decide(String decision) {
        return decide("a", decision, "{}");
    }

    private int decide(String id, String decision, String body) {
        return system.api()
                .post("/v1/admin/agents/" + id + "/" + decision)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(body)
                .send()
                .status();
    }

    private void host(String id) {
        assertThat(system.api()
                        .put("/v1/admin/hosts/" + id + ".example")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"agent_id\":\"" + id + "\"}")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    private void put(String pk, String sk) {
        system.tables().dynamoDb().putItem(r -> r.tableName(TestTables.REGISTRY)
                .item(Map.of("pk", AttributeValue.fromS(pk), "sk", AttributeValue.fromS(sk))));
    }

    /** Puts this number of slices below the agent's id. */
    private void fill(String id, int number) {
        List<WriteRequest> puts = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            String sortKey = String.format("O#%010d#120#0", i);
            puts.add(WriteRequest.builder()
                    .putRequest(p ->
                            p.item(Map.of("pk", AttributeValue.fromS("A#" + id), "sk", AttributeValue.fromS(sortKey))))
                    .build());
        }
        for (int i = 0; i < puts.size(); i += 25) {
            List<WriteRequest> some = puts.subList(i, Math.min(i + 25, puts.size()));
            system.tables().dynamoDb().batchWriteItem(r -> r.requestItems(Map.of(TestTables.REGISTRY, some)));
        }
    }

    /** The sort keys of what stands below the agent's id. */
    private List<String> below(String id) {
        return system
                .tables()
                .dynamoDb()
                .queryPaginator(r -> r.tableName(TestTables.REGISTRY)
                        .keyConditionExpression("pk = :pk")
                        .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS("A#" + id))))
                .items()
                .stream()
                .map(item -> item.get("sk").s())
                .toList();
    }
}
