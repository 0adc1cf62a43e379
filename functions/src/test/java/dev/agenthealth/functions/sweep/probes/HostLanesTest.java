package dev.agenthealth.functions.sweep.probes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class HostLanesTest {

    private final ExecutorService executor = Executors.newFixedThreadPool(8);

    @AfterEach
    void close() {
        executor.shutdownNow();
    }

    @Test
    void a_host_gets_two_probes_at_once() {
        AtomicInteger now = new AtomicInteger();
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        HostLanes lanes = new HostLanes(executor, () -> true);
        for (int i = 0; i < 20; i++) {
            lanes.add("host", asked -> {
                seen.add(now.incrementAndGet());
                Thread.yield();
                now.decrementAndGet();
                return true;
            });
        }
        assertThat(lanes.run()).isZero();
        assertThat(seen).hasSize(20).allMatch(count -> count <= HostLanes.PER_HOST);
    }

    @Test
    void a_host_that_does_not_answer_delays_no_other() {
        CountDownLatch others = new CountDownLatch(100);
        HostLanes lanes = new HostLanes(executor, () -> true);
        for (int i = 0; i < 50; i++) {
            lanes.add("hangs", asked -> {
                // The first ones wait for all work of the others, which would never end behind them.
                if (asked) {
                    await(others);
                }
                return false;
            });
        }
        for (int i = 0; i < 100; i++) {
            lanes.add("host" + i % 3, asked -> {
                others.countDown();
                return true;
            });
        }
        assertThat(lanes.run()).isZero();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_host_that_was_silent_four_times_is_not_asked_again() {
        AtomicInteger asked = new AtomicInteger();
        HostLanes lanes = new HostLanes(Runnable::run, () -> true);
        for (int i = 0; i < 10; i++) {
            lanes.add("host", mayAsk -> {
                asked.addAndGet(mayAsk ? 1 : 0);
                return false;
            });
        }
        assertThat(lanes.run()).isZero();
        assertThat(asked).hasValue(4);
    }

    @Test
    void what_is_not_begun_in_time_is_left() {
        AtomicInteger time = new AtomicInteger(3);
        HostLanes lanes = new HostLanes(Runnable::run, () -> time.getAndDecrement() > 0);
        for (int i = 0; i < 10; i++) {
            lanes.add("host", asked -> true);
        }
        assertThat(lanes.run()).isEqualTo(7);
    }
}
