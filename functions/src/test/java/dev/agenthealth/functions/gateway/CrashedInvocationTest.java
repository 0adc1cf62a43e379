package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestSqs;
import dev.agenthealth.testkit.TestTables;
import dev.agenthealth.testkit.WriteFailure;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An invocation that fails at any of its writes: no receipt stays running, every recorded outcome counts once everywhere, and no agent is
 * called twice.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SN-07")
@Tag("SN-05")
class CrashedInvocationTest {

    /** More writes than an invocation has. */
    private static final int MANY = 30;

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    @Tag("slow")
    void a_synchronous_invocation(WriteFailure way) {
        int writes = failAtEachWrite(way, (agentId, crashing) -> {
            Response answer = GatewayHarness.invoke(gateway.apiThrough(crashing), agentId, GatewayHarness.HELLO);
            if (answer.status() == 200) {
                assertThat(ending(answer.json().path("receipt_id").asText()))
                        .as("the caller's response is recorded")
                        .isEqualTo("succeeded");
            }
        });
        assertThat(writes)
                .as("limit, 3 permits, receipt, caller, end, outcome, receipt, 3 permits")
                .isEqualTo(12);
    }

    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    @Tag("exhaustive")
    void an_asynchronous_invocation_while_it_is_accepted(WriteFailure way) {
        int writes = failAtEachWrite(way, (agentId, crashing) -> {
            GatewayHarness.invokeAsync(gateway.apiThrough(crashing), agentId, GatewayHarness.HELLO);
        });
        assertThat(writes).as("limit, message, receipt").isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    @Tag("exhaustive")
    void an_asynchronous_invocation_while_it_is_executed(WriteFailure way) {
        int writes = failAtEachWrite(way, (agentId, crashing) -> {
            assertThat(gateway.invokeAsync(agentId, GatewayHarness.HELLO).status())
                    .isEqualTo(202);
            gateway.workerThrough(crashing).handleRequest(last(), null);
        });
        assertThat(writes).as("receipt, output, caller, end, outcome, receipt").isEqualTo(6);
    }

    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    @Tag("exhaustive")
    void an_invocation_of_an_unreachable_agent_while_it_is_released(WriteFailure way) {
        int writes = failAtEachWrite(way, (agentId, crashing) -> {
            change(agentId, "https://nowhere.test/");
            assertThat(gateway.invokeAsync(agentId, GatewayHarness.HELLO).status())
                    .isEqualTo(202);
            gateway.workerThrough(crashing).handleRequest(last(), null);
        });
        assertThat(writes).as("receipt, receipt").isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    @Tag("exhaustive")
    void an_invocation_of_an_agent_that_was_blocked_meanwhile(WriteFailure way) {
        int writes = failAtEachWrite(way, (agentId, crashing) -> {
            assertThat(gateway.invokeAsync(agentId, GatewayHarness.HELLO).status())
                    .isEqualTo(202);
            gateway.block("agents/" + agentId);
            gateway.workerThrough(crashing).handleRequest(last(), null);
        });
        assertThat(writes).as("receipt").isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    @Tag("exhaustive")
    void the_repair_of_receipts(WriteFailure way) {
        int writes = failAtEachWrite(way, (agentId, crashing) -> {
            // A finished one that is not counted, and one whose function was stopped.
            swallow(() -> GatewayHarness.invoke(
                    gateway.apiThrough(
                            new TestDynamoDb(gateway.system().dynamoDb()).failAt(8, WriteFailure.CRASHES_BEFORE)),
                    agentId,
                    GatewayHarness.HELLO));
            gateway.system().clock().advance(SyncInvocations.MAX_RUN);
            swallow(() -> GatewayHarness.invoke(
                    gateway.apiThrough(
                            new TestDynamoDb(gateway.system().dynamoDb()).failAt(7, WriteFailure.CRASHES_BEFORE)),
                    agentId,
                    GatewayHarness.HELLO));
            gateway.system().clock().advanceSeconds(3_000);
            assertThat(receiptsOf(agentId))
                    .extracting(receipt -> receipt.path("status").asText())
                    .containsExactlyInAnyOrder("succeeded", "running");
            new ReceiptRepair(
                            gateway.system().databaseThrough(crashing),
                            new StorageMeter(),
                            Runnable::run,
                            gateway.system().log(),
                            gateway.system().clock())
                    .run(() -> true);
        });
        assertThat(writes).as("outcome, receipt; receipt").isEqualTo(3);
    }

    /** An operation through a client that fails at one of its writes. */
    private interface Operation {
        void run(String agentId, TestDynamoDb crashing);
    }

    /** Repeats the operation, failing at each of its writes, and returns their number. */
    private int failAtEachWrite(WriteFailure way, Operation operation) {
        int k = 1;
        while (k < MANY && failsAtWrite(way + "-" + k, operation, k, way)) {
            k++;
        }
        return k - 1;
    }

    private boolean failsAtWrite(String run, Operation operation, int k, WriteFailure way) {
        // The slots of crashed calls expire.
        gateway.system().clock().advance(SyncInvocations.MAX_RUN);
        ScriptedServer server = gateway.server().plays(AgentScripts.message());
        String agentId = "agent-" + Integer.toHexString(operation.getClass().hashCode()) + "-" + run;
        gateway.agent(agentId, server);
        TestDynamoDb crashing = new TestDynamoDb(gateway.system().dynamoDb()).failAt(k, way);
        try {
            operation.run(agentId, crashing);
        } catch (Crash | CompletionException e) {
            assertThat(way).as(run + ": " + e).isIn(WriteFailure.CRASHES_BEFORE, WriteFailure.CRASHES_AFTER);
        }
        crashing.settle();
        // Lambda delivers unacknowledged messages again.
        gateway.deliver();
        gateway.deliver();
        gateway.repair();

        List<JsonNode> receipts = receiptsOf(agentId);
        assertThat(receipts).as(run).extracting(r -> r.path("status").asText()).isSubsetOf("succeeded", "failed");
        assertThat(gateway.unsettled()).as(run).isEmpty();
        long succeeded = receipts.stream()
                .filter(r -> r.path("status").asText().equals("succeeded"))
                .count();
        long failed = receipts.stream()
                .filter(r -> r.path("error").asText().matches("agent_(unreachable|error)"))
                .count();
        OutcomeCounts counted = gateway.outcomes(agentId);
        assertThat(counted.get(OutcomeCounter.GATEWAY_SUCCESSES)).as(run).isEqualTo(succeeded);
        assertThat(counted.get(OutcomeCounter.GATEWAY_FAILURES)).as(run).isEqualTo(failed);
        assertThat(gateway.health(agentId).path("success_count").asLong())
                .as(run)
                .isEqualTo(succeeded);
        assertThat(gateway.health(agentId).path("failure_count").asLong())
                .as(run)
                .isEqualTo(failed);
        assertThat(server.connections())
                .as(run + ": at most one call per receipt")
                .isLessThanOrEqualTo(Math.max(1, receipts.size()));
        return crashing.hasFailed();
    }

    private String ending(String receiptId) {
        return gateway.receipt(receiptId).path("status").asText();
    }

    private List<JsonNode> receiptsOf(String agentId) {
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

    private SQSEvent last() {
        List<TestSqs.Message> messages = gateway.system().sqs().messages();
        return GatewayHarness.event(messages.subList(messages.size() - 1, messages.size()));
    }

    private void change(String agentId, String endpoint) {
        assertThat(gateway.system()
                        .api()
                        .patch("/api/v1/agents/" + agentId)
                        .key(TestSystem.AGENT_KEY)
                        .header("if-match", "*")
                        .body("{\"endpoint\":\"" + endpoint + "\"}")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    private static void swallow(Runnable crashing) {
        try {
            crashing.run();
        } catch (Crash e) {
            // The expected request.
        }
    }
}
