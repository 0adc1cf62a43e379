package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.functions.testing.TestSystem;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The number of storage requests of an invocation in a warm function. */
@Tag("SN-07")
class InvocationBudgetTest {

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    @BeforeEach
    void warm() {
        gateway.answeringAgent("a");
        gateway.invoke("a", GatewayHarness.HELLO);
        gateway.system().clock().advanceSeconds(1);
        gateway.system().meter().reset();
    }

    @Test
    void a_synchronous_invocation_costs_nineteen_requests() {
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(200);
        assertThat(gateway.system().meter().operations())
                .as(
                        "limit; agent, owner key, blocks, connection; permits; receipt; key and successes of the caller; end; slice, outcome, receipt; permits")
                .containsExactly(
                        "UpdateItem",
                        "BatchGetItem",
                        "GetItem",
                        "BatchGetItem",
                        "GetItem",
                        "UpdateItem",
                        "UpdateItem",
                        "UpdateItem",
                        "PutItem",
                        "GetItem",
                        "GetItem",
                        "PutItem",
                        "TransactWriteItems",
                        "Query",
                        "UpdateItem",
                        "UpdateItem",
                        "UpdateItem",
                        "UpdateItem",
                        "UpdateItem");
    }

    @Test
    void a_refused_invocation_costs_only_the_checks() {
        gateway.block("agents/a");
        gateway.system().meter().reset();
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(403);
        assertThat(gateway.system().meter().operations())
                .containsExactly("UpdateItem", "BatchGetItem", "GetItem", "BatchGetItem");
    }

    @Test
    void a_repair_without_work_reads_only_the_index() {
        gateway.system().meter().reset();
        new ReceiptRepair(
                        gateway.system().database(),
                        new StorageMeter(),
                        Runnable::run,
                        gateway.system().log(),
                        gateway.system().clock())
                .run(() -> true);
        assertThat(gateway.system().meter().operations())
                .hasSize(ReceiptStore.SHARDS)
                .containsOnly("Query");
    }

    @Test
    void a_receipt_costs_one_read_and_its_answer_another() {
        gateway.invokeAsync("a", GatewayHarness.HELLO);
        gateway.deliver();
        String receiptId = gateway.system().sqs().messages().get(0).body();
        gateway.receipt(receiptId, TestSystem.OTHER_AGENT_KEY);
        gateway.system().meter().reset();
        assertThat(gateway.receipt(receiptId, TestSystem.OTHER_AGENT_KEY).status())
                .isEqualTo(200);
        assertThat(gateway.system().meter().operations()).containsExactly("GetItem", "GetItem");
    }
}
