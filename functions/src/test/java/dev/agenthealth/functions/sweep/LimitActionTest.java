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
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The action of a used up limit, changed while the limit is used up. */
class LimitActionTest {

    private static final String HOURLY = "\"tokens_per_hour\":10000";

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final TestSystem system = harness.system();
    private final OutcomeClient client = new OutcomeClient(system);
    private final MeasurementFunction measurement = new MeasurementFunction(system.wiring(Map.of()));
    private final TestAgent agent = new TestAgent(system, "spender");
    private int batches;

    @BeforeEach
    void registerInTheMiddleOfAnHour() {
        system.clock().advanceSeconds(1_800);
        assertThat(agent.register("").status()).isEqualTo(201);
        agent.sendHeartbeat();
    }

    private void declare(String holder, String limits) {
        Response answer =
                switch (holder) {
                    case "agent" -> agent.change("{\"expectations\":{\"limits\":{" + limits + "}}}");
                    case "role" ->
                        system.api()
                                .put("/api/v1/workflows/coding")
                                .key(TestSystem.ADMINISTRATOR_KEY)
                                .body("{\"agents\":{\"worker\":{\"limits\":{" + limits + "}}}}")
                                .send();
                    default ->
                        system.api()
                                .patch("/v1/admin/keys/" + agent.pulse().owner().keyId())
                                .key(TestSystem.ADMINISTRATOR_KEY)
                                .body("{\"limits\":{" + limits + "}}")
                                .send();
                };
        assertThat(answer.status()).as(answer.text()).isLessThan(300);
    }

    private void act(String holder, String action) {
        declare(holder, HOURLY + ",\"on_exceeded\":\"" + action + "\"");
        measureAndSweep();
        // A pass lifts blocks, and the next pass acts.
        measureAndSweep();
    }

    private void use(int tokens) {
        String outcome = "{\"result\":\"success\",\"usage\":{\"input_tokens\":" + tokens + "}}";
        assertThat(client.report(agent, "b-" + ++batches, outcome).status()).isEqualTo(202);
        measureAndSweep();
    }

    private void measureAndSweep() {
        system.clock().advanceSeconds(1);
        measurement.handleRequest(Map.of(), null);
        harness.sweep();
    }

    private PendingDrain command() {
        return agent.pulse().coordination().pendingDrain();
    }

    private Block block() {
        OfAgent subject = new OfAgent("spender");
        return new BlockStore(system.database()).of(List.of(subject)).get(subject);
    }

    private void block(String decision) {
        assertThat(system.api()
                        .post("/v1/admin/agents/spender/" + decision)
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"reason\":\"review\"}")
                        .send()
                        .status())
                .isLessThan(300);
    }

    private List<JsonNode> usageEvents() {
        return agent.events().stream()
                .filter(event -> event.get("type").textValue().equals("agent.usage"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent", "role", "owner"})
    void a_changed_action_takes_the_place_of_the_earlier_action_within_the_hour(String holder) {
        declare(holder, HOURLY + ",\"on_exceeded\":\"drain\"");
        use(11_000);
        assertThat(command().command()).isEqualTo("drain");
        act(holder, "restart");
        assertThat(command().restarts()).isTrue();
        act(holder, "block");
        assertThat(block().inForce()).isTrue();
        assertThat(command().isPending()).isFalse();
        act(holder, "drain");
        assertThat(block().inForce()).isFalse();
        assertThat(command().isPending()).isTrue();
        act(holder, "none");
        assertThat(command().isPending()).isFalse();
        assertThat(usageEvents()).hasSize(holder.equals("agent") ? 1 : 0);
    }

    @Test
    void a_block_lasts_until_the_end_of_the_longer_limit_that_is_used_up_next() {
        declare("agent", HOURLY + ",\"tokens_per_day\":20000,\"on_exceeded\":\"block\"");
        use(11_000);
        Instant endOfHour = block().until();
        use(11_000);
        assertThat(block().inForce()).isTrue();
        assertThat(block().until()).isAfter(endOfHour);
        assertThat(block().reason()).contains("tokens_per_day");
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent", "role", "owner"})
    void a_changed_action_leaves_the_block_of_a_person(String holder) {
        declare(holder, HOURLY + ",\"on_exceeded\":\"drain\"");
        use(11_000);
        block("block");
        act(holder, "block");
        assertThat(block().reason()).isEqualTo("review");
        act(holder, "none");
        assertThat(block().inForce()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent", "role", "owner"})
    void an_unchanged_action_is_not_repeated(String holder) {
        declare(holder, HOURLY + ",\"on_exceeded\":\"block\"");
        use(11_000);
        block("unblock");
        use(1_000);
        measureAndSweep();
        assertThat(block().inForce()).isFalse();
    }
}
