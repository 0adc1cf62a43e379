package dev.agenthealth.functions.registry.openintent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.api.routes.Route;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The requests of OpenIntent's SDK 0.17.0 as it sends them, and what it reads of the answers. */
class OpenIntentTest {

    private static final String API = "/openintent/api/v1";
    private static final String AGENT = API + "/agents/oi_a";
    private static final String LEASES = API + "/intents/intent_1/leases";
    private static final String EVENTS = API + "/intents/intent_1/events";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private TestApi.Request request(String method, String path) {
        return system.api()
                .request(method, path)
                .key(TestSystem.AGENT_KEY)
                .header("x-agent-id", "oi_a")
                .header("content-type", "application/json");
    }

    private Response send(String method, String path, String body) {
        return request(method, path).body(body).send();
    }

    private Response get(String path) {
        return request("GET", path).send();
    }

    private void register() {
        assertThat(send("POST", API + "/agents/register", "{\"agent_id\":\"oi_a\",\"capabilities\":[\"research\"]}")
                        .status())
                .isEqualTo(201);
    }

    private JsonNode acquire(String scope) {
        Response response = send("POST", LEASES, "{\"scope\":\"" + scope + "\",\"duration_seconds\":300}");
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        return response.json();
    }

    /** What Python's {@code datetime.fromisoformat} reads in every version, and without a zone. */
    private static LocalDateTime time(JsonNode field) {
        assertThat(field.asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}");
        return LocalDateTime.parse(field.asText());
    }

    @Test
    void an_agent_is_registered_with_everything_that_the_sdk_can_say() {
        Response response = send(
                "POST",
                API + "/agents/register",
                """
                {"agent_id":"oi_a","capabilities":["research"],"role_id":"researcher","name":"A",
                 "capacity":{"max_concurrent_tasks":3},"endpoint":"https://a.example.com/",
                 "heartbeat_config":{"interval_seconds":2,"unhealthy_after_seconds":6,"dead_after_seconds":20},
                 "metadata":{"x":1},"drain_timeout_seconds":60}
                """);
        assertThat(response.status()).isEqualTo(201);
        JsonNode agent = response.json();
        assertThat(agent.path("status").asText()).isEqualTo("active");
        assertThat(agent.path("role_id").asText()).isEqualTo("researcher");
        assertThat(agent.path("capabilities")).isEqualTo(Json.stored("[\"research\"]"));
        assertThat(agent.path("capacity")).isEqualTo(Json.stored("{\"max_concurrent_tasks\":3,\"current_load\":0}"));
        assertThat(agent.path("heartbeat_config").path("dead_after_seconds").asInt())
                .isEqualTo(20);
        assertThat(agent.path("metadata")).isEqualTo(Json.stored("{\"x\":1}"));
        assertThat(agent.path("version").asInt()).isEqualTo(1);
        assertThat(time(agent.path("registered_at"))).isEqualTo(time(agent.path("last_heartbeat_at")));
        assertThat(get(AGENT + "/record").json()).isEqualTo(agent);
        assertThat(new TestAgent(system, "oi_a").pulse().workload().maxConcurrentTasks())
                .isEqualTo(3);
    }

    @Test
    void a_mistake_in_a_detail_of_a_heartbeat_is_a_warning_and_the_missing_time_is_none() {
        register();
        Response plain = send("POST", AGENT + "/heartbeat", "{\"status\":\"active\",\"current_load\":1}");
        assertThat(plain.json().has("warnings")).isFalse();
        Response odd = send(
                "POST", AGENT + "/heartbeat", "{\"status\":\"active\",\"current_load\":2.5,\"tasks_in_progress\":[1]}");
        assertThat(odd.status()).isEqualTo(200);
        assertThat(odd.json().path("warnings").findValuesAsText("field"))
                .containsExactly("current_load", "tasks_in_progress");
        assertThat(send("POST", AGENT + "/heartbeat", "{\"status\":\"dead\"}").status())
                .isEqualTo(400);
        assertThat(new TestAgent(system, "oi_a").pulse().heartbeatCount()).isEqualTo(2);
    }

    @Test
    void an_agent_without_an_id_is_given_one() {
        Response response = send("POST", API + "/agents/register", "{}");
        assertThat(response.status()).isEqualTo(201);
        assertThat(response.json().path("agent_id").asText()).startsWith("agent_");
    }

    @Test
    void the_rules_of_registrations_hold_and_their_errors_have_a_message() {
        register();
        Response again = send("POST", API + "/agents/register", "{\"agent_id\":\"oi_a\",\"capabilities\":[]}");
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text()).doesNotContainIgnoringCase("lease");
        assertThat(again.json().path("message").asText()).startsWith("Agent 'oi_a' is active.");
        Response invalid = send("POST", API + "/agents/register", "{\"agent_id\":\"a b\",\"colour\":1}");
        assertThat(invalid.status()).isEqualTo(400);
        assertThat(invalid.json().path("errors").findValuesAsText("field")).containsExactly("agent_id", "colour");
        for (String body : new String[] {"", "[]", "{", "\"text\""}) {
            assertThat(send("POST", API + "/agents/register", body).status())
                    .as(body)
                    .isEqualTo(400);
        }
    }

    @Test
    void a_drain_timeout_that_is_no_number_is_named() {
        Response invalid =
                send("POST", API + "/agents/register", "{\"drain_timeout_seconds\":\"#\",\"no_such_field\":1}");
        assertThat(invalid.status()).isEqualTo(400);
        assertThat(invalid.json().path("errors").findValuesAsText("field"))
                .containsExactlyInAnyOrder("drain_timeout_seconds", "no_such_field");
    }

    @Test
    void a_list_is_a_bare_array_of_the_live_agents_or_of_those_of_a_status() {
        register();
        JsonNode agents = get(API + "/agents").json();
        assertThat(agents.isArray()).isTrue();
        assertThat(agents.findValuesAsText("agent_id")).containsExactly("oi_a");
        time(agents.get(0).path("last_heartbeat_at"));
        new TestAgent(system, "oi_a").becomeUnhealthy();
        assertThat(get(API + "/agents").json().findValuesAsText("status")).containsExactly("unhealthy");
        assertThat(request("GET", API + "/agents")
                        .query("status", "active")
                        .send()
                        .json())
                .isEmpty();
        assertThat(request("GET", API + "/agents")
                        .query("role_id", "other")
                        .send()
                        .json())
                .isEmpty();
        assertThat(request("GET", API + "/agents").query("colour", "red").send().status())
                .isEqualTo(400);
        assertThat(request("GET", API + "/agents")
                        .query("status", "gone")
                        .send()
                        .status())
                .isEqualTo(400);
    }

    @Test
    void a_heartbeat_needs_no_time_and_follows_the_same_rules() {
        register();
        Response response = send(
                "POST",
                AGENT + "/heartbeat",
                """
                        {"status":"active","current_load":2,"tasks_in_progress":["t1"]}\
                        """);
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().path("agent_status").asText()).isEqualTo("active");
        assertThat(response.json().path("pending_commands").isArray()).isTrue();
        assertThat(response.json().has("warnings")).isFalse();
        assertThat(new TestAgent(system, "oi_a").pulse().workload().load()).isEqualTo(2);
        assertThat(request("POST", AGENT + "/heartbeat")
                        .key(TestSystem.OTHER_AGENT_KEY)
                        .body("{\"status\":\"active\"}")
                        .send()
                        .status())
                .isEqualTo(403);
        assertThat(send("POST", AGENT + "/heartbeat", "").status()).isEqualTo(200);
        assertThat(send("POST", AGENT + "/heartbeat", "{").status()).isEqualTo(400);
        assertThat(send("POST", AGENT + "/heartbeat", "{\"current_load\":-1}")
                        .json()
                        .path("errors")
                        .findValuesAsText("field"))
                .contains("status", "current_load");
    }

    @Test
    void a_heartbeat_costs_what_every_heartbeat_costs() {
        register();
        String body = "{\"status\":\"active\",\"current_load\":0,\"tasks_in_progress\":[]}";
        send("POST", AGENT + "/heartbeat", body);
        system.clock().advanceSeconds(30);
        system.meter().reset();
        send("POST", AGENT + "/heartbeat", body);
        assertThat(system.meter().operations()).containsExactly("UpdateItem");
        assertThat(system.meter().writeUnits()).isEqualTo(1);
        assertThat(system.meter().readUnits()).isZero();
    }

    @Test
    void a_status_is_changed_without_a_version_or_with_a_bare_one() {
        register();
        assertThat(request("PATCH", AGENT + "/status")
                        .header("if-match", "99")
                        .body("{\"status\":\"draining\"}")
                        .send()
                        .status())
                .isEqualTo(412);
        Response draining = request("PATCH", AGENT + "/status")
                .header("if-match", "1")
                .body("{\"status\":\"draining\"}")
                .send();
        assertThat(draining.status()).as(draining.text()).isEqualTo(200);
        assertThat(draining.json().path("status").asText()).isEqualTo("draining");
        assertThat(send("PATCH", AGENT + "/status", "{\"status\":\"active\"}").status())
                .isEqualTo(409);
        assertThat(send("PATCH", AGENT + "/status", "{\"status\":\"deregistered\"}")
                        .status())
                .isEqualTo(200);
        assertThat(send("POST", AGENT + "/heartbeat", "{\"status\":\"active\"}").status())
                .isEqualTo(410);
    }

    @Test
    void a_lease_is_the_one_of_the_agent_in_the_header() {
        register();
        JsonNode lease = acquire("analysis");
        assertThat(lease.path("agent_id").asText()).isEqualTo("oi_a");
        assertThat(lease.path("status").asText()).isEqualTo("active");
        assertThat(time(lease.path("expires_at")))
                .isEqualTo(time(lease.path("acquired_at")).plusSeconds(300));
        assertThat(get(LEASES).json().path("leases").findValuesAsText("id"))
                .containsExactly(lease.path("id").asText());
        system.clock().advanceSeconds(10);
        String one = LEASES + "/" + lease.path("id").asText();
        JsonNode renewed = send("PATCH", one, "{\"duration_seconds\":300}").json();
        assertThat(time(renewed.path("expires_at")))
                .isEqualTo(time(lease.path("expires_at")).plusSeconds(10));
        Response released = request("DELETE", one).send();
        assertThat(released.status()).isEqualTo(204);
        assertThat(get(LEASES).json().path("leases")).isEmpty();
    }

    @Test
    void a_lease_of_another_agent_is_a_conflict_that_the_sdk_takes_for_one_of_leases() {
        register();
        acquire("analysis");
        assertThat(request("POST", API + "/agents/register")
                        .key(TestSystem.OTHER_AGENT_KEY)
                        .body("{\"agent_id\":\"oi_b\",\"capabilities\":[]}")
                        .send()
                        .status())
                .isEqualTo(201);
        Response refused = request("POST", LEASES)
                .key(TestSystem.OTHER_AGENT_KEY)
                .header("x-agent-id", "oi_b")
                .body("{\"scope\":\"analysis\",\"duration_seconds\":300}")
                .send();
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).containsIgnoringCase("lease");
        Response ofOther = request("POST", LEASES)
                .key(TestSystem.OTHER_AGENT_KEY)
                .body("{\"scope\":\"writing\",\"duration_seconds\":300}")
                .send();
        assertThat(ofOther.status())
                .as("the header names an agent of another key")
                .isEqualTo(403);
        Response invalid = request("POST", LEASES)
                .header("x-agent-id", "a b")
                .body("{\"scope\":\"writing\"}")
                .send();
        assertThat(invalid.json().path("errors").findValuesAsText("field")).containsExactly("agent_id");
    }

    @Test
    void events_have_only_types_that_the_sdk_knows() {
        register();
        JsonNode released = acquire("a");
        request("DELETE", LEASES + "/" + released.path("id").asText()).send();
        JsonNode revoked = acquire("b");
        assertThat(system.api()
                        .post("/api/v1/intents/intent_1/leases/"
                                + revoked.path("id").asText() + "/revoke")
                        .key(TestSystem.COORDINATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(200);
        acquire("c");
        system.clock().advanceSeconds(301);
        acquire("c");
        JsonNode events =
                request("GET", EVENTS).query("limit", "100").send().json().path("events");
        assertThat(events.findValuesAsText("event_type"))
                .hasSize(7)
                .allMatch(Set.of("lease_acquired", "lease_released")::contains);
        assertThat(events.findValuesAsText("type")).contains("lease.expired", "lease.revoked");
        for (JsonNode event : events) {
            assertThat(event.path("id").asText()).isNotEmpty();
            assertThat(event.path("intent_id").asText()).isEqualTo("intent_1");
            assertThat(event.path("actor").asText()).isEqualTo("oi_a");
            time(event.path("created_at"));
        }
    }

    @Test
    void events_are_filtered_by_type_number_and_time() {
        register();
        acquire("a");
        system.clock().advanceSeconds(60);
        request("DELETE", LEASES + "/" + acquire("b").path("id").asText()).send();
        assertThat(types(Map.of("event_type", "lease_released"))).containsExactly("lease_released");
        assertThat(types(Map.of("event_type", "comment"))).isEmpty();
        assertThat(types(Map.of("limit", "2"))).containsExactly("lease_acquired", "lease_acquired");
        String later = system.clock().instant().minusSeconds(30).toString();
        for (String since : new String[] {later, later.replace("Z", ""), later.replace("Z", "+00:00")}) {
            assertThat(types(Map.of("since", since, "limit", "100")))
                    .as(since)
                    .containsExactly("lease_acquired", "lease_released");
        }
        for (Map<String, String> bad : Map.of("limit", "0", "since", "yesterday", "colour", "red").entrySet().stream()
                .map(entry -> Map.of(entry.getKey(), entry.getValue()))
                .toList()) {
            assertThat(events(bad).status()).as(bad.toString()).isEqualTo(400);
        }
    }

    private Response events(Map<String, String> query) {
        TestApi.Request request = request("GET", EVENTS);
        query.forEach(request::query);
        return request.send();
    }

    private Iterable<String> types(Map<String, String> query) {
        return events(query).json().path("events").findValuesAsText("event_type");
    }

    @Test
    void each_route_has_the_callers_and_options_of_the_one_that_it_leads_to() {
        Map<String, Route> routes = new HashMap<>();
        system.api().routes().forEach(route -> routes.put(route.key(), route));
        Map<String, String> others = Map.of(
                "POST /agents/register", "POST /agents",
                "GET /agents/{agent_id}/record", "GET /agents/{agent_id}");
        assertThat(routes.keySet())
                .filteredOn(key -> key.contains("/openintent/"))
                .hasSize(10)
                .allSatisfy(key -> {
                    String plain = key.replace(API, "");
                    Route other = routes.get(others.getOrDefault(plain, plain).replaceFirst(" ", " /api/v1"));
                    assertThat(routes.get(key).access())
                            .isEqualTo(other.access())
                            .isNotEqualTo(Access.PUBLIC);
                    assertThat(routes.get(key).options()).isEqualTo(other.options());
                });
    }
}
