package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.sweep.MassSilenceRule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules that contain agents: what the sweep publishes and does, and what the guards hold back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContainmentSweepTest {

    private static final String LOOPS = "\"when\":{\"reasons\":[\"looping\"]}";

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    void observing_publishes_an_event_and_lets_calls_pass() {
        put("runaway", LOOPS + ",\"action\":\"block\"", 201);
        TestAgent agent = looping("a", "");
        harness.sweep();
        harness.sweep();
        List<JsonNode> events = events(agent, "containment.would_act");
        assertThat(events).hasSize(1);
        assertThat(events.get(0).path("rule").textValue()).isEqualTo("runaway");
        assertThat(events.get(0).path("action").textValue()).isEqualTo("block");
        assertThat(events.get(0).path("reasons").toString()).isEqualTo("[\"looping\"]");
        assertThat(call(agent).json().path("error").textValue()).isEqualTo("agent_has_no_endpoint");
        agent.assertHistoryIsWhole("an observed rule");
        JsonNode dryRun = get("runaway").path("cases").path(0);
        assertThat(dryRun.path("agent_id").textValue()).isEqualTo("a");
        assertThat(dryRun.path("step").textValue()).isEqualTo("would_act");
        assertThat(dryRun.path("observed").booleanValue()).isTrue();
        assertThat(list().path(0).path("would_act_agents").intValue()).isEqualTo(1);
    }

    @Test
    void a_dry_run_keeps_the_last_seven_days() {
        put("runaway", LOOPS + ",\"action\":\"block\"", 201);
        TestAgent agent = looping("a", "");
        harness.sweep();
        repeat(agent, 0);
        harness.passTime(30, agent::sendHeartbeat);
        assertThat(get("runaway").path("cases").path(0).path("step").textValue())
                .isEqualTo("over");
        harness.system().clock().advanceSeconds(7 * 86_400 - 60);
        assertThat(get("runaway").path("cases")).hasSize(1);
        harness.system().clock().advanceSeconds(120);
        assertThat(get("runaway").path("cases")).isEmpty();
    }

    @Test
    void enforcing_refuses_calls_and_names_the_rule() {
        put("runaway", LOOPS + ",\"action\":\"block\",\"mode\":\"enforce\"", 201);
        TestAgent agent = looping("a", "");
        harness.sweep();
        harness.sweep();
        TestApi.Response refused = call(agent);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().path("error").textValue()).isEqualTo("agent_blocked");
        assertThat(refused.json().path("containment_rule").textValue()).isEqualTo("runaway");
        List<JsonNode> events = events(agent, "agent.trust");
        assertThat(events).hasSize(1);
        assertThat(events.get(0).path("actor").textValue()).isEqualTo("containment/runaway");
        assertThat(events.get(0).path("reason").textValue()).isEqualTo("containment rule runaway: looping");
        agent.assertHistoryIsWhole("an enforced rule");
        assertThat(get("runaway").path("cases").path(0).path("step").textValue())
                .isEqualTo("acted");
    }

    @Test
    void a_rule_that_is_enforced_later_acts_on_agents_that_it_observed() {
        put("runaway", LOOPS + ",\"action\":\"block\"", 201);
        TestAgent agent = looping("a", "");
        harness.sweep();
        put("runaway", LOOPS + ",\"action\":\"block\",\"mode\":\"enforce\"", 200);
        harness.sweep();
        assertThat(call(agent).status()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({"10, 2, 8", "3, 1, 2"})
    void a_rule_that_would_contain_a_whole_role_stops_at_its_guard_and_says_so(int agents, int contained, int held) {
        put("runaway", LOOPS + ",\"action\":\"block\",\"mode\":\"enforce\"", 201);
        List<TestAgent> fleet =
                IntStream.range(0, agents).mapToObj(i -> looping("a" + i, "")).toList();
        harness.sweep();
        harness.sweep();
        harness.sweep();
        assertThat(fleet.stream().filter(agent -> call(agent).status() == 403)).hasSize(contained);
        List<JsonNode> events = harness.registryEvents("containment.held_back");
        assertThat(events).hasSize(1);
        assertThat(events.get(0).path("guard").textValue()).isEqualTo("share_of_role");
        assertThat(events.get(0).path("role_id").textValue()).isEqualTo("worker");
        assertThat(events.get(0).path("agents").intValue()).isEqualTo(held);
        assertThat(list().path(0).path("held_back").path("guard").textValue()).isEqualTo("share_of_role");
        fleet.forEach(agent -> repeat(agent, 0));
        harness.sweep();
        assertThat(list().path(0).has("held_back")).isFalse();
    }

    @Test
    void a_rule_leaves_the_minimum_of_a_pool() {
        TestApi.Response workflow = api().put("/api/v1/workflows/w")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("agents: {worker: {pool: {min_instances: 4}}}")
                .send();
        assertThat(workflow.status()).as(workflow.text()).isBetween(200, 201);
        put("runaway", LOOPS + ",\"action\":\"block\",\"mode\":\"enforce\"", 201);
        List<TestAgent> fleet =
                IntStream.range(0, 4).mapToObj(i -> looping("a" + i, "")).toList();
        harness.sweep();
        assertThat(fleet.stream().filter(agent -> call(agent).status() == 403)).isEmpty();
        assertThat(harness.registryEvents("containment.held_back")
                        .get(0)
                        .path("guard")
                        .textValue())
                .isEqualTo("pool_minimum");
        fleet = new ArrayList<>(fleet);
        fleet.add(harness.agent("b"));
        fleet.get(4).sendHeartbeat();
        harness.sweep();
        assertThat(fleet.stream().filter(agent -> call(agent).status() == 403)).hasSize(1);
    }

    @Test
    void a_rule_spares_an_agent_for_an_hour_after_a_person_unblocked_it() {
        put("runaway", LOOPS + ",\"action\":\"block\",\"mode\":\"enforce\"", 201);
        TestAgent agent = looping("a", "");
        harness.sweep();
        TestApi.Response unblocked = api().post("/v1/admin/agents/a/unblock")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{}")
                .send();
        assertThat(unblocked.status()).as(unblocked.text()).isEqualTo(200);
        harness.sweep();
        assertThat(get("runaway").path("cases").path(0).path("step").textValue())
                .isEqualTo("released");
        repeat(agent, 0);
        harness.sweep();
        repeat(agent, 20);
        harness.sweep();
        assertThat(list().path(0).path("held_back").path("guard").textValue()).isEqualTo("unblocked_by_person");
        harness.passTime(3_500, () -> repeat(agent, 20));
        assertThat(call(agent).status()).isNotEqualTo(403);
        harness.passTime(120, () -> repeat(agent, 20));
        assertThat(call(agent).status()).isEqualTo(403);
    }

    @Test
    void a_reason_has_to_hold() {
        put("runaway", "\"when\":{\"reasons\":[\"looping\"],\"for_seconds\":90},\"action\":\"block\"", 201);
        TestAgent agent = looping("a", "");
        harness.sweep();
        harness.passTime(60, () -> repeat(agent, 20));
        repeat(agent, 0);
        harness.sweep();
        assertThat(get("runaway").path("cases")).isEmpty();
        repeat(agent, 20);
        harness.sweep();
        harness.passTime(60, () -> repeat(agent, 20));
        assertThat(events(agent, "containment.would_act")).isEmpty();
        harness.passTime(30, () -> repeat(agent, 20));
        assertThat(events(agent, "containment.would_act")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"roles\":[\"other\"]} | 0",
                "{\"roles\":[\"worker\",\"other\"]} | 1",
                "{\"owners\":[\"nobody\"]} | 0",
                "{\"capabilities\":[\"refund\"]} | 0",
                "{\"capabilities\":[\"refund\",\"test\"]} | 1",
                "{\"kind\":\"mcp_server\"} | 0",
                "{\"kind\":\"agent\"} | 1",
                "{\"providers\":[\"acme\"]} | 1",
                "{\"providers\":[\"other\"]} | 0",
            })
    void a_filter_names_the_agents(String filter, int acts) {
        put("runaway", LOOPS + ",\"action\":\"block\",\"filter\":" + filter, 201);
        TestAgent agent = looping("a", ",\"provider_id\":\"acme\"");
        harness.sweep();
        assertThat(events(agent, "containment.would_act")).hasSize(acts);
        assertThat(get("runaway").path("cases")).hasSize(acts);
    }

    @Test
    void a_minimum_number_of_executions_is_needed() {
        put("runaway", "\"when\":{\"reasons\":[\"looping\"],\"min_executions\":10},\"action\":\"block\"", 201);
        TestAgent agent = looping("a", "");
        harness.sweep();
        assertThat(events(agent, "containment.would_act")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"drain", "restart"})
    void a_rule_asks_an_agent_to_drain_or_to_restart_once(String action) {
        put("runaway", LOOPS + ",\"mode\":\"enforce\",\"action\":\"" + action + "\"", 201);
        TestAgent agent = looping("a", "");
        harness.sweep();
        harness.sweep();
        assertThat(agent.sendHeartbeat()
                        .json()
                        .path("pending_commands")
                        .path(0)
                        .path("command")
                        .textValue())
                .isEqualTo(action);
        assertThat(agent.pulse().coordination().pendingDrain().reason()).isEqualTo("rule runaway");
        assertThat(events(agent, "containment.acted")).hasSize(1);
        agent.assertHistoryIsWhole("a command of a rule");
    }

    @Test
    void no_rule_acts_during_mass_silence() {
        harness.passToTheNextMinute();
        put("runaway", LOOPS + ",\"action\":\"block\",\"mode\":\"enforce\"", 201);
        harness.fleet("silent-", 60, SweepHarness.SHORT_LIVED);
        TestAgent agent = looping("a", "");
        harness.system().clock().advanceSeconds(SweepHarness.TICK);
        repeat(agent, 20);
        harness.sweep();
        assertThat(harness.registryEvents("registry.mass_silence")).hasSize(1);
        assertThat(get("runaway").path("cases")).isEmpty();
        assertThat(call(agent).status()).isNotEqualTo(403);
    }

    @Test
    void no_rule_acts_during_a_blackout_of_the_registry() {
        harness.agent("silent");
        harness.passTime(270);
        harness.publicApi().dropHeartbeats();
        TestAgent agent = looping("a", "");
        harness.passTime(90, () -> repeat(agent, 20));
        assertThat(harness.registryEvents("registry.blackout")).hasSize(1);
        put("runaway", LOOPS + ",\"action\":\"block\",\"mode\":\"enforce\"", 201);
        repeat(agent, 20);
        harness.sweep();
        assertThat(get("runaway").path("cases")).isEmpty();
        harness.publicApi().acceptHeartbeats();
        harness.passTime(60, () -> repeat(agent, 20));
        assertThat(get("runaway").path("cases").findValuesAsText("step")).containsExactly("acted");
    }

    @Test
    void no_rule_acts_on_agents_whose_model_provider_fails_for_many() {
        List<TestAgent> fleet =
                IntStream.range(0, 6).mapToObj(i -> looping("a" + i, "")).toList();
        fleet.forEach(this::meetTheLimitOfTheProvider);
        harness.sweep();
        assertThat(harness.registryEvents("upstream.failing")).hasSize(1);
        put("runaway", LOOPS + ",\"action\":\"block\",\"mode\":\"enforce\"", 201);
        harness.sweep();
        harness.sweep();
        assertThat(fleet).allMatch(agent -> call(agent).status() != 403);
        assertThat(get("runaway").path("cases").findValuesAsText("step"))
                .hasSize(6)
                .doesNotContain("acted");
        TestAgent other = looping("b", "");
        harness.sweep();
        assertThat(call(other).status()).isEqualTo(403);
    }

    @Test
    void a_silent_agent_is_no_reason_to_act() {
        put(
                "every",
                "\"mode\":\"enforce\",\"action\":\"block\",\"when\":{\"reasons\":[\"looping\",\"stalled\",\"low_success\","
                        + "\"restarts\",\"last_run_failed\",\"active_while_gone\"]}",
                201);
        TestAgent agent = new TestAgent(harness.system(), "a");
        agent.register(SweepHarness.SHORT_LIVED);
        agent.sendHeartbeat();
        harness.passTime(90);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(get("every").path("cases")).isEmpty();
    }

    @Test
    void a_sweep_in_shards_contains_no_more_than_the_share() {
        put("runaway", LOOPS + ",\"action\":\"block\",\"mode\":\"enforce\"", 201);
        List<TestAgent> fleet =
                IntStream.range(0, 10).mapToObj(i -> looping("a" + i, "")).toList();
        harness.configure(1, 5, MassSilenceRule.DEFAULT);
        harness.sweep();
        assertThat(fleet.stream().filter(agent -> call(agent).status() == 403)).hasSize(2);
    }

    @Test
    void a_contained_agent_that_leaves_makes_room_for_another() {
        put("runaway", LOOPS + ",\"action\":\"block\",\"mode\":\"enforce\"", 201);
        TestAgent first = looping("a", "");
        harness.sweep();
        TestAgent second = looping("b", "");
        harness.sweep();
        harness.sweep();
        assertThat(call(first).status()).isEqualTo(403);
        assertThat(call(second).status()).isNotEqualTo(403);
        first.deregister();
        harness.sweep();
        assertThat(call(second).status()).isEqualTo(403);
    }

    @Test
    void a_deleted_rule_lifts_nothing_and_its_cases_go() {
        put("runaway", LOOPS + ",\"action\":\"block\",\"mode\":\"enforce\"", 201);
        TestAgent agent = looping("a", "");
        harness.sweep();
        assertThat(api().delete("/v1/admin/containment/runaway")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(204);
        harness.sweep();
        assertThat(call(agent).status()).isEqualTo(403);
        put("runaway", LOOPS + ",\"action\":\"block\"", 201);
        assertThat(get("runaway").path("cases")).isEmpty();
    }

    private TestAgent looping(String id, String more) {
        TestAgent agent = new TestAgent(harness.system(), id);
        TestApi.Response response = agent.register(",\"heartbeat_config\":{\"max_repeats\":10}" + more);
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        repeat(agent, 20);
        return agent;
    }

    private void meetTheLimitOfTheProvider(TestAgent agent) {
        String outcomes = String.join(
                ",",
                Collections.nCopies(
                        12,
                        "{\"result\":\"failure\",\"upstream\":{\"provider\":\"openai\",\"error\":\"rate_limited\"}}"));
        TestApi.Response response = api().post("/api/v1/agents/" + agent.id() + "/outcomes")
                .key(TestSystem.AGENT_KEY)
                .body("{\"batch_id\":\"" + agent.id() + "\",\"outcomes\":[" + outcomes + "]}")
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(202);
    }

    private static void repeat(TestAgent agent, int repeats) {
        TestApi.Response response = agent.sendHeartbeat(
                "active",
                ",\"activity\":{\"phase\":\"tool\",\"no_progress_seconds\":1,\"repeats\":" + repeats
                        + ",\"tool\":\"x\"}");
        assertThat(response.status()).as(response.text()).isEqualTo(200);
    }

    private static List<JsonNode> events(TestAgent agent, String type) {
        return agent.events().stream()
                .filter(event -> event.get("type").textValue().equals(type))
                .toList();
    }

    private void put(String name, String fields, int status) {
        TestApi.Response response = api().put("/v1/admin/containment/" + name)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{" + fields + "}")
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(status);
    }

    private JsonNode get(String name) {
        return api().get("/v1/admin/containment/" + name)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json();
    }

    private JsonNode list() {
        return api().get("/v1/admin/containment")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .path("rules");
    }

    private TestApi.Response call(TestAgent agent) {
        return api().post("/v1/agents/" + agent.id() + "/invoke")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"message\":\"hello\"}")
                .send();
    }

    private TestApi api() {
        return harness.system().api();
    }
}
