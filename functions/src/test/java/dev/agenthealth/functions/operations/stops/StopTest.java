package dev.agenthealth.functions.operations.stops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.trust.StopStore;
import dev.agenthealth.functions.sweep.SweepHarness;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.trust.Stop;
import dev.agenthealth.model.health.trust.StopScope;
import dev.agenthealth.model.health.trust.StopScope.Kind;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One command stops agents at the gateway and asks them to drain; lifting it restores exactly what it changed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StopTest {

    private static final String ROLE = "\"role_id\":\"worker\"";

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    void a_stop_of_a_role_refuses_calls_at_once_with_its_reason() {
        TestAgent agent = harness.agent("a");
        stop(ROLE);
        TestApi.Response refused = call(agent);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().path("error").textValue()).isEqualTo("agent_stopped");
        assertThat(refused.json().path("stop_reason").textValue()).isEqualTo("it deletes invoices");
        lift("role_id=worker", 200);
        assertThat(call(agent).json().path("error").textValue()).isEqualTo("agent_has_no_endpoint");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"agent_id\":\"a\"", ROLE, "\"all\":true", "key"})
    void stopped_agents_get_a_drain_with_their_next_heartbeat(String scope) {
        TestAgent agent = harness.agent("a");
        String fields =
                scope.equals("key") ? "\"key_id\":\"" + agent.pulse().owner().keyId() + "\"" : scope;
        JsonNode stopped = stop(fields);
        assertThat(stopped.path("agents").intValue()).isEqualTo(1);
        assertThat(stopped.path("commands_changed").intValue()).isEqualTo(1);
        assertThat(stopped.path("complete").booleanValue()).isTrue();
        assertThat(commands(agent)).containsExactly("drain it deletes invoices");
        assertThat(row(agent).path("verdict").textValue()).isEqualTo("blocked");
        assertThat(row(agent).path("reasons").path(0).textValue()).isEqualTo("agent_stopped");
    }

    @Test
    void trust_records_say_that_a_stopped_agent_is_blocked() {
        harness.agent("a");
        assertThat(trust().path("blocked").booleanValue()).isFalse();
        stop(ROLE);
        assertThat(trust().path("blocked").booleanValue()).isTrue();
        assertThat(trust().path("stopped").booleanValue()).isTrue();
        assertThat(trust().path("stopped_at").textValue()).isEqualTo(Timestamps.text(harness.now()));
        assertThat(trust().path("block_reason").textValue()).isEqualTo("it deletes invoices");
        assertThat(trust()).isEqualTo(get("/v1/trust/agents").path("items").path(0));
        lift("role_id=worker", 200);
        assertThat(trust().path("blocked").booleanValue()).isFalse();
        assertThat(trust().has("stopped")).isFalse();
    }

    @Test
    void only_lifting_the_stop_unblocks_an_agent_without_a_block_of_its_own() {
        harness.agent("a");
        admin().post("/v1/admin/agents/a/block")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"reason\":\"fraud\"}")
                .send();
        stop(ROLE);
        assertThat(unblock().status()).as("its own block ends").isEqualTo(200);
        assertThat(unblock().status()).isEqualTo(403);
        assertThat(unblock().json().path("error").textValue()).isEqualTo("agent_stopped");
        lift("role_id=worker", 200);
        assertThat(trust().path("blocked").booleanValue()).isFalse();
        assertThat(unblock().status()).isEqualTo(200);
    }

    private TestApi.Response unblock() {
        return admin().post("/v1/admin/agents/a/unblock")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
    }

    @Test
    void agents_of_other_roles_go_on() {
        TestAgent agent = harness.agent("a");
        stop("\"role_id\":\"other\"");
        assertThat(commands(agent)).isEmpty();
        assertThat(call(agent).json().path("error").textValue()).isEqualTo("agent_has_no_endpoint");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_registration_during_a_stop_is_blocked_and_asked_to_drain(boolean again) {
        TestAgent agent = new TestAgent(harness.system(), "a");
        if (again) {
            agent.register("");
        }
        stop(ROLE);
        assertThat(agent.register(again ? ",\"replace\":true" : "").status()).isEqualTo(201);
        assertThat(commands(agent)).containsExactly("drain it deletes invoices");
        assertThat(call(agent).status()).isEqualTo(403);
    }

    @Test
    void lifting_withdraws_only_the_commands_of_the_stop() {
        TestAgent agent = harness.agent("a");
        TestAgent commanded = harness.agent("b");
        command(commanded);
        stop(ROLE);
        assertThat(commands(commanded)).containsExactly("drain maintenance");
        assertThat(lift("role_id=worker", 200).path("commands_changed").intValue())
                .isEqualTo(1);
        assertThat(commands(agent)).isEmpty();
        assertThat(commands(commanded)).containsExactly("drain maintenance");
    }

    @Test
    void heartbeats_name_the_reason_of_the_stop_in_force() {
        TestAgent agent = harness.agent("a");
        stop(ROLE);
        assertThat(admin().post("/v1/admin/stop")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{" + ROLE + ",\"reason\":\"it writes again\"}")
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(commands(agent)).containsExactly("drain it writes again");
    }

    @Test
    void lifting_leaves_blocks_that_were_there_before() {
        TestAgent agent = harness.agent("a");
        admin().post("/v1/admin/agents/a/block")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"reason\":\"fraud\"}")
                .send();
        JsonNode before = trust();
        stop("\"agent_id\":\"a\"");
        lift("agent_id=a", 200);
        assertThat(trust()).isEqualTo(before);
        assertThat(call(agent).json().path("error").textValue()).isEqualTo("agent_blocked");
    }

    @Test
    void an_agent_that_two_stops_cover_stays_stopped_until_both_are_lifted() {
        TestAgent agent = harness.agent("a");
        stop(ROLE);
        stop("\"all\":true");
        lift("role_id=worker", 200);
        assertThat(commands(agent)).hasSize(1);
        assertThat(call(agent).status()).isEqualTo(403);
        lift("all=true", 200);
        assertThat(commands(agent)).isEmpty();
    }

    @Test
    void the_sweep_continues_a_stop_whose_request_crashed_and_a_lift() {
        TestAgent agent = harness.agent("a");
        StopStore store = new StopStore(harness.system().database());
        Stop stop = new Stop(new StopScope(Kind.ROLE, "worker"), "it deletes invoices", "operator", harness.now());
        assertThat(store.put(store.seen(), stop)).isTrue();
        assertThat(commands(agent)).isEmpty();
        assertThat(call(agent).status()).isEqualTo(403);
        harness.sweep();
        assertThat(commands(agent)).containsExactly("drain it deletes invoices");
        assertThat(store.remove(store.seen(), stop.scope(), "operator")).isTrue();
        harness.sweep();
        assertThat(commands(agent)).isEmpty();
    }

    @Test
    void the_sweep_withdraws_no_command_of_a_stop_that_began_after_it_read_the_stops() {
        TestAgent agent = harness.agent("a");
        AgentStore agents = new AgentStore(harness.system().database());
        assertThat(agents.putPendingDrain(
                        agent.pulse(),
                        PendingDrain.ofStop("why", agent.pulse().coordination().drainTimeout())))
                .isTrue();
        stop(ROLE);
        harness.sweep();
        assertThat(commands(agent)).hasSize(1);
    }

    @Test
    void an_agent_that_drains_is_left_alone_and_the_drain_counts_as_an_operators() {
        TestAgent agent = harness.agent("a");
        stop(ROLE);
        agent.sendHeartbeat();
        agent.sendHeartbeat("draining", "");
        assertThat(stop(ROLE).path("commands_changed").intValue()).isZero();
        agent.sendHeartbeat("draining", "");
        harness.sweep();
        JsonNode record = get("/api/v1/agents/a");
        assertThat(record.path("status").textValue()).isEqualTo("deregistered");
        assertThat(record.at("/end/ended_by").textValue()).isEqualTo("operator");
    }

    @Test
    void stops_are_listed_audited_and_published() {
        harness.agent("a");
        stop(ROLE);
        stop(ROLE);
        JsonNode stops = get("/v1/admin/stop").path("stops");
        assertThat(stops).hasSize(1);
        assertThat(stops.path(0).path("stop").textValue()).isEqualTo("role:worker");
        assertThat(stops.path(0).path("reason").textValue()).isEqualTo("it deletes invoices");
        assertThat(stops.path(0).path("stopped_by").textValue()).isNotEmpty();
        lift("role_id=worker", 200);
        lift("role_id=worker", 404);
        assertThat(get("/v1/admin/stop").path("stops")).isEmpty();
        List<JsonNode> entries =
                List.copyOf(get("/v1/admin/audit").path("entries").findParents("action"));
        assertThat(entries.stream().map(entry -> entry.path("action").asText()))
                .filteredOn(action -> action.startsWith("stop."))
                .containsExactlyInAnyOrder("stop.begun", "stop.lifted");
        assertThat(entries.toString()).doesNotContain("invoices");
        harness.passTime(60);
        String events = get("/api/v1/events").toString();
        assertThat(events).contains("registry.stopped").contains("registry.stop_lifted");
        assertThat(events).doesNotContain("invoices");
    }

    @Test
    void a_key_that_was_never_issued_is_refused_and_a_role_or_an_agent_may_come_later() {
        for (String more : List.of("\"reason\":\"r\"", "\"dry_run\":true")) {
            TestApi.Response refused = admin().post("/v1/admin/stop")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .body("{\"key_id\":\"key_typo\"," + more + "}")
                    .send();
            assertThat(refused.status()).isEqualTo(404);
            assertThat(refused.json().path("error").textValue()).isEqualTo("key_not_found");
        }
        assertThat(get("/v1/admin/stop").path("stops")).isEmpty();
        TestAgent agent = new TestAgent(harness.system(), "later");
        assertThat(stop("\"agent_id\":\"later\"").path("agents").intValue()).isZero();
        agent.register("");
        assertThat(commands(agent)).containsExactly("drain it deletes invoices");
    }

    @Test
    void a_stopped_agent_does_not_leave_its_stopped_role() {
        TestAgent agent = harness.agent("a");
        stop(ROLE);
        String other = "{\"agent_id\":\"a\",\"role_id\":\"other\",\"replace\":true}";
        for (boolean gone : List.of(false, true)) {
            if (gone) {
                agent.becomeDead();
            }
            TestApi.Response refused = register(other, TestSystem.AGENT_KEY);
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.json().path("error").textValue()).isEqualTo("agent_stopped");
            assertThat(refused.json().path("stop_reason").textValue()).isEqualTo("it deletes invoices");
            assertThat(call(agent).json().path("error").textValue()).isEqualTo("agent_stopped");
        }
        lift("role_id=worker", 200);
        assertThat(register(other, TestSystem.AGENT_KEY).status()).isEqualTo(201);
    }

    @Test
    void an_administrator_moves_a_stopped_agent_to_another_role() {
        TestAgent agent = harness.agent("a");
        stop(ROLE);
        String owner = agent.pulse().owner().keyId();
        String other = "{\"agent_id\":\"a\",\"role_id\":\"other\",\"replace\":true,\"owner_key_id\":\"" + owner + "\"}";
        TestApi.Response moved = register(other, TestSystem.ADMINISTRATOR_KEY);
        assertThat(moved.status()).as(moved.text()).isEqualTo(201);
        assertThat(commands(agent)).isEmpty();
    }

    @Test
    void the_owner_neither_withdraws_nor_replaces_the_drain_of_a_stop() {
        TestAgent agent = harness.agent("a");
        stop(ROLE);
        for (String key : List.of(TestSystem.AGENT_KEY, TestSystem.ADMINISTRATOR_KEY)) {
            for (TestApi.Response refused : List.of(
                    admin().delete("/api/v1/agents/a/commands/drain").key(key).send(),
                    admin().post("/api/v1/agents/a/commands")
                            .key(key)
                            .body("{\"command\":\"drain\"}")
                            .send())) {
                assertThat(refused.status()).isEqualTo(403);
                assertThat(refused.json().path("error").textValue()).isEqualTo("agent_stopped");
            }
        }
        assertThat(commands(agent)).containsExactly("drain it deletes invoices");
        lift("role_id=worker", 200);
        assertThat(admin().delete("/api/v1/agents/a/commands/drain")
                        .key(TestSystem.AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(204);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_stopped_agent_gets_no_new_leases_and_keeps_its_own(boolean commanded) {
        TestAgent agent = harness.agent("a");
        if (commanded) {
            command(agent);
        }
        TestApi.Response kept = acquire(agent, "kept");
        assertThat(kept.status()).isEqualTo(201);
        stop(ROLE);
        TestApi.Response refused = acquire(agent, "new");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("error").textValue()).isEqualTo("agent_takes_no_work");
        assertThat(acquire(agent, "kept").status()).isEqualTo(200);
        String lease =
                "/api/v1/intents/invoice/leases/" + kept.json().path("id").textValue();
        assertThat(admin().patch(lease)
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"duration_seconds\":60}")
                        .send()
                        .status())
                .isEqualTo(200);
        lift("role_id=worker", 200);
        assertThat(acquire(agent, "new").status()).isEqualTo(201);
    }

    @Test
    void a_dry_run_counts_and_changes_nothing() {
        TestAgent agent = harness.agent("a");
        JsonNode counted = admin().post("/v1/admin/stop")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"all\":true,\"dry_run\":true}")
                .send()
                .json();
        assertThat(counted.path("agents").intValue()).isEqualTo(1);
        assertThat(commands(agent)).isEmpty();
        assertThat(get("/v1/admin/stop").path("stops")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"reason\":\"r\"}",
                "{\"all\":false,\"reason\":\"r\"}",
                "{\"all\":true}",
                "{\"all\":true,\"reason\":\" \"}",
                "{\"all\":true,\"role_id\":\"worker\",\"reason\":\"r\"}",
                "{\"role_id\":\"no role\",\"reason\":\"r\"}",
                "{\"all\":true,\"reason\":\"r\",\"until\":1}",
                "{\"all\":\"yes\",\"reason\":7}"
            })
    void a_stop_that_does_not_say_whom_or_why_is_refused(String body) {
        TestAgent agent = harness.agent("a");
        assertThat(admin().post("/v1/admin/stop")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(body)
                        .send()
                        .status())
                .isEqualTo(400);
        assertThat(commands(agent)).isEmpty();
        lift("", 400);
        lift("all=false", 400);
        lift("all=true&role_id=worker", 400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"role_id=worker&role_id=other", "agent_id=a&agent_id=a", "all=true&all=true"})
    void a_parameter_that_is_given_twice_is_named(String query) {
        stop(ROLE);
        JsonNode refused = lift(query, 400);
        assertThat(refused.path("errors")).hasSize(1);
        assertThat(refused.at("/errors/0/field").textValue()).isEqualTo(query.replaceAll("=.*", ""));
        assertThat(refused.at("/errors/0/message").textValue())
                .isEqualTo("is given twice; a request has this parameter once");
    }

    @Test
    void a_blank_reason_is_named_beside_other_errors_and_so_is_a_scope_with_two_subjects() {
        JsonNode refused = admin().post("/v1/admin/stop")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"role_id\":\"worker\",\"agent_id\":\"a\",\"reason\":\"  \",\"surprise\":1}")
                .send()
                .json();
        assertThat(refused.path("errors").findValuesAsText("field")).containsExactly("all", "reason", "surprise");
    }

    @Test
    void the_health_of_a_stopped_agent_says_that_it_is_stopped() {
        harness.agent("a");
        stop(ROLE);
        assertThat(get("/api/v1/agents/a/health").path("reasons").toString())
                .contains("An operator stopped the agent.")
                .doesNotContain("The agent is blocked.");
    }

    private JsonNode stop(String scope) {
        TestApi.Response response = admin().post("/v1/admin/stop")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{" + scope + ",\"reason\":\"it deletes invoices\"}")
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    private JsonNode lift(String query, int status) {
        TestApi.Response response =
                with(admin().delete("/v1/admin/stop"), "?" + query).send();
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        return response.json();
    }

    private TestApi.Response register(String body, String key) {
        return admin().post("/api/v1/agents").key(key).body(body).send();
    }

    private TestApi.Response acquire(TestAgent agent, String scope) {
        return admin().post("/api/v1/intents/invoice/leases")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"" + agent.id() + "\",\"scope\":\"" + scope + "\"}")
                .send();
    }

    private void command(TestAgent agent) {
        assertThat(admin().post("/api/v1/agents/" + agent.id() + "/commands")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"command\":\"drain\",\"reason\":\"maintenance\"}")
                        .send()
                        .status())
                .isEqualTo(202);
    }

    private List<String> commands(TestAgent agent) {
        return agent.sendHeartbeat().json().path("pending_commands").findParents("command").stream()
                .map(command -> command.path("command").asText() + " "
                        + command.path("reason").asText())
                .toList();
    }

    private TestApi.Response call(TestAgent agent) {
        return admin().post("/v1/agents/" + agent.id() + "/invoke")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"message\":\"hello\"}")
                .send();
    }

    private JsonNode row(TestAgent agent) {
        return get("/api/v1/agents?verdict=blocked").path("agents").path(0);
    }

    private JsonNode trust() {
        return get("/v1/trust/agents/a");
    }

    private JsonNode get(String path) {
        return with(admin().get(path.split("\\?")[0]), path).send().json();
    }

    private static TestApi.Request with(TestApi.Request request, String path) {
        TestApi.Request asked = request.key(TestSystem.ADMINISTRATOR_KEY);
        String query = path.contains("?") ? path.substring(path.indexOf('?') + 1) : "";
        for (String parameter : query.split("&")) {
            asked = parameter.isEmpty()
                    ? asked
                    : asked.query(parameter.split("=")[0], parameter.split("=")[1]);
        }
        return asked;
    }

    private TestApi admin() {
        return harness.system().api();
    }
}
