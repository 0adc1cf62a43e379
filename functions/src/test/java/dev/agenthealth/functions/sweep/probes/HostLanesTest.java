package dev.agenthealth.functions.sweep.probes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.identity.GroupNumber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class HostLanesTest {

    private static final Duration WAIT = Duration.ofSeconds(20);

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private int agents;

    @AfterEach
    void close() {
        executor.shutdownNow();
    }

    private void add(HostLanes lanes, long owner, String host, Predicate<Boolean> probe) {
        lanes.add(new ProbeQueue.Agent("agent" + agents++, owner), host, probe);
    }

    @Test
    void a_host_gets_two_probes_at_once_of_all_owners_together() {
        AtomicInteger now = new AtomicInteger();
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        HostLanes lanes = new HostLanes(executor, () -> true);
        for (int i = 0; i < 20; i++) {
            add(lanes, i % 3, "host", asked -> {
                seen.add(now.incrementAndGet());
                Thread.yield();
                now.decrementAndGet();
                return true;
            });
        }
        assertThat(lanes.run(WAIT)).isFalse();
        assertThat(seen).hasSize(20).allMatch(count -> count <= HostLanes.PER_HOST);
    }

    @Test
    void a_host_that_does_not_answer_delays_no_other() {
        CountDownLatch others = new CountDownLatch(100);
        HostLanes lanes = new HostLanes(executor, () -> true);
        for (int i = 0; i < 50; i++) {
            add(lanes, 1, "hangs", asked -> {
                // The first ones wait for all work of the others, which would never end behind them.
                if (asked) {
                    await(others);
                }
                return false;
            });
        }
        for (int i = 0; i < 100; i++) {
            add(lanes, 1, "host" + i % 3, asked -> {
                others.countDown();
                return true;
            });
        }
        assertThat(lanes.run(WAIT)).isFalse();
    }

    @Test
    @Tag("SYS-02")
    void agents_of_one_owner_that_hang_leave_threads_to_agents_of_another_owner_that_are_due_later() {
        CountDownLatch hanging = new CountDownLatch(HostLanes.PER_OWNER);
        CountDownLatch others = new CountDownLatch(50);
        HostLanes lanes = new HostLanes(executor, () -> true);
        for (int i = 0; i < 3 * HostLanes.AT_ONCE; i++) {
            add(lanes, 1, "hangs" + i, asked -> {
                hanging.countDown();
                await(others);
                return false;
            });
        }
        assertThat(lanes.run(Duration.ZERO)).isTrue();
        await(hanging);
        for (int i = 0; i < 50; i++) {
            add(lanes, 2, "host" + i, asked -> {
                others.countDown();
                return true;
            });
        }
        assertThat(lanes.run(WAIT)).isFalse();
        assertThat(others.getCount()).isZero();
    }

    @Test
    void the_owner_with_the_fewest_running_probes_is_next() {
        List<Long> begun = new ArrayList<>();
        List<Runnable> running = new ArrayList<>();
        HostLanes lanes = new HostLanes(running::add, () -> true);
        for (int i = 0; i < 200; i++) {
            long owner = i < 150 ? 1 : 2 + i % 2;
            add(lanes, owner, "host" + i, asked -> begun.add(owner));
        }
        lanes.run(Duration.ZERO);
        assertThat(running).hasSize(HostLanes.AT_ONCE);
        List.copyOf(running).forEach(Runnable::run);
        assertThat(begun).filteredOn(owner -> owner == 1).hasSize(50);
        assertThat(begun).filteredOn(owner -> owner == 2).hasSize(25);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest(name = "of owner {0}: {1} asked")
    @CsvSource({"1, 4", GroupNumber.NONE + ", 10"})
    void a_host_that_was_silent_four_times_is_not_asked_again_for_agents_of_a_known_owner(long owner, int asked) {
        AtomicInteger count = new AtomicInteger();
        HostLanes lanes = new HostLanes(Runnable::run, () -> true);
        for (int i = 0; i < 10; i++) {
            add(lanes, owner, "host", mayAsk -> {
                count.addAndGet(mayAsk ? 1 : 0);
                return false;
            });
        }
        lanes.run(WAIT);
        assertThat(count).hasValue(asked);
        assertThat(lanes.left()).isEmpty();
    }

    @Test
    @Tag("SYS-02")
    void silent_agents_of_one_owner_do_not_prevent_probes_of_another_owner_at_the_same_host() {
        AtomicInteger asked = new AtomicInteger();
        HostLanes lanes = new HostLanes(Runnable::run, () -> true);
        for (int i = 0; i < 20; i++) {
            add(lanes, 1, "host", mayAsk -> false);
        }
        for (int i = 0; i < 10; i++) {
            add(lanes, 2, "host", mayAsk -> {
                asked.addAndGet(mayAsk ? 1 : 0);
                return true;
            });
        }
        lanes.run(WAIT);
        assertThat(asked).hasValue(10);
    }

    @Test
    @Tag("SYS-02")
    void slow_agents_of_one_owner_leave_a_place_of_the_host_to_an_owner_with_more_running_probes() {
        List<Runnable> running = new ArrayList<>();
        List<Long> begun = new ArrayList<>();
        HostLanes lanes = new HostLanes(running::add, () -> true);
        for (int i = 0; i < 10; i++) {
            add(lanes, 1, "host", asked -> begun.add(1L));
            add(lanes, 2, "other" + i, asked -> true);
        }
        lanes.run(Duration.ZERO);
        assertThat(running).hasSize(12);
        add(lanes, 2, "host", asked -> begun.add(2L));
        List.copyOf(running).stream().limit(1).forEach(Runnable::run);
        assertThat(running).hasSize(13);
        running.get(12).run();
        assertThat(begun).containsExactly(1L, 2L);
    }

    @Test
    void what_is_not_begun_in_time_is_left() {
        AtomicInteger time = new AtomicInteger(3);
        HostLanes lanes = new HostLanes(Runnable::run, () -> time.getAndDecrement() > 0);
        for (int i = 0; i < 10; i++) {
            add(lanes, 1, "host", asked -> true);
        }
        assertThat(lanes.run(WAIT)).isFalse();
        assertThat(lanes.left()).hasSize(7).contains("agent9").doesNotContain("agent0");
    }
}
