package dev.agenthealth.functions.health.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Concurrent measurements while outcomes are reported. */
@Tag("AHS-08")
@Tag("AHS-13")
class ConcurrentMeasurementTest {

    @AutoClose
    private final MeasurementHarness harness = new MeasurementHarness();

    @Test
    void concurrent_measurements_and_reports_lose_no_outcome_and_publish_once() {
        TestAgent agent = harness.agent("raced", "");
        AtomicBoolean reporting = new AtomicBoolean(true);
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            List<CompletableFuture<Void>> measuring = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Supplier<Map<String, Object>> own =
                        harness.through(harness.system().dynamoDb());
                measuring.add(CompletableFuture.runAsync(
                        () -> {
                            while (reporting.get()) {
                                assertThat(own.get()).containsEntry("failed", 0L);
                            }
                        },
                        threads));
            }
            List<CompletableFuture<Void>> senders = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                senders.add(CompletableFuture.runAsync(
                        () -> {
                            for (int batch = 0; batch < 25; batch++) {
                                harness.report(agent, 10, 0, 50);
                            }
                        },
                        threads));
            }
            senders.forEach(CompletableFuture::join);
            reporting.set(false);
            measuring.forEach(CompletableFuture::join);
        } finally {
            threads.shutdownNow();
        }
        harness.measure();
        assertThat(harness.health(agent).measurement().counts().successes()).isEqualTo(1_000);
        assertThat(harness.statusChanges(agent)).containsExactly("unknown->healthy");
        assertThat(harness.scoreChanges(agent)).containsExactly("Inactive->Healthy");
        agent.assertHistoryIsWhole("raced");
    }
}
