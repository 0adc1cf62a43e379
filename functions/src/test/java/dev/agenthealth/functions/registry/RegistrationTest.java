package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.f4b6a3.ulid.Ulid;
import dev.agenthealth.functions.RegistryFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.Resources;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** First registrations over HTTP (RFC-0016 §3). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RegistrationTest {

    @AutoClose
    private TestSystem system;

    private RegistryClient client;

    @BeforeAll
    void open() {
        system = new TestSystem();
        client = new RegistryClient(system);
    }

    @Test
    @Tag("R16-04")
    void agents_learn_where_to_send_heartbeats_where_the_deployment_has_an_address_for_them() {
        String path = "/api/v1/agents/agent_with_url/heartbeat";
        TestApi api = new TestApi(List.of(new RegistryFunction(
                system.wiring(Map.of("HEARTBEAT_URL", "https://a1b2.lambda-url.us-east-1.on.aws/")))));
        Response registered = new TestAgent(system, "agent_with_url").register(api, "");
        assertThat(registered.status()).isEqualTo(201);
        assertThat(registered.json().path("heartbeat_url").textValue())
                .isEqualTo("https://a1b2.lambda-url.us-east-1.on.aws" + path);
        Response record = api.get("/api/v1/agents/agent_with_url")
                .key(TestSystem.AGENT_KEY)
                .send();
        assertThat(record.json())
                .as("also for a process that is registered already")
                .isEqualTo(registered.json());
        assertThat(client.get("agent_with_url").json().has("heartbeat_url"))
                .as("heartbeats go to the API")
                .isFalse();
        Response sentBack = api.patch("/api/v1/agents/agent_with_url")
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body(record.text())
                .send();
        assertThat(sentBack.status()).as(sentBack.text()).isEqualTo(200);
    }

    @Test
    @Tag("R16-01")
    @Tag("R16-03")
    @Tag("R16-04")
    @Tag("R16-23")
    void the_specification_s_example_request_gets_its_example_response() {
        Response response = client.register(Resources.text("rfc-0016/registration-request.json"));
        assertThat(response.status()).isEqualTo(201);
        assertThat(response.header("ETag")).isEqualTo("\"1\"");
        assertThat(response.header("Content-Type")).isEqualTo("application/json");
        assertThat(response.header("Location")).isEqualTo("/api/v1/agents/agent_billing_01");
        assertThat(shownBy(response, "rfc-0016/registration-response.json"))
                .isEqualTo(Resources.json("rfc-0016/registration-response.json"));

        Response record = client.get("agent_billing_01");
        assertThat(record.status()).isEqualTo(200);
        assertThat(record.header("ETag")).isEqualTo("\"1\"");
        assertThat(record.json()).isEqualTo(response.json());

        List<JsonNode> events = new TestAgent(system, "agent_billing_01").events();
        assertThat(events).hasSize(1);
        assertThat(events.get(0).properties())
                .containsAll(Json.stored(
                                """
                                {"type": "agent.lifecycle", "agent_id": "agent_billing_01", "previous_status": "registering",
                                 "new_status": "active", "reason": "registered", "timestamp": "2026-02-08T10:00:00.000Z",
                                 "role_id": "billing-processor",
                                 "capabilities": ["billing", "invoicing", "stripe-integration"]}
                                """)
                        .properties());
    }

    @Test
    @Tag("R16-01")
    @Tag("R16-22")
    void a_capability_may_have_spaces_and_is_found() {
        TestAgent agent = client.newAgent(",\"capabilities\":[\"code review\",\"translation\"]");
        assertThat(client.get(agent.id()).json().get("capabilities"))
                .isEqualTo(Json.stored("[\"code review\",\"translation\"]"));
        assertThat(client.listed(Map.of("capabilities", "code review"))).containsExactly(agent.id());
        assertThat(client.listed(Map.of("capabilities", "unheard-of, code review")))
                .containsExactly(agent.id());
        assertThat(client.listed(Map.of("capabilities", "code"))).isEmpty();
    }

    @Test
    @Tag("R16-01")
    @Tag("R16-22")
    void an_agent_with_a_capacity_of_0_has_no_free_capacity() {
        TestAgent agent = client.newAgent(",\"capabilities\":[\"resting\"],\"capacity\":{\"max_concurrent_tasks\":0}");
        assertThat(client.get(agent.id()).json().get("capacity"))
                .isEqualTo(Json.stored("{\"max_concurrent_tasks\":0,\"current_load\":0}"));
        assertThat(client.listed(Map.of("capabilities", "resting"))).containsExactly(agent.id());
        assertThat(client.listed(Map.of("capabilities", "resting", "min_available_capacity", "1")))
                .isEmpty();
        assertThat(agent.change("{\"capacity\":{\"max_concurrent_tasks\":2}}").status())
                .isEqualTo(200);
        assertThat(client.listed(Map.of("capabilities", "resting", "min_available_capacity", "1")))
                .containsExactly(agent.id());
        assertThat(agent.change("{\"capacity\":{\"max_concurrent_tasks\":0}}").status())
                .isEqualTo(200);
        assertThat(client.listed(Map.of("capabilities", "resting", "min_available_capacity", "1")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://billing_agent:8080/a2a", "https://_a.agents_of_b.example/?x=_y"})
    @Tag("R16-01")
    void an_endpoint_s_host_may_have_underscores(String endpoint) {
        TestAgent agent = client.newAgent(",\"endpoint\":\"" + endpoint + "\"");
        assertThat(client.get(agent.id()).json().get("endpoint").textValue()).isEqualTo(endpoint);
    }

    @Test
    @Tag("R16-01")
    void every_field_of_the_record_has_the_type_of_the_specification() {
        JsonNode example = Resources.json("rfc-0016/agent-record.json");
        String id = client.newId();
        JsonNode request =
                Json.stored(Resources.text("rfc-0016/registration-request.json").replace("agent_billing_01", id));
        JsonNode record = client.register(Json.text(request)).json();
        assertSameTypes("", example, record);
    }

    @Test
    @Tag("R16-01")
    @Tag("R16-05")
    void an_empty_registration_gets_an_id_and_the_defaults() {
        Response response = client.register("{}");
        assertThat(response.status()).isEqualTo(201);
        JsonNode record = response.json();
        assertThat(record.get("agent_id").textValue()).matches("agent_[0-9A-HJKMNP-TV-Z]{26}");
        assertThat(response.header("Location"))
                .isEqualTo("/api/v1/agents/" + record.get("agent_id").textValue());
        assertThat(record.get("heartbeat_config"))
                .isEqualTo(Json.stored(
                        "{\"interval_seconds\":30,\"unhealthy_after_seconds\":90,\"dead_after_seconds\":300}"));
        assertThat(record.get("capabilities")).isEmpty();
        assertThat(record.get("capacity")).isEqualTo(Json.stored("{\"max_concurrent_tasks\":null,\"current_load\":0}"));
        assertThat(record.get("metadata")).isEqualTo(Json.stored("{}"));
        assertThat(record.get("status").textValue()).isEqualTo("active");
        assertThat(record.get("version").intValue()).isEqualTo(1);
        for (String absent : List.of("role_id", "name", "endpoint")) {
            assertThat(record.get(absent).isNull()).as(absent).isTrue();
        }
    }

    @Test
    @Tag("R16-05")
    void a_generated_id_has_the_server_s_time_and_is_unique() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            ids.add(client.register("{\"agent_id\":null}")
                    .json()
                    .get("agent_id")
                    .textValue());
        }
        assertThat(ids).hasSize(50);
        assertThat(ids)
                .allMatch(id -> Ulid.from(id.substring("agent_".length())).getTime()
                        == system.clock().millis());
    }

    @Test
    @Tag("R16-01")
    void null_equals_an_omitted_field() {
        String id = client.newId();
        Response response = client.register("{\"agent_id\":\"" + id
                + "\",\"role_id\":null,\"name\":null,\"capabilities\":null,\"capacity\":null,\"endpoint\":null,\"a2a_version\":null,\"a2a_binding\":null,\"a2a_tenant\":null,"
                + "\"heartbeat_config\":null,\"metadata\":null,\"personal\":null,\"model\":null,\"expectations\":null,"
                + "\"agent_uri\":null,\"provider_id\":null,\"platform\":null}");
        assertThat(response.status()).isEqualTo(201);
        JsonNode silent = client.register("{}").json();
        for (Map.Entry<String, JsonNode> field : response.json().properties()) {
            if (!field.getKey().equals("agent_id")) {
                assertThat(field.getValue()).as(field.getKey()).isEqualTo(silent.get(field.getKey()));
            }
        }
    }

    @Test
    @Tag("R16-01")
    void all_registration_fields_are_stored() {
        String said =
                """
                "role_id": "r", "name": "N \\u00e9 \\ud83d\\ude00", "capabilities": ["b", "a", "b"],
                "capacity": {"max_concurrent_tasks": 7, "current_load": 3}, "endpoint": "http://localhost:8080/hook?x=1",
                "a2a_version": "1.0", "a2a_binding": "HTTP+JSON", "a2a_tenant": "acme/eu", "kind": "mcp_server",
                "heartbeat_config": {"interval_seconds": 1, "unhealthy_after_seconds": 2, "dead_after_seconds": 4},
                "metadata": {"nested": {"list": [1, 1.50, null, true, "x"]}, "big": 123456789012345678901234567890},
                "agent_uri": "did:wba:example.com:agent", "provider_id": "p", "platform": "lambda", "personal": true,
                "model": {"name": "m", "version": "2", "changed_at": "2026-02-01T01:00:00.123456+01:00"},
                "expectations": {"success_rate": 0.95, "runtime_ms": 2000, "window_seconds": 3600}
                """;
        String id = client.newId();
        Response response = client.register("{\"agent_id\":\"" + id + "\"," + said + "}");
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        JsonNode record = client.get(id).json();
        assertThat(record).isEqualTo(response.json());
        assertThat(record.get("name").textValue()).isEqualTo("N é 😀");
        assertThat(record.get("capabilities")).isEqualTo(Json.stored("[\"b\",\"a\"]"));
        assertThat(record.get("capacity")).isEqualTo(Json.stored("{\"max_concurrent_tasks\":7,\"current_load\":0}"));
        assertThat(record.get("a2a_version").textValue()).isEqualTo("1.0");
        assertThat(record.get("a2a_binding").textValue()).isEqualTo("HTTP+JSON");
        assertThat(record.get("a2a_tenant").textValue()).isEqualTo("acme/eu");
        assertThat(record.get("kind").textValue()).isEqualTo("mcp_server");
        assertThat(record.get("endpoint").textValue()).isEqualTo("http://localhost:8080/hook?x=1");
        assertThat(Json.text(record.get("metadata")))
                .isEqualTo("{\"nested\":{\"list\":[1,1.50,null,true,\"x\"]},\"big\":123456789012345678901234567890}");
        assertThat(record.get("model").get("changed_at").textValue()).isEqualTo("2026-02-01T00:00:00.123Z");
        assertThat(Json.text(record.get("expectations")))
                .isEqualTo("{\"success_rate\":0.95,\"runtime_ms\":2000,\"window_seconds\":3600}");
        assertThat(record.get("personal").booleanValue()).isTrue();
        assertThat(record.get("agent_uri").textValue()).isEqualTo("did:wba:example.com:agent");
        assertThat(record.get("provider_id").textValue()).isEqualTo("p");
        assertThat(record.get("platform").textValue()).isEqualTo("lambda");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "`{\"interval_seconds\": 20}`, 20, 90, 300",
                "`{\"interval_seconds\": 45}`, 45, 90, 300",
                "`{\"unhealthy_after_seconds\": 60}`, 30, 60, 300",
                "`{\"unhealthy_after_seconds\": 150}`, 30, 150, 300",
                "`{\"dead_after_seconds\": 180}`, 30, 90, 180",
                "`{\"interval_seconds\": null, \"dead_after_seconds\": 86400}`, 30, 90, 86400",
                "`{\"interval_seconds\": 86400, \"unhealthy_after_seconds\": 172800, \"dead_after_seconds\": 345600}`, 86400, 172800, 345600",
                "`{}`, 30, 90, 300"
            })
    @Tag("R16-01")
    @Tag("R16-08")
    void a_partial_configuration_is_completed_with_the_defaults(String config, int interval, int unhealthy, int dead) {
        TestAgent agent = client.newAgent(",\"heartbeat_config\":" + config);
        assertThat(client.get(agent.id()).json().get("heartbeat_config"))
                .isEqualTo(Json.stored("{\"interval_seconds\":" + interval + ",\"unhealthy_after_seconds\":" + unhealthy
                        + ",\"dead_after_seconds\":" + dead + "}"));
        assertThat(agent.pulse().config().deadAfterSeconds()).isEqualTo(dead);
    }

    @ParameterizedTest
    @CsvSource({
        "30, 59, 300, unhealthy_after_seconds",
        "30, 60, 119, dead_after_seconds",
        "46,   ,    , unhealthy_after_seconds",
        "  , 151,   , dead_after_seconds",
        "30, 30, 30, unhealthy_after_seconds dead_after_seconds",
        "86401, 200000, 500000, interval_seconds",
        "0, 90, 300, interval_seconds",
        "30, 90, 2592001, dead_after_seconds"
    })
    @Tag("R16-08")
    void thresholds_below_twice_the_previous_value_are_refused(
            String interval, String unhealthy, String dead, String fields) {
        StringBuilder config = new StringBuilder("{\"interval_seconds\":" + orNull(interval));
        config.append(",\"unhealthy_after_seconds\":").append(orNull(unhealthy));
        config.append(",\"dead_after_seconds\":").append(orNull(dead)).append('}');
        Response response = client.register("{\"heartbeat_config\":" + config + "}");
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().get("errors").findValuesAsText("field"))
                .containsExactlyInAnyOrderElementsOf(List.of(fields.split(" ")).stream()
                        .map(field -> "heartbeat_config." + field)
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"active", "draining", "unhealthy"})
    @Tag("R16-07")
    void an_id_in_use_is_a_conflict(String status) {
        TestAgent agent = client.newAgent("");
        if (status.equals("draining")) {
            client.patchStatus(agent.id(), "*", Resources.text("rfc-0016/drain-request.json"));
        } else if (status.equals("unhealthy")) {
            agent.becomeUnhealthy();
        }
        JsonNode before = client.get(agent.id()).json();
        for (String key : List.of(TestSystem.AGENT_KEY, TestSystem.OTHER_AGENT_KEY, TestSystem.ADMINISTRATOR_KEY)) {
            Response response = client.register(key, "{\"agent_id\":\"" + agent.id() + "\",\"name\":\"usurper\"}");
            assertThat(response.status()).isEqualTo(409);
            assertThat(response.json().get("error").textValue()).isEqualTo("agent_exists");
            assertThat(response.json().get("detail").textValue()).contains(agent.id(), status);
        }
        assertThat(client.get(agent.id()).json()).isEqualTo(before);
        agent.assertHistoryIsWhole("after refused registrations");
    }

    @Test
    @Tag("R16-25")
    void agents_of_one_role_are_independent() {
        TestAgent one = client.newAgent(",\"role_id\":\"twins\"");
        TestAgent two = client.newAgent(",\"role_id\":\"twins\"");
        one.deregister();
        assertThat(client.get(two.id()).json().get("status").textValue()).isEqualTo("active");
        assertThat(one.events()).allMatch(e -> e.get("agent_id").textValue().equals(one.id()));
        assertThat(two.events()).hasSize(1);
    }

    /** The fields of the response that the specification's example contains. */
    private static JsonNode shownBy(Response response, String example) {
        var shown = Json.object();
        Resources.json(example)
                .fieldNames()
                .forEachRemaining(name -> shown.set(name, response.json().get(name)));
        return shown;
    }

    private static void assertSameTypes(String path, JsonNode expected, JsonNode actual) {
        for (Map.Entry<String, JsonNode> field : expected.properties()) {
            JsonNode found = actual.path(field.getKey());
            assertThat(found.getNodeType())
                    .as(path + field.getKey())
                    .isEqualTo(field.getValue().getNodeType());
            if (field.getValue().isIntegralNumber()) {
                assertThat(found.isIntegralNumber()).as(path + field.getKey()).isTrue();
            }
            assertSameTypes(path + field.getKey() + ".", field.getValue(), found);
        }
    }

    private static String orNull(String number) {
        return number == null ? "null" : number;
    }
}
