package dev.agenthealth.functions.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.RecordedInvocations;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.trust.Invocation;
import dev.agenthealth.model.trust.TrackRecord;
import dev.agenthealth.model.trust.TrustSubject;
import dev.agenthealth.model.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.trust.TrustSubject.OfProvider;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No item is written by everybody: of the invocations of one provider, none gets more than a tenth. */
@Tag("SN-08")
class HotKeyTest {

    private static final int INVOCATIONS = 640;

    private final TestSystem system = new TestSystem();
    private final RecordedInvocations recorded = new RecordedInvocations(system);
    private final ExecutorService threads = Executors.newFixedThreadPool(16);

    @AfterEach
    void close() {
        threads.shutdownNow();
        system.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"counted", "of the same moment"})
    void the_invocations_of_one_agent_are_spread_and_add_up(String kind) throws Exception {
        invoke(receipts(kind), 1);
        assertSpread(new OfProvider("p"), 64, 16);
        assertSpread(new OfAgent("agent-0"), 16, 1);
    }

    @Test
    void so_are_those_of_a_hundred_agents_of_one_provider() throws Exception {
        invoke(receipts("counted"), 100);
        assertSpread(new OfProvider("p"), 64, 16);
        assertThat(recorded.of(new OfAgent("agent-42")).successes()).isEqualTo(INVOCATIONS / 100);
    }

    private void assertSpread(TrustSubject subject, int items, int partitions) {
        Map<String, Long> byItem = recorded.byItem(subject);
        assertThat(byItem).hasSize(items);
        assertThat(byItem.values()).allSatisfy(count -> assertThat(count).isLessThanOrEqualTo(INVOCATIONS / 10));
        assertThat(recorded.byPartition(subject)).hasSize(partitions);
        TrackRecord record = recorded.of(subject);
        assertThat(record.successes()).isEqualTo(INVOCATIONS);
        assertThat(record.latest()).hasSize(20);
    }

    private void invoke(IntFunction<String> receipts, int agents) throws InterruptedException {
        for (int i = 0; i < INVOCATIONS; i++) {
            Invocation invocation = new Invocation(
                    receipts.apply(i),
                    "agent-" + i % agents,
                    "p",
                    true,
                    1,
                    system.clock().instant().plusMillis(i));
            threads.execute(() -> recorded.record(invocation));
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
    }

    private static IntFunction<String> receipts(String kind) {
        return kind.equals("counted")
                ? i -> "receipt_" + i
                : i -> String.format(Locale.ROOT, "receipt_01KGY4XW00%016d", i * 7);
    }
}
