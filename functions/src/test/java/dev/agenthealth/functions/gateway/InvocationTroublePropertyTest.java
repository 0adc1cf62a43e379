package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.Troubles;
import dev.agenthealth.model.outcome.OutcomeCounter;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.TestTables;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;

/** Whatever the database does, every invocation ends, counts once everywhere, and calls the agent at most once. */
@Tag("SN-05")
@Tag("SN-07")
class InvocationTroublePropertyTest {

    private static final GatewayHarness GATEWAY = new GatewayHarness();
    private static final AtomicInteger AGENTS = new AtomicInteger();

    @AfterContainer
    static void close() {
        GATEWAY.close();
    }

    @Property(tries = 6, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void invocations_end_and_count_once(@ForAll(supplier = Troubles.Every.class) Troubles troubles) {
        check(troubles);
    }

    @Property(tries = 150, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @Tag("exhaustive")
    void many_invocations_end_and_count_once(@ForAll(supplier = Troubles.Every.class) Troubles troubles) {
        check(troubles);
    }

    private static void check(Troubles troubles) {
        String agentId = "agent-" + AGENTS.incrementAndGet();
        ScriptedServer server = GATEWAY.answeringAgent(agentId);
        troubles.during(GATEWAY.system(), 0, () -> {
            for (int i = 0; i < 3; i++) {
                GATEWAY.invoke(agentId, GatewayHarness.HELLO);
                GATEWAY.invokeAsync(agentId, GatewayHarness.HELLO);
                GATEWAY.deliver();
            }
        });
        GATEWAY.deliver();
        GATEWAY.repair();

        List<JsonNode> receipts = receiptsOf(agentId);
        assertThat(receipts).extracting(r -> r.path("status").asText()).isSubsetOf("succeeded", "failed");
        assertThat(GATEWAY.unsettled()).isEmpty();
        long succeeded = receipts.stream()
                .filter(r -> r.path("status").asText().equals("succeeded"))
                .count();
        OutcomeCounts counted = GATEWAY.outcomes(agentId);
        assertThat(counted.get(OutcomeCounter.GATEWAY_SUCCESSES)).isEqualTo(succeeded);
        assertThat(GATEWAY.health(agentId).path("success_count").asLong()).isEqualTo(succeeded);
        assertThat(server.connections()).isLessThanOrEqualTo(receipts.size());
    }

    private static List<JsonNode> receiptsOf(String agentId) {
        return GATEWAY
                .system()
                .tables()
                .dynamoDb()
                .scanPaginator(r -> r.tableName(TestTables.REGISTRY).consistentRead(true))
                .items()
                .stream()
                .filter(item ->
                        item.get("sk").s().equals("Z") && item.get("agent").s().equals(agentId))
                .map(item -> GATEWAY.receipt(item.get("pk").s().substring(2)))
                .toList();
    }
}
