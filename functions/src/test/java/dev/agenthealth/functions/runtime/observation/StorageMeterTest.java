package dev.agenthealth.functions.runtime.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.MutableClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The usage of concurrent units of work. */
class StorageMeterTest {

    private static final int WORKS = 8;
    private static final int TASKS = 200;

    private final StorageMeter meter = new StorageMeter();
    private final ExecutorService callers = Executors.newFixedThreadPool(WORKS);
    private final ExecutorService helpers = Executors.newFixedThreadPool(3);

    @AfterEach
    void close() {
        callers.shutdownNow();
        helpers.shutdownNow();
    }

    @Test
    void work_counts_its_own_usage_and_that_of_its_helper_threads() {
        List<CompletableFuture<StorageUse>> works = new ArrayList<>();
        for (int i = 1; i <= WORKS; i++) {
            int units = i;
            works.add(CompletableFuture.supplyAsync(() -> work(units), callers));
        }
        for (int i = 1; i <= WORKS; i++) {
            assertThat(works.get(i - 1).join()).isEqualTo(new StorageUse(i * TASKS, i, TASKS));
        }
    }

    private StorageUse work(int units) {
        StorageMeter.Tally tally = new StorageMeter.Tally();
        meter.during(tally, () -> {
            meter.written(units);
            List<CompletableFuture<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < TASKS; i++) {
                tasks.add(CompletableFuture.runAsync(
                        () -> {
                            meter.read(units);
                            meter.throttled();
                        },
                        meter.propagating(helpers)));
            }
            tasks.forEach(CompletableFuture::join);
            return tally;
        });
        return tally.use();
    }

    @Test
    void nested_work_counts_separately_and_usage_outside_of_work_is_not_counted() {
        StorageMeter.Tally outer = new StorageMeter.Tally();
        StorageMeter.Tally inner = new StorageMeter.Tally();
        meter.read(100);
        meter.during(outer, () -> {
            meter.read(1);
            meter.during(inner, () -> {
                meter.read(2);
                return inner;
            });
            meter.read(4);
            return outer;
        });
        meter.read(100);
        meter.propagating(Runnable::run).execute(() -> meter.read(100));
        assertThat(outer.use()).isEqualTo(new StorageUse(5, 0, 0));
        assertThat(inner.use()).isEqualTo(new StorageUse(2, 0, 0));
    }

    @Test
    void work_without_deadline_counts_for_the_surrounding_work() {
        Instant end = Instant.parse("2026-02-08T10:00:10Z");
        StorageMeter.Tally tally = new StorageMeter.Tally(end);
        List<Instant> ends = new ArrayList<>();
        meter.withoutDeadline(() -> ends.add(meter.deadline()));
        meter.during(tally, () -> {
            ends.add(meter.deadline());
            meter.withoutDeadline(() -> {
                ends.add(meter.deadline());
                meter.propagating(Runnable::run).execute(() -> ends.add(meter.deadline()));
                meter.written(1);
            });
            return ends.add(meter.deadline());
        });
        assertThat(ends).containsExactly(Instant.MAX, end, Instant.MAX, Instant.MAX, end);
        assertThat(tally.use()).isEqualTo(new StorageUse(0, 1, 0));
    }

    @Test
    void only_a_throttled_function_reports_throttles() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Log log = new Log(MutableClock.atExampleTime(), new PrintStream(out, true, StandardCharsets.UTF_8), "a-stack");
        ThrottleMonitor watch = new ThrottleMonitor("SweepFunction", meter, log);
        watch.during(() -> "nothing happened");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
        watch.during(() -> {
            meter.throttled();
            meter.throttled();
            return "";
        });
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("\"StorageThrottles\":2", "\"Function\":\"SweepFunction\"");
    }
}
