package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.MeasurementFunction;
import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits that the agents of a role or an owner share. */
class SharedLimitsTest {

    private static final String HOURLY = "\"tokens_per_hour\":10000";
    private static final int UNHEALTHY_SECONDS = 95;

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final TestSystem system = harness.system();
    private final OutcomeClient client = new OutcomeClient(system);
    private final MeasurementFunction measurement = new MeasurementFunction(system.wiring(Map.of()));
    private final TestAgent first = new TestAgent(system, "spender-1");
    private final TestAgent second = new TestAgent(system, "spender-2");
    private final TestAgent other = new TestAgent(system, "other");
    private String ownerId = "";
    private int batches;

    @BeforeEach
    void registerAgentsInTheMiddleOfAnHour() {
        system.clock().advanceSeconds(1_800);
        for (TestAgent agent : List.of(first, second)) {
            assertThat(agent.register("").status()).isEqualTo(201);
            agent.sendHeartbeat();
        }
        ownerId = first.pulse().owner().keyId();
        Response answer = system.api()
                .post("/api/v1/agents")
                .key(TestSystem.OTHER_AGENT_KEY)
                .body("{\"agent_id\":\"other\",\"role_id\":\"writer\"}")
                .send();
        assertThat(answer.status()).isEqualTo(201);
    }

    private void declare(String holder, String limits) {
        Response answer = holder.equals("role")
                ? system.api()
                        .put("/api/v1/workflows/coding")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"agents\":{\"worker\":{\"limits\":" + limits + "}}}")
                        .send()
                : system.api()
                        .patch("/v1/admin/keys/" + ownerId)
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"limits\":" + limits + "}")
                        .send();
        assertThat(answer.status()).as(answer.text()).isLessThan(300);
    }

    private void use(TestAgent agent, String usage) {
        report(agent, "b-" + ++batches, usage);
        measureAndSweep();
    }

    private void report(TestAgent agent, String batchId, String usage) {
        assertThat(client.report(agent, batchId, "{\"result\":\"success\",\"usage\":{" + usage + "}}")
                        .status())
                .isEqualTo(202);
    }

    private void measureAndSweep() {
        measurement.handleRequest(Map.of(), null);
        harness.sweep();
    }

    private void sweepLater() {
        system.clock().advanceSeconds(1);
        harness.sweep();
    }

    private JsonNode row(String agentId) {
        JsonNode agents = system.api()
                .get("/api/v1/agents")
                .query("status", "active")
                .key(TestSystem.COORDINATOR_KEY)
                .send()
                .json()
                .get("agents");
        for (JsonNode agent : agents) {
            if (agent.get("agent_id").textValue().equals(agentId)) {
                return agent;
            }
        }
        throw new AssertionError(agentId + " is not in the list");
    }

    private void assertReasons(String verdict, String... reasons) {
        for (TestAgent agent : List.of(first, second)) {
            assertThat(row(agent.id()).get("verdict").textValue()).isEqualTo(verdict);
            assertThat(row(agent.id()).get("reasons"))
                    .extracting(JsonNode::textValue)
                    .containsExactly(reasons);
        }
    }

    private List<String> levels() {
        return harness.registryEvents("shared.usage").stream()
                .map(event -> event.get("level").textValue())
                .toList();
    }

    private Block block(String agentId) {
        OfAgent subject = new OfAgent(agentId);
        return new BlockStore(system.database()).of(List.of(subject)).get(subject);
    }

    private Response invoke(String agentId) {
        return system.api()
                .post("/v1/agents/" + agentId + "/invoke")
                .key(TestSystem.COORDINATOR_KEY)
                .body("{\"message\":\"hello\"}")
                .send();
    }

    @ParameterizedTest
    @ValueSource(strings = {"role", "owner"})
    void the_sum_of_all_agents_warns_and_exceeds_the_limit_with_one_event_for_all(String holder) {
        declare(holder, "{" + HOURLY + "}");
        use(first, "\"input_tokens\":7000");
        assertReasons("ok");
        use(second, "\"output_tokens\":2000");
        assertReasons("degraded", "near_limit");
        use(first, "\"input_tokens\":2000");
        assertReasons("down", "over_limit");
        assertThat(levels()).containsExactly("warning", "exceeded");
        JsonNode exceeded = harness.registryEvents("shared.usage").get(1);
        String id = holder.equals("role") ? "worker" : ownerId;
        assertThat(exceeded.get("holder").textValue()).isEqualTo(holder);
        assertThat(exceeded.get(holder.equals("role") ? "role_id" : "key_id").textValue())
                .isEqualTo(id);
        assertThat(exceeded.get("severity").textValue()).isEqualTo("error");
        assertThat(exceeded.get("used").longValue()).isEqualTo(11_000);
        assertThat(exceeded.get("maximum").longValue()).isEqualTo(10_000);
        JsonNode shared = row("spender-2").get("shared_limit");
        assertThat(shared.get("holder").textValue()).isEqualTo(holder);
        assertThat(shared.get("id").textValue()).isEqualTo(id);
        assertThat(shared.get("problem_id").textValue()).isEqualTo(ProblemId.of("shared.usage:" + holder + "/" + id));
        assertThat(row("other").get("reasons").toString()).doesNotContain("limit");
        assertThat(first.events())
                .extracting(event -> event.get("type").textValue())
                .doesNotContain("agent.usage");
        assertThat(block("spender-1").inForce()).isFalse();
        measureAndSweep();
        assertThat(levels()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"role", "owner"})
    void the_reason_of_an_agent_names_the_holder_of_the_limit(String holder) {
        declare(holder, "{" + HOURLY + "}");
        use(first, "\"input_tokens\":11000");
        JsonNode score = system.api()
                .get("/api/v1/agents/spender-2/health")
                .key(TestSystem.COORDINATOR_KEY)
                .send()
                .json();
        assertThat(score.get("reasons").toString())
                .contains("The limit of tokens per hour that the agents of " + holder + " "
                        + (holder.equals("role") ? "worker" : ownerId) + " share is used up, until ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"role", "owner"})
    void a_block_refuses_calls_of_all_agents_until_the_hour_is_over_also_of_new_agents(String holder) {
        declare(holder, "{" + HOURLY + ",\"on_exceeded\":\"block\"}");
        use(first, "\"input_tokens\":11000");
        assertThat(invoke("spender-1").status()).isEqualTo(403);
        Response refused = invoke("spender-2");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().get("usage_limit").textValue()).isEqualTo("tokens_per_hour");
        assertThat(refused.json().get("limit_scope").textValue()).isEqualTo(holder);
        assertThat(refused.json().get("detail").textValue()).contains("the limit tokens_per_hour of its " + holder);
        assertThat(refused.text()).doesNotContain(ownerId);
        assertThat(refused.header("Retry-After")).isEqualTo("1800");
        assertThat(block("spender-2").reason())
                .isEqualTo("Limit tokens_per_hour of " + holder + " " + (holder.equals("role") ? "worker" : ownerId)
                        + ": 11000 of 10000.");
        assertThat(block("other").inForce()).isFalse();
        TestAgent third = new TestAgent(system, "spender-3");
        third.register("");
        harness.sweep();
        assertThat(block("spender-3").inForce()).isTrue();
        system.clock().advanceSeconds(1_801);
        assertThat(block("spender-1").inForce()).isFalse();
        harness.sweep();
        assertThat(levels()).containsExactly("exceeded", "none");
    }

    @Test
    void a_person_may_lift_a_block_and_the_registry_does_not_repeat_it_in_the_same_hour() {
        declare("role", "{" + HOURLY + ",\"on_exceeded\":\"block\"}");
        use(first, "\"input_tokens\":11000");
        system.clock().advanceSeconds(5);
        assertThat(system.api()
                        .post("/v1/admin/agents/spender-1/unblock")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isLessThan(300);
        use(first, "\"input_tokens\":5000");
        assertThat(block("spender-1").inForce()).isFalse();
        assertThat(block("spender-2").inForce()).isTrue();
        system.clock().advance(Duration.ofHours(1));
        use(first, "\"input_tokens\":11000");
        assertThat(block("spender-1").inForce()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"role, 20000", "owner, 20000", "role, 12000", "owner, 0"})
    void a_raised_or_removed_limit_lifts_its_blocks_and_no_other(String holder, int raised) {
        declare(holder, "{" + HOURLY + ",\"on_exceeded\":\"block\"}");
        assertThat(system.api()
                        .post("/v1/admin/agents/spender-2/block")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"reason\":\"by a person\"}")
                        .send()
                        .status())
                .isLessThan(300);
        use(first, "\"input_tokens\":11000");
        assertThat(block("spender-1").inForce()).isTrue();
        declare(holder, raised == 0 ? "null" : "{\"tokens_per_hour\":" + raised + ",\"on_exceeded\":\"block\"}");
        sweepLater();
        assertThat(block("spender-1").inForce()).isFalse();
        assertThat(block("spender-2").reason()).isEqualTo("by a person");
        assertThat(block("spender-2").inForce()).isTrue();
        sweepLater();
        assertThat(levels()).containsExactly("exceeded", raised == 12_000 ? "warning" : "none");
        declare(holder, "{" + HOURLY + ",\"on_exceeded\":\"block\"}");
        sweepLater();
        assertThat(block("spender-1").inForce()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"role, drain, false", "owner, restart, true"})
    void each_agent_is_asked_once_to_drain_or_to_restart(String holder, String action, boolean restarts) {
        declare(holder, "{" + HOURLY + ",\"on_exceeded\":\"" + action + "\"}");
        use(first, "\"input_tokens\":11000");
        for (TestAgent agent : List.of(first, second)) {
            assertThat(agent.pulse().coordination().pendingDrain().restarts()).isEqualTo(restarts);
            assertThat(agent.pulse().coordination().pendingDrain().reason()).isEqualTo("tokens_per_hour");
        }
        TestAgent later = new TestAgent(system, "spender-3");
        later.register("");
        harness.sweep();
        // A process that starts now needs no restart.
        PendingDrain asked = later.pulse().coordination().pendingDrain();
        assertThat(asked.isPending()).isEqualTo(!restarts);
        assertThat(asked.restarts()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"role, drain", "owner, drain", "role, restart", "owner, restart"})
    void an_agent_that_is_unhealthy_when_the_limit_is_used_up_is_asked_when_it_is_back(String holder, String action) {
        declare(holder, "{" + HOURLY + ",\"on_exceeded\":\"" + action + "\"}");
        becomeUnhealthy(second);
        use(first, "\"input_tokens\":11000");
        assertThat(second.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        JsonNode answer = second.sendHeartbeat().json();
        assertThat(second.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(answer.path("pending_commands").toString()).contains("\"" + action + "\"", "tokens_per_hour");
    }

    @ParameterizedTest
    @ValueSource(strings = {"role", "owner"})
    void an_agent_that_is_back_after_the_hour_is_not_asked(String holder) {
        declare(holder, "{" + HOURLY + ",\"on_exceeded\":\"drain\"}");
        becomeUnhealthy(second);
        use(first, "\"input_tokens\":11000");
        assertThat(second.pulse().coordination().pendingDrain().isPending()).isTrue();
        system.clock().advanceSeconds(1_801 - UNHEALTHY_SECONDS);
        harness.sweep();
        harness.sweep();
        assertThat(second.pulse().coordination().pendingDrain().isPending()).isFalse();
        assertThat(first.pulse().coordination().pendingDrain().isPending()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"role", "owner"})
    void each_registration_is_asked_to_drain_while_the_limit_is_used_up(String holder) {
        declare(holder, "{" + HOURLY + ",\"on_exceeded\":\"drain\"}");
        use(first, "\"input_tokens\":11000");
        assertThat(second.register(",\"replace\":true").status()).isEqualTo(201);
        PendingDrain asked = second.pulse().coordination().pendingDrain();
        assertThat(asked.reason()).isEqualTo("tokens_per_hour");
        assertThat(other.pulse().coordination().pendingDrain().isPending()).isFalse();
        withdraw(second);
        sweepLater();
        assertThat(second.pulse().coordination().pendingDrain().isPending()).isFalse();
        declare(holder, "{\"tokens_per_hour\":20000,\"on_exceeded\":\"drain\"}");
        sweepLater();
        sweepLater();
        assertThat(first.pulse().coordination().pendingDrain().isPending()).isFalse();
        assertThat(second.register(",\"replace\":true").status()).isEqualTo(201);
        assertThat(second.pulse().coordination().pendingDrain().isPending()).isFalse();
    }

    @Test
    void an_agent_that_registers_after_the_limit_ceased_to_drain_is_not_asked() {
        declare("role", "{" + HOURLY + ",\"on_exceeded\":\"drain\"}");
        use(first, "\"input_tokens\":11000");
        declare("role", "{" + HOURLY + "}");
        sweepLater();
        assertThat(second.register(",\"replace\":true").status()).isEqualTo(201);
        assertThat(second.pulse().coordination().pendingDrain().isPending()).isFalse();
    }

    @Test
    void the_command_of_a_person_outlives_the_limit() {
        declare("role", "{" + HOURLY + ",\"on_exceeded\":\"drain\"}");
        assertThat(system.api()
                        .post("/api/v1/agents/spender-2/commands")
                        .key(TestSystem.COORDINATOR_KEY)
                        .body("{\"command\":\"drain\",\"reason\":\"tokens_per_hour\"}")
                        .send()
                        .status())
                .isLessThan(300);
        use(first, "\"input_tokens\":11000");
        declare("role", "null");
        sweepLater();
        sweepLater();
        assertThat(first.pulse().coordination().pendingDrain().isPending()).isFalse();
        assertThat(second.pulse().coordination().pendingDrain().isPending()).isTrue();
    }

    @Test
    void an_own_limit_asks_an_unhealthy_agent_too_and_each_registration_in_the_hour() {
        String limits = "\"expectations\":{\"limits\":{" + HOURLY + ",\"on_exceeded\":\"drain\"}}";
        assertThat(second.change("{" + limits + "}").status()).isEqualTo(200);
        becomeUnhealthy(second);
        use(second, "\"input_tokens\":11000");
        assertThat(second.pulse().coordination().pendingDrain().reason()).isEqualTo("tokens_per_hour");
        assertThat(second.register(",\"replace\":true," + limits).status()).isEqualTo(201);
        assertThat(second.pulse().coordination().pendingDrain().reason()).isEqualTo("tokens_per_hour");
        assertThat(second.register(",\"replace\":true").status()).isEqualTo(201);
        system.clock().advanceSeconds(1_801 - UNHEALTHY_SECONDS);
        harness.sweep();
        assertThat(second.pulse().coordination().pendingDrain().isPending()).isFalse();
    }

    private void becomeUnhealthy(TestAgent agent) {
        system.clock().advanceSeconds(UNHEALTHY_SECONDS);
        first.sendHeartbeat();
        harness.sweep();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
    }

    private void withdraw(TestAgent agent) {
        assertThat(system.api()
                        .delete("/api/v1/agents/" + agent.id() + "/commands/drain")
                        .key(TestSystem.COORDINATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(204);
    }

    @Test
    void an_action_reaches_the_agents_beyond_the_first_read() {
        declare("role", "{" + HOURLY + ",\"on_exceeded\":\"block\"}");
        for (int i = 0; i < 105; i++) {
            assertThat(new TestAgent(system, "worker-" + i).register("").status())
                    .isEqualTo(201);
        }
        use(first, "\"input_tokens\":11000");
        assertThat(block("worker-104").inForce()).isTrue();
        assertThat(block("worker-99").inForce()).isTrue();
        assertThat(block("spender-1").inForce()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"role", "owner"})
    void the_level_ends_with_the_hour_or_a_raised_or_removed_limit(String holder) {
        declare(holder, "{" + HOURLY + "}");
        use(first, "\"input_tokens\":11000");
        declare(holder, "{\"tokens_per_hour\":20000}");
        sweepLater();
        assertReasons("ok");
        declare(holder, "{" + HOURLY + "}");
        sweepLater();
        assertReasons("down", "over_limit");
        declare(holder, "null");
        sweepLater();
        assertReasons("ok");
        declare(holder, "{" + HOURLY + "}");
        sweepLater();
        system.clock().advanceSeconds(1_801);
        first.sendHeartbeat();
        second.sendHeartbeat();
        assertReasons("ok");
        sweepLater();
        assertThat(levels()).containsExactly("exceeded", "none", "exceeded", "none", "exceeded", "none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"role", "owner"})
    void cached_tokens_count_only_if_the_limit_says_so(String holder) {
        declare(holder, "{" + HOURLY + "}");
        use(first, "\"cache_read_tokens\":50000");
        assertReasons("ok");
        declare(holder, "{" + HOURLY + ",\"count_cached\":true}");
        harness.sweep();
        assertReasons("down", "over_limit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"role", "owner"})
    void a_repeated_batch_counts_once(String holder) {
        declare(holder, "{" + HOURLY + "}");
        report(first, "same", "\"input_tokens\":7000");
        report(first, "same", "\"input_tokens\":7000");
        measureAndSweep();
        measureAndSweep();
        assertReasons("ok");
        assertThat(levels()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "tokens_per_day, 10000, input_tokens, 10000, over_limit",
        "tokens_per_day, 10000, input_tokens, 8000, near_limit",
        "tokens_per_day, 10000, input_tokens, 7999, ''",
        "executions_per_hour, 1, input_tokens, 1, over_limit"
    })
    void every_shared_limit_is_judged(String limit, long maximum, String counter, long used, String reason) {
        declare("owner", "{\"" + limit + "\":" + maximum + "}");
        use(first, "\"" + counter + "\":" + used);
        assertThat(row("spender-2").get("reasons"))
                .extracting(JsonNode::textValue)
                .isEqualTo(reason.isEmpty() ? List.of() : List.of(reason));
    }

    @Test
    void an_own_limit_that_is_used_up_is_worse_than_a_shared_limit_that_is_nearly_used() {
        declare("role", "{" + HOURLY + "}");
        assertThat(first.change("{\"expectations\":{\"limits\":{\"tokens_per_hour\":5000}}}")
                        .status())
                .isEqualTo(200);
        use(first, "\"input_tokens\":9000");
        assertThat(row("spender-1").get("reasons").toString()).isEqualTo("[\"over_limit\"]");
        assertThat(row("spender-1").has("shared_limit")).isFalse();
        assertThat(row("spender-2").get("reasons").toString()).isEqualTo("[\"near_limit\"]");
    }

    @Test
    void a_shared_limit_changes_no_availability() {
        declare("role", "{" + HOURLY + "}");
        use(first, "\"input_tokens\":11000");
        JsonNode availability = system.api()
                .get("/api/v1/agents/spender-2/availability")
                .query("window", "1h")
                .key(TestSystem.COORDINATOR_KEY)
                .send()
                .json();
        assertThat(availability.toString()).doesNotContain("over_limit");
    }

    @Test
    void without_a_shared_limit_a_pass_reads_no_totals() {
        use(first, "\"input_tokens\":11000");
        harness.sweep();
        system.meter().reset();
        harness.sweep();
        assertThat(system.meter().operations()).doesNotContain("BatchGetItem");
    }

    @ParameterizedTest
    @CsvSource({
        "'\"tokens_per_hour\":0', .tokens_per_hour",
        "'\"tokens_per_day\":1.5', .tokens_per_day",
        "'\"executions_per_hour\":\"x\"', .executions_per_hour",
        "'\"tokens_per_hour\":1,\"on_exceeded\":\"stop\"', .on_exceeded",
        "'\"tokens_per_hour\":1,\"count_cached\":7', .count_cached",
        "'\"tokens_per_hour\":1,\"tokens_per_execution\":7', .tokens_per_execution",
        "'\"tokens_per_hour\":1,\"tokens_per_week\":7', .tokens_per_week",
        "'\"on_exceeded\":\"block\"', ''",
        "'', ''"
    })
    void a_wrong_limit_is_named_and_changes_nothing(String limits, String field) {
        Response workflow = system.api()
                .put("/api/v1/workflows/coding")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"agents\":{\"worker\":{\"limits\":{" + limits + "}}}}")
                .send();
        assertThat(workflow.status()).isEqualTo(400);
        assertThat(workflow.json().at("/errors").findValuesAsText("field")).contains("agents.worker.limits" + field);
        Response key = system.api()
                .patch("/v1/admin/keys/" + ownerId)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"limits\":{" + limits + "}}")
                .send();
        assertThat(key.status()).isEqualTo(400);
        assertThat(key.json().at("/errors").findValuesAsText("field")).contains("limits" + field);
    }

    @Test
    void the_limits_of_a_key_stay_through_other_changes_and_end_with_the_key() {
        declare("owner", "{" + HOURLY + ",\"on_exceeded\":\"block\"}");
        Response named = system.api()
                .patch("/v1/admin/keys/" + ownerId)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"name\":\"team a\"}")
                .send();
        assertThat(named.json().get("limits").toString())
                .isEqualTo("{\"tokens_per_hour\":10000,\"count_cached\":false,\"on_exceeded\":\"block\"}");
        use(first, "\"input_tokens\":9000");
        assertReasons("degraded", "near_limit");
        assertThat(system.api()
                        .delete("/v1/admin/keys/" + ownerId)
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(204);
        harness.sweep();
        assertThat(levels()).containsExactly("warning", "none");
    }
}
