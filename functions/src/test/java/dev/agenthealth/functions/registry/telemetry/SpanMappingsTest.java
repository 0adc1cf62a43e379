package dev.agenthealth.functions.registry.telemetry;

import static dev.agenthealth.functions.registry.telemetry.TelemetryClient.MAPPINGS;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.span;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.telemetry.SpanMapping;
import dev.agenthealth.functions.storage.telemetry.TelemetryStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.telemetry.AgentName;
import dev.agenthealth.testkit.TestTables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The mappings of names in spans to agents, each of one key, and automatic registration. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpanMappingsTest {

    private static final String SETTINGS = "/api/v1/telemetry/settings";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TelemetryClient client = new TelemetryClient(system);
    private final Instant now = system.clock().instant();
    private int keys;

    @Test
    void a_name_is_mapped_listed_changed_and_removed() {
        TestAgent one = TestAgent.registered(system, "one");
        TestAgent two = TestAgent.registered(system, "two");
        JsonNode mapped = client.map("s", "Planner", "one").json();
        assertThat(mapped.toString())
                .isEqualTo("{\"mapping_id\":\"" + mapped.path("mapping_id").asText()
                        + "\",\"service_name\":\"s\",\"agent_name\":\"Planner\",\"agent_id\":\"one\",\"progress\":false,\"automatic\":false,\"updated_at\":\""
                        + Timestamps.text(now) + "\"}");
        client.send(TestSpans.json("s", span(1, now, "Planner")));
        assertThat(client.map("s", "Planner", "two").json().path("mapping_id")).isEqualTo(mapped.path("mapping_id"));
        client.send(TestSpans.json("s", span(2, now, "Planner")));
        client.map("s", "", "one");
        client.send(TestSpans.json("s", span(3, now, "another")));
        assertThat(client.executions(one)).isEqualTo(2);
        assertThat(client.executions(two)).isEqualTo(1);
        JsonNode page = get(TestSystem.AGENT_KEY).query("limit", "1").send().json();
        assertThat(page.path("mappings")).hasSize(1);
        assertThat(page.path("auto_register").asBoolean(true)).isFalse();
        JsonNode rest = get(TestSystem.AGENT_KEY)
                .query("limit", "1")
                .query("next_token", page.path("next_token").asText())
                .send()
                .json();
        List<String> agents = new ArrayList<>(page.findValuesAsText("agent_id"));
        agents.addAll(rest.findValuesAsText("agent_id"));
        assertThat(agents).containsExactlyInAnyOrder("one", "two");
        assertThat(rest.has("next_token")).isFalse();
        for (int i = 0; i < 2; i++) {
            assertThat(delete(mapped.path("mapping_id").asText()).status()).isEqualTo(204);
        }
        client.send(TestSpans.json("s", span(4, now, "Planner")));
        assertThat(client.executions(two)).isEqualTo(1);
        assertThat(client.executions(one)).as("the service's").isEqualTo(3);
    }

    @Test
    void a_key_at_its_maximum_maps_no_further_name_but_changes_names() {
        String key = newKey();
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(key)
                        .body("{\"agent_id\":\"many\"}")
                        .send()
                        .status())
                .isEqualTo(201);
        TelemetryStore mappings = new TelemetryStore(system.database());
        String keyId = TestSystem.keyId(key);
        for (int i = 1; i < SpanMapping.MAX_OF_KEY; i++) {
            assertThat(mappings.putFirst(
                            keyId, new SpanMapping(new AgentName("s-" + i, ""), "many", false, false, now)))
                    .isTrue();
        }
        assertThat(map(key, "last").status()).isEqualTo(200);
        Response refused = map(key, "one-more");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("error").asText()).isEqualTo("too_many_mappings");
        assertThat(map(key, "last").status()).as("changes one").isEqualTo(200);
    }

    private Response map(String key, String service) {
        return put(key, "{\"service_name\":\"" + service + "\",\"agent_id\":\"many\"}");
    }

    @Test
    void a_key_maps_only_to_its_own_agents_and_sees_only_its_own_mappings() {
        TestAgent agent = TestAgent.registered(system, "mine");
        JsonNode mapped = client.map("private", "", agent.id()).json();
        assertThat(put(TestSystem.OTHER_AGENT_KEY, "{\"service_name\":\"private\",\"agent_id\":\"mine\"}")
                        .status())
                .isEqualTo(403);
        assertThat(put(TestSystem.COORDINATOR_KEY, "{\"service_name\":\"private\",\"agent_id\":\"mine\"}")
                        .status())
                .isEqualTo(403);
        assertThat(put(TestSystem.AGENT_KEY, "{\"service_name\":\"private\",\"agent_id\":\"nobody\"}")
                        .status())
                .isEqualTo(404);
        assertThat(get(TestSystem.OTHER_AGENT_KEY).send().json().path("mappings"))
                .isEmpty();
        client.json(TestSystem.OTHER_AGENT_KEY)
                .body(TestSpans.json("private", span(1, now, "Planner")))
                .send();
        assertThat(client.executions(agent)).isZero();
        delete(mapped.path("mapping_id").asText());
    }

    @Test
    void the_mappings_of_a_revoked_key_are_removed() {
        String key = newKey();
        configure(key, "{\"auto_register\":true}");
        assertThat(rejected(key, "Planner")).isEmpty();
        List<Map<String, AttributeValue>> before = declared(TestSystem.keyId(key));
        assertThat(before).hasSize(2);
        assertThat(system.api()
                        .delete("/v1/admin/keys/" + TestSystem.keyId(key))
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(204);
        assertThat(declared(TestSystem.keyId(key))).isEmpty();
    }

    private List<Map<String, AttributeValue>> declared(String keyId) {
        return system.tables()
                .dynamoDb()
                .query(r -> r.tableName(TestTables.REGISTRY)
                        .keyConditionExpression("pk = :pk")
                        .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS("S#" + keyId))))
                .items();
    }

    @Test
    void bad_input_names_every_field() {
        Response response = put(
                TestSystem.AGENT_KEY,
                "{\"service_name\":\"a\\u0000b\",\"agent_name\":\"" + "n".repeat(257)
                        + "\",\"agent_id\":\"no id\",\"more\":1}");
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().path("errors").findValuesAsText("field"))
                .contains("service_name", "agent_name", "agent_id", "more");
        assertThat(put(TestSystem.AGENT_KEY, "{}").json().path("errors").findValuesAsText("field"))
                .containsExactlyInAnyOrder("service_name", "agent_id");
        assertThat(delete("nonsense").status()).isEqualTo(400);
        assertThat(configure(TestSystem.AGENT_KEY, "{\"auto_register\":\"yes\"}")
                        .status())
                .isEqualTo(400);
        assertThat(configure(TestSystem.AGENT_KEY, "{}").status()).isEqualTo(400);
    }

    @Test
    void an_unknown_name_registers_an_agent_only_where_its_key_says_so() {
        String key = newKey();
        assertThat(rejected(key, "Planner")).isEqualTo("1");
        assertThat(configure(key, "{\"auto_register\":true}")
                        .json()
                        .path("auto_register")
                        .asBoolean())
                .isTrue();
        assertThat(rejected(key, "Planner")).isEmpty();
        assertThat(rejected(key, "Planner")).isEmpty();
        JsonNode mapping = get(key).send().json().path("mappings").get(0);
        String agentId = mapping.path("agent_id").asText();
        assertThat(agentId).matches("checkout-eu.planner-[0-9a-f]{8}");
        assertThat(mapping.path("automatic").asBoolean()).isTrue();
        JsonNode agent =
                system.api().get("/api/v1/agents/" + agentId).key(key).send().json();
        assertThat(agent.path("name").asText()).isEqualTo("Planner");
        assertThat(agent.path("status").asText()).isEqualTo("active");
        assertThat(client.executions(new TestAgent(system, agentId))).isEqualTo(1);
        configure(key, "{\"auto_register\":false}");
        assertThat(rejected(key, "Writer")).isEqualTo("1");
        assertThat(get(key).send().json().path("mappings")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void an_agent_that_another_key_registered_under_the_id_of_a_name_gets_none_of_its_spans(boolean deregistered) {
        String key = newKey();
        configure(key, "{\"auto_register\":true}");
        String name = new AgentName("Checkout EU", "Planner").id();
        String usual = "checkout-eu.planner-"
                + new AgentName(TestSystem.keyId(key), name).id().substring(0, 8);
        TestAgent squatter = TestAgent.registered(system, usual);
        if (deregistered) {
            squatter.deregister();
        }
        assertThat(rejected(key, "Planner")).isEmpty();
        assertThat(rejected(key, "Planner")).isEmpty();
        String other = get(key).send().json().at("/mappings/0/agent_id").asText();
        assertThat(other).matches("checkout-eu.planner-[0-9a-f]{8}").isNotEqualTo(usual);
        assertThat(client.executions(new TestAgent(system, other))).isEqualTo(1);
        assertThat(client.executions(squatter)).isZero();
    }

    @Test
    void a_request_registers_at_most_fifty_agents_and_the_next_one_the_others() {
        String key = newKey();
        configure(key, "{\"auto_register\":true}");
        String[] spans = new String[60];
        for (int i = 0; i < spans.length; i++) {
            spans[i] = TestSpans.raw(
                    TestSpans.trace(i + 1),
                    TestSpans.id(1),
                    "",
                    TestSpans.nanos(now),
                    TestSpans.nanos(now),
                    TestSpans.attribute("gen_ai.operation.name", "invoke_agent") + ","
                            + TestSpans.attribute("gen_ai.agent.name", "agent " + i),
                    0);
        }
        Request request = client.json(key).body(TestSpans.json("many", spans));
        assertThat(request.send().json().at("/partialSuccess/rejectedSpans").asText())
                .isEqualTo("10");
        assertThat(request.send().text()).isEqualTo("{}");
    }

    @Test
    void a_name_without_letters_and_a_nameless_agent() {
        String key = newKey();
        configure(key, "{\"auto_register\":true}");
        assertThat(rejected(key, "计划")).isEmpty();
        assertThat(get(key).send().json().at("/mappings/0/agent_id").asText()).matches("checkout-eu-[0-9a-f]{8}");
        assertThat(rejected(key, "")).as("it would stand for the whole service").isEqualTo("1");
    }

    private String rejected(String key, String agent) {
        return client.json(key)
                .body(TestSpans.json("Checkout EU", span(1, now, agent)))
                .send()
                .json()
                .at("/partialSuccess/rejectedSpans")
                .asText();
    }

    private String newKey() {
        String key = "test-telemetry-key-" + ++keys;
        system.addKey(key, Role.AGENT, Set.of());
        return key;
    }

    private Request get(String key) {
        return system.api().get(MAPPINGS).key(key);
    }

    private Response put(String key, String body) {
        return system.api().put(MAPPINGS).key(key).body(body).send();
    }

    private Response delete(String mappingId) {
        return system.api()
                .delete(MAPPINGS + "/" + mappingId)
                .key(TestSystem.AGENT_KEY)
                .send();
    }

    private Response configure(String key, String body) {
        return system.api().put(SETTINGS).key(key).body(body).send();
    }
}
