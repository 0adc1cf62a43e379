package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** The gateway sends an agent the bearer credential that its owner set, and no answer shows it. */
class AgentCredentialTest {

    private static final String TOKEN = "geheim.TOKEN-1";
    private static final String SEND =
            """
                    {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m",\
                    "role":"ROLE_USER","parts":[{"text":"Hello"}]}}}\
                    """;

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private final ScriptedServer server = gateway.answeringAgent("a");

    @Test
    void every_call_of_the_agent_carries_the_credential() {
        Response set = set(gateway.api(), TestSystem.AGENT_KEY, TOKEN);
        assertThat(set.status()).as(set.text()).isEqualTo(200);
        assertThat(set.json().path("endpoint").asText()).isEqualTo(GatewayHarness.endpoint(server));
        assertThat(set.text()).doesNotContain(TOKEN);
        gateway.invoke("a", GatewayHarness.HELLO);
        gateway.invokeAsync("a", GatewayHarness.HELLO);
        gateway.deliver();
        a2a(SEND);
        server.plays(AgentScripts.task("working"));
        a2a(SEND);
        a2a("""
                {"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t"}}\
                """);
        assertThat(server.requests()).hasSize(5).allSatisfy(request -> assertThat(request.headers())
                .containsEntry("authorization", "Bearer " + TOKEN));
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).text()).doesNotContain(TOKEN);
    }

    @Test
    void the_credential_is_stored_encrypted() {
        set(gateway.api(), TestSystem.AGENT_KEY, TOKEN);
        gateway.invoke("a", GatewayHarness.HELLO);
        gateway.system()
                .tables()
                .dynamoDb()
                .scanPaginator(
                        ScanRequest.builder().tableName(TestTables.REGISTRY).build())
                .items()
                .forEach(item -> assertThat(item.values().stream().map(AgentCredentialTest::text))
                        .noneMatch(text -> text.contains("geheim")));
    }

    private static String text(AttributeValue value) {
        return value.b() == null ? value.toString() : value.b().asString(StandardCharsets.ISO_8859_1);
    }

    @Test
    void only_the_owner_and_administrators_set_and_remove_it() {
        for (String key : new String[] {TestSystem.OTHER_AGENT_KEY, TestSystem.COORDINATOR_KEY}) {
            assertThat(set(gateway.api(), key, "theirs").status()).isEqualTo(403);
            assertThat(remove(key).status()).isEqualTo(403);
        }
        assertThat(set(gateway.api(), TestSystem.ADMINISTRATOR_KEY, TOKEN).status())
                .isEqualTo(200);
        gateway.invoke("a", GatewayHarness.HELLO);
        assertThat(lastAuthorization()).isEqualTo("Bearer " + TOKEN);
        assertThat(remove(TestSystem.AGENT_KEY).status()).isEqualTo(204);
        assertThat(remove(TestSystem.AGENT_KEY).status()).isEqualTo(204);
        gateway.invoke("a", GatewayHarness.HELLO);
        assertThat(lastAuthorization()).isNull();
        assertThat(gateway.api()
                        .put("/v1/agents/unknown/credential")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(body(TOKEN))
                        .send()
                        .status())
                .isEqualTo(404);
    }

    @Test
    void a_change_applies_everywhere_within_half_a_minute() {
        TestApi other = gateway.apiThrough(gateway.system().dynamoDb());
        GatewayHarness.invoke(other, "a", GatewayHarness.HELLO);
        assertThat(lastAuthorization()).isNull();
        set(gateway.api(), TestSystem.AGENT_KEY, TOKEN);
        gateway.invoke("a", GatewayHarness.HELLO);
        assertThat(lastAuthorization()).isEqualTo("Bearer " + TOKEN);
        gateway.system().clock().advance(AgentCredentials.CACHE_TIME);
        GatewayHarness.invoke(other, "a", GatewayHarness.HELLO);
        assertThat(lastAuthorization()).isEqualTo("Bearer " + TOKEN);
        set(gateway.api(), TestSystem.AGENT_KEY, "newer");
        gateway.system().clock().advance(AgentCredentials.CACHE_TIME);
        GatewayHarness.invoke(other, "a", GatewayHarness.HELLO);
        assertThat(lastAuthorization()).isEqualTo("Bearer newer");
    }

    @Test
    void those_who_may_set_it_see_whether_it_is_set_and_sent_and_never_the_token() {
        String path = "/v1/agents/a/credential";
        Response none = gateway.api().get(path).key(TestSystem.AGENT_KEY).send();
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.json().path("error").asText()).isEqualTo("credential_not_found");
        Response set = set(gateway.api(), TestSystem.AGENT_KEY, TOKEN);
        gateway.system().clock().advanceSeconds(60);
        for (String key : new String[] {TestSystem.AGENT_KEY, TestSystem.ADMINISTRATOR_KEY}) {
            Response shown = gateway.api().get(path).key(key).send();
            assertThat(shown.text()).isEqualTo(set.text()).doesNotContain("geheim");
            assertThat(shown.json().path("sent").booleanValue()).isTrue();
        }
        assertThat(gateway.api()
                        .get(path)
                        .key(TestSystem.OTHER_AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(403);
        moveTo("https://elsewhere.example/");
        Response moved = gateway.api().get(path).key(TestSystem.AGENT_KEY).send();
        assertThat(moved.json().path("sent").booleanValue()).isFalse();
        assertThat(moved.json().path("endpoint").asText()).isEqualTo(GatewayHarness.endpoint(server));
        remove(TestSystem.AGENT_KEY);
        assertThat(gateway.api().get(path).key(TestSystem.AGENT_KEY).send().status())
                .isEqualTo(404);
    }

    @Test
    void an_agent_that_moves_does_not_take_the_credential_along() {
        set(gateway.api(), TestSystem.AGENT_KEY, TOKEN);
        ScriptedServer elsewhere = gateway.server().plays(AgentScripts.message());
        moveTo(GatewayHarness.endpoint(elsewhere));
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(200);
        assertThat(elsewhere.requests().get(0).headers()).doesNotContainKey("authorization");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void a_credential_whose_key_is_lost_stops_calls_and_does_not_count_against_the_agent() {
        set(gateway.api(), TestSystem.AGENT_KEY, TOKEN);
        Map<String, AttributeValue> item = new HashMap<>(gateway.system()
                .tables()
                .dynamoDb()
                .getItem(request -> request.tableName(TestTables.REGISTRY)
                        .key(Map.of("pk", AttributeValue.fromS("A#a"), "sk", AttributeValue.fromS("K"))))
                .item());
        byte[] sealed = item.get("sealed").b().asByteArray();
        sealed[sealed.length - 1] ^= 1;
        item.put("sealed", AttributeValue.fromB(SdkBytes.fromByteArray(sealed)));
        gateway.system().tables().dynamoDb().putItem(request -> request.tableName(TestTables.REGISTRY)
                .item(item));
        Response refused = gateway.invoke("a", GatewayHarness.HELLO);
        assertThat(refused.status()).isEqualTo(502);
        assertThat(refused.json().path("error").asText()).isEqualTo("credential_unreadable");
        JsonNode error = a2a(SEND).json().path("error");
        assertThat(error.path("data").get(0).path("reason").asText()).isEqualTo("CREDENTIAL_UNREADABLE");
        assertThat(server.connections()).isZero();
        assertThat(gateway.health("a").path("failure_count").asInt()).isZero();
        set(gateway.api(), TestSystem.AGENT_KEY, TOKEN);
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"bearer_token\":\"\"}",
                "{\"bearer_token\":7}",
                "{\"bearer_token\":\"a b\"}",
                "{\"bearer_token\":\"a\\r\\nX: y\"}",
                "{\"bearer_token\":\"ä\"}",
                "{\"bearer_token\":\"=a\"}",
                "{\"bearer_token\":\"a\",\"more\":1}",
                "[]",
                "{"
            })
    void a_token_that_is_not_one_is_refused_and_changes_nothing(String body) {
        TableContents before = TableContents.of(gateway.system().tables());
        Response response = gateway.api()
                .put("/v1/agents/a/credential")
                .key(TestSystem.AGENT_KEY)
                .body(body)
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(400);
        assertThat(TableContents.of(gateway.system().tables())).isEqualTo(before);
    }

    @Test
    void a_token_of_8192_characters_is_accepted_and_one_more_is_not() {
        assertThat(set(gateway.api(), TestSystem.AGENT_KEY, "x".repeat(8_192)).status())
                .isEqualTo(200);
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(200);
        assertThat(lastAuthorization()).hasSize(8_192 + "Bearer ".length());
        assertThat(set(gateway.api(), TestSystem.AGENT_KEY, "x".repeat(8_193)).status())
                .isEqualTo(400);
    }

    /** The former owner's request is admitted, and the agent changes hands before it is written. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_former_owner_neither_sets_nor_removes_it_while_the_agent_is_transferred(boolean sets) {
        // The other key is granted no provider.
        change("{\"provider_id\":null}");
        set(gateway.api(), TestSystem.AGENT_KEY, TOKEN);
        AtomicBoolean transferred = new AtomicBoolean();
        TestApi late = gateway.apiThrough(new TestDynamoDb(gateway.system().dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest && !transferred.getAndSet(true)) {
                transfer();
                set(gateway.api(), TestSystem.OTHER_AGENT_KEY, "theirs");
            }
        }));
        Response refused = sets
                ? set(late, TestSystem.AGENT_KEY, "late")
                : late.delete("/v1/agents/a/credential")
                        .key(TestSystem.AGENT_KEY)
                        .send();
        assertThat(refused.status()).as(refused.text()).isEqualTo(403);
        gateway.invoke("a", GatewayHarness.HELLO);
        assertThat(lastAuthorization()).isEqualTo("Bearer theirs");
    }

    private void transfer() {
        Response transferred = gateway.system()
                .api()
                .put("/v1/admin/agents/a/owner")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"key_id\":\"" + TestSystem.keyId(TestSystem.OTHER_AGENT_KEY) + "\"}")
                .send();
        assertThat(transferred.status()).as(transferred.text()).isEqualTo(200);
    }

    @Test
    void an_agent_that_moves_before_it_is_written_gets_it_for_its_new_endpoint() {
        String elsewhere = "https://elsewhere.example/";
        AtomicBoolean moved = new AtomicBoolean();
        TestApi late = gateway.apiThrough(new TestDynamoDb(gateway.system().dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest && !moved.getAndSet(true)) {
                moveTo(elsewhere);
            }
        }));
        Response set = set(late, TestSystem.AGENT_KEY, TOKEN);
        assertThat(set.json().path("endpoint").asText()).as(set.text()).isEqualTo(elsewhere);
    }

    @Test
    void an_agent_without_an_endpoint_has_none() {
        new TestAgent(gateway.system(), "b").register("");
        Response response = gateway.api()
                .put("/v1/agents/b/credential")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(body(TOKEN))
                .send();
        assertThat(response.status()).isEqualTo(409);
        assertThat(response.json().path("error").asText()).isEqualTo("agent_has_no_endpoint");
    }

    private void moveTo(String endpoint) {
        change("{\"endpoint\":\"" + endpoint + "\"}");
    }

    private void change(String profile) {
        Response changed = gateway.system()
                .api()
                .patch("/api/v1/agents/a")
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body(profile)
                .send();
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
    }

    private String lastAuthorization() {
        return server.requests().get(server.requests().size() - 1).headers().get("authorization");
    }

    private Response a2a(String body) {
        return gateway.api()
                .post("/a2a/agents/a")
                .key(TestSystem.OTHER_AGENT_KEY)
                .header("a2a-version", "1.0")
                .body(body)
                .send();
    }

    private static Response set(TestApi api, String key, String token) {
        return api.put("/v1/agents/a/credential").key(key).body(body(token)).send();
    }

    private Response remove(String key) {
        return gateway.api().delete("/v1/agents/a/credential").key(key).send();
    }

    private static String body(String token) {
        return Json.text(Json.object().put("bearer_token", token));
    }
}
