package dev.agenthealth.functions.items;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.TestSqs;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * The drill of "Restoring a table" in {@code docs/operations/recovery.md}, as far as it goes without AWS: the tables are put back to an earlier moment, and
 * the registry goes on with them after a pause, at first without a stream.
 */
@Tag("SYS-06")
class RestoreDrillTest {

    private static final String KEY = "key-of-the-agents";
    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;
    private static final String CREDENTIAL = "/v1/agents/callable/credential";
    private static final Duration PAUSE = Duration.ofMinutes(45);

    private final DeployedSystem lost = new DeployedSystem();
    private final DeployedSystem restored = new DeployedSystem();

    @BeforeEach
    void live() {
        Database database = new Database(
                lost.tables().dynamoDb(),
                new Tables(TestTables.PULSES, TestTables.REGISTRY),
                lost.clock(),
                lost.clock()::advance,
                new StorageMeter());
        new KeyStore(database)
                .add(ApiKey.issued(
                        "k",
                        KeyHash.ofKey(KEY),
                        Role.AGENT,
                        "",
                        Set.of(),
                        ProviderGrants.NONE,
                        lost.clock().instant()));
        for (String agent : List.of("steady", "leaving", "holding")) {
            assertThat(register(lost, agent)).isEqualTo(201);
        }
        assertThat(post(
                                lost,
                                "/api/v1/intents/i/leases",
                                """
                                        {"agent_id":"holding","scope":"s","duration_seconds":86400}\
                                        """)
                        .status())
                .isEqualTo(201);
        minutes(lost, 3, "steady", "leaving", "holding");
    }

    @AfterEach
    void close() {
        lost.close();
        restored.close();
    }

    @Test
    void after_a_restore_the_pause_makes_no_agent_dead_and_missing_events_are_published() {
        copy(TestTables.PULSES);
        copy(TestTables.REGISTRY);
        Instant moment = lost.clock().instant();
        minutes(lost, 2, "steady", "leaving", "holding");
        assertThat(register(lost, "later")).isEqualTo(201);
        delete(lost, "leaving");
        goOn();

        sweep(restored);
        assertThat(List.of(status("steady"), status("leaving"), status("holding")))
                .as("silence before the restore does not count")
                .containsOnly("active");
        assertThat(sendHeartbeat(restored, "steady")).isEqualTo(200);
        assertThat(sendHeartbeat(restored, "later")).as("the agent is unknown").isEqualTo(404);
        assertThat(register(restored, "later")).isEqualTo(201);
        JsonNode lease = restored.api()
                .get("/api/v1/intents/i/leases")
                .key(ADMIN)
                .send()
                .json()
                .path("leases")
                .get(0);
        assertThat(post(
                                restored,
                                "/api/v1/intents/i/leases/" + lease.path("id").asText() + "/verify",
                                "{\"fencing_token\":"
                                        + lease.path("fencing_token").asLong() + "}")
                        .status())
                .as("an active lease is kept")
                .isEqualTo(200);
        // The process behind this one is gone; it left in the time that was lost.
        minutes(restored, 7, "steady", "holding", "later");
        assertThat(List.of(status("steady"), status("holding"), status("later")))
                .containsOnly("active");
        assertThat(status("leaving")).as("its silence counts from the restore").isEqualTo("dead");
        assertThat(restored.eventBridge().requests())
                .as("a restored table has no stream at first")
                .isEmpty();

        restored.clock().advanceSeconds(10);
        Response answer = restored.api()
                .post("/v1/admin/events/republish")
                .key(ADMIN)
                .body("{\"from\":\"" + moment + "\"}")
                .send();
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(sentIds()).containsExactly("agent:later:1", "agent:leaving:2", "agent:leaving:3");
    }

    @Test
    void pulses_restored_to_a_later_time_than_the_registry_work() {
        copy(TestTables.REGISTRY);
        delete(lost, "leaving");
        assertThat(register(lost, "later")).isEqualTo(201);
        copy(TestTables.PULSES);
        goOn();

        sweep(restored);
        assertThat(sendHeartbeat(restored, "steady")).isEqualTo(200);
        assertThat(status("leaving")).isEqualTo("deregistered");
        assertThat(register(restored, "leaving"))
                .as("its event is missing, and its numbers go on")
                .isEqualTo(201);
        assertThat(sendHeartbeat(restored, "later"))
                .as("it lives, without a profile")
                .isEqualTo(200);
        delete(restored, "later");
        assertThat(register(restored, "later"))
                .as("deregistering and registering again repairs it")
                .isEqualTo(201);
        assertThat(restored.api()
                        .get("/api/v1/agents/later")
                        .key(ADMIN)
                        .send()
                        .json()
                        .path("role_id")
                        .asText())
                .isEqualTo("r");
    }

    @Test
    void agents_whose_row_has_no_profile_register_again_once_the_row_is_removed() {
        assertThat(register(lost, "gone")).isEqualTo(201);
        delete(lost, "gone");
        copy(TestTables.REGISTRY);
        assertThat(register(lost, "later")).isEqualTo(201);
        copy(TestTables.PULSES);
        assertThat(removeRowsWithoutProfile()).containsExactly("later");
        goOn();

        sweep(restored);
        assertThat(sendHeartbeat(restored, "later")).isEqualTo(404);
        assertThat(register(restored, "later")).isEqualTo(201);
        assertThat(sendHeartbeat(restored, "later")).isEqualTo(200);
        assertThat(List.of(status("steady"), status("leaving"), status("holding"), status("later")))
                .containsOnly("active");
    }

    @Test
    void secrets_of_a_lost_key_are_reported_and_written_again() {
        String rule =
                """
                {"events":["agent.lifecycle"],"target":{"type":"webhook","url":"https://hooks.example/in"}}""";
        put(lost, "/v1/admin/notifications/on-call", rule);
        String callable = "{\"agent_id\":\"callable\",\"role_id\":\"r\",\"endpoint\":\"https://callable.example\"}";
        assertThat(post(lost, "/api/v1/agents", callable).status()).isEqualTo(201);
        put(lost, CREDENTIAL, "{\"bearer_token\":\"geheim\"}");
        copy(TestTables.PULSES);
        copy(TestTables.REGISTRY);
        restored.kms().replaceKey();
        goOn();

        restored.kms().deny(true);
        notifyOfDeath("first");
        assertThat(lastError()).as("a fault of the permissions").isEqualTo("the target cannot be decrypted now");
        assertThat(deadLetters()).isEmpty();
        restored.kms().deny(false);
        restored.clock().advance(Duration.ofMinutes(30));
        notifyOfDeath("second");
        assertThat(lastError()).isEqualTo("the target has no secret, or cannot be decrypted: write the rule again");
        assertThat(deadLetters()).hasSizeGreaterThanOrEqualTo(1).allMatch(text -> !text.contains("hooks.example"));
        sweep(restored);
        Response refused = post(restored, "/v1/agents/callable/invoke", "{\"message\":\"hello\"}");
        assertThat(refused.json().path("error").asText()).as(refused.text()).isEqualTo("credential_unreadable");

        put(restored, "/v1/admin/notifications/on-call", rule);
        put(restored, CREDENTIAL, "{\"bearer_token\":\"geheim\"}");
        assertThat(restored.kms().decryptRequests()).isNotEmpty();
    }

    private void notifyOfDeath(String agentId) {
        Map<String, String> environment =
                restored.function("NotificationFunction").environment();
        String event =
                """
                {"source":"agent-health","detail-type":"agent.lifecycle","detail":{"type":"agent.lifecycle","agent_id":"%s",\
                "previous_status":"active","new_status":"dead","reason":"heartbeat_timeout","timestamp":"%s","capabilities":[],\
                "severity":"error","event_id":"agent:%s:7","incarnation":1,"sequence":7}}"""
                        .formatted(agentId, restored.clock().instant(), agentId);
        restored.sqs().client().sendMessage(request -> request.queueUrl(environment.get("NOTIFICATION_QUEUE_URL"))
                .messageBody(event));
        restored.invoke("NotificationFunction", "{}");
        restored.clock().advance(Duration.ofMinutes(2));
        restored.invoke("NotificationFunction", "{}");
    }

    private String lastError() {
        return restored.api()
                .get("/v1/admin/notifications/on-call")
                .key(ADMIN)
                .send()
                .json()
                .path("last_error")
                .asText();
    }

    private List<String> deadLetters() {
        return restored.sqs().messages().stream()
                .filter(message -> message.queueUrl().endsWith("NotificationDeadLetters"))
                .map(TestSqs.Message::body)
                .toList();
    }

    private static void put(DeployedSystem system, String path, String body) {
        Response answer = system.api().put(path).key(ADMIN).body(body).send();
        assertThat(answer.status()).as(answer.text()).isBetween(200, 201);
    }

    /** What the commands of "Restoring in another account or Region" do. */
    private List<String> removeRowsWithoutProfile() {
        Set<String> profiles = restored
                .tables()
                .dynamoDb()
                .scanPaginator(r -> r.tableName(TestTables.REGISTRY)
                        .filterExpression("sk = :profile AND begins_with(pk, :agent)")
                        .expressionAttributeValues(
                                Map.of(":profile", AttributeValue.fromS("P"), ":agent", AttributeValue.fromS("A#"))))
                .items()
                .stream()
                .map(item -> item.get("pk").s().substring(2))
                .collect(Collectors.toSet());
        List<String> removed = restored
                .tables()
                .dynamoDb()
                .scanPaginator(r -> r.tableName(TestTables.PULSES)
                        .filterExpression("attribute_not_exists(y) AND NOT s = :gone")
                        .expressionAttributeValues(Map.of(":gone", AttributeValue.fromS("Z"))))
                .items()
                .stream()
                .map(item -> item.get("id").s())
                .filter(id -> !profiles.contains(id))
                .toList();
        removed.forEach(id -> restored.tables().dynamoDb().deleteItem(r -> r.tableName(TestTables.PULSES)
                .key(Map.of("id", AttributeValue.fromS(id)))));
        return removed;
    }

    @Test
    void pulses_restored_to_an_earlier_time_than_the_registry_cannot_change() {
        copy(TestTables.PULSES);
        delete(lost, "leaving");
        copy(TestTables.REGISTRY);
        goOn();

        sweep(restored);
        assertThat(sendHeartbeat(restored, "steady")).isEqualTo(200);
        assertThat(sendHeartbeat(restored, "leaving")).isEqualTo(200);
        assertThat(restored.api()
                        .delete("/api/v1/agents/leaving")
                        .key(ADMIN)
                        .send()
                        .status())
                .as("the number of its next event is taken")
                .isEqualTo(503);
    }

    /** The restored tables are used after a pause without any function. */
    private void goOn() {
        restored.clock()
                .advance(Duration.between(
                                restored.clock().instant(), lost.clock().instant())
                        .plus(PAUSE));
    }

    /** Puts into the restored table what stands in the lost one now. */
    private void copy(String table) {
        List<WriteRequest> puts = new ArrayList<>();
        lost.tables().dynamoDb().scanPaginator(r -> r.tableName(table)).items().stream()
                .map(Map::copyOf)
                .forEach(item -> puts.add(put(item)));
        for (int i = 0; i < puts.size(); i += 25) {
            List<WriteRequest> some = puts.subList(i, Math.min(i + 25, puts.size()));
            restored.tables().dynamoDb().batchWriteItem(r -> r.requestItems(Map.of(table, some)));
        }
    }

    private static WriteRequest put(Map<String, AttributeValue> item) {
        return WriteRequest.builder().putRequest(p -> p.item(item)).build();
    }

    private static int register(DeployedSystem system, String agentId) {
        return post(system, "/api/v1/agents", "{\"agent_id\":\"" + agentId + "\",\"role_id\":\"r\"}")
                .status();
    }

    private static int sendHeartbeat(DeployedSystem system, String agentId) {
        return post(
                        system,
                        "/api/v1/agents/" + agentId + "/heartbeat",
                        "{\"status\":\"active\",\"client_timestamp\":\""
                                + system.clock().instant() + "\"}")
                .status();
    }

    private static void delete(DeployedSystem system, String agentId) {
        assertThat(system.api()
                        .delete("/api/v1/agents/" + agentId)
                        .key(KEY)
                        .send()
                        .status())
                .isEqualTo(204);
    }

    private static Response post(DeployedSystem system, String path, String body) {
        return system.api().post(path).key(KEY).body(body).send();
    }

    private static void minutes(DeployedSystem system, int minutes, String... beating) {
        for (int i = 0; i < minutes; i++) {
            system.clock().advanceSeconds(60);
            for (String agent : beating) {
                assertThat(sendHeartbeat(system, agent)).isEqualTo(200);
            }
            sweep(system);
        }
    }

    private static void sweep(DeployedSystem system) {
        JsonNode passes = Json.stored(system.invoke("SweepFunction", "{}"));
        passes.forEach(pass -> assertThat(pass.path("failed").asInt(-1)).isZero());
    }

    private String status(String agentId) {
        return restored.api()
                .get("/api/v1/agents/" + agentId)
                .key(ADMIN)
                .send()
                .json()
                .path("status")
                .asText();
    }

    private List<String> sentIds() {
        return restored.eventBridge().requests().stream()
                .flatMap(List::stream)
                .map(entry -> Json.stored(entry.detail()).path("event_id").asText())
                .toList();
    }
}
