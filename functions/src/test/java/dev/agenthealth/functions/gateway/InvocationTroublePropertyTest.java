package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.Tries;
import dev.agenthealth.functions.testing.Troubles;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.TestTables;
import java.util.List;
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

    /** Agents of a system. Stale reads copy all tables for each agent, which takes longer with each. */
    private static final int MAX_AGENTS = 20;

    private static GatewayHarness gateway = new GatewayHarness();
    private static int agents;

    @AfterContainer
    static void close() {
        gateway.close();
    }

    @Tries(156)
    @Property(edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void invocations_end_and_count_once(@ForAll(supplier = Troubles.Every.class) Troubles troubles) {
        check(troubles);
    }

    private static void check(Troubles troubles) {
        if (++agents % MAX_AGENTS == 0) {
            gateway.close();
            gateway = new GatewayHarness();
        }
        String agentId = "agent-" + agents;
        ScriptedServer server = gateway.answeringAgent(agentId);
        troubles.during(gateway.system(), 0, () -> {
            for (int i = 0; i < 3; i++) {
                gateway.invoke(agentId, GatewayHarness.HELLO);
                gateway.invokeAsync(agentId, GatewayHarness.HELLO);
                gateway.deliver();
            }
        });
        gateway.deliver();
        gateway.repair();

        List<JsonNode> receipts = receiptsOf(agentId);
        assertThat(receipts).extracting(r -> r.path("status").asText()).isSubsetOf("succeeded", "failed");
        assertThat(gateway.unsettled()).isEmpty();
        long succeeded = receipts.stream()
                .filter(r -> r.path("status").asText().equals("succeeded"))
                .count();
        OutcomeCounts counted = gateway.outcomes(agentId);
        assertThat(counted.get(OutcomeCounter.GATEWAY_SUCCESSES)).isEqualTo(succeeded);
        assertThat(gateway.health(agentId).path("success_count").asLong()).isEqualTo(succeeded);
        assertThat(server.connections()).isLessThanOrEqualTo(receipts.size());
    }

    private static List<JsonNode> receiptsOf(String agentId) {
        return gateway
                .system()
                .tables()
                .dynamoDb()
                .scanPaginator(r -> r.tableName(TestTables.REGISTRY).consistentRead(true))
                .items()
                .stream()
                .filter(item ->
                        item.get("sk").s().equals("Z") && item.get("agent").s().equals(agentId))
                .map(item -> gateway.receipt(item.get("pk").s().substring(2)))
                .toList();
    }
}
