package dev.agenthealth.emulator.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class FairQueuesTest {

    private static final Share SPANS = new Share("spans", 4, 8);
    private static final Share HEARTBEATS = new Share("heartbeats", 2, 8);

    /** Requests in progress whose end the test decides: each runs in a thread of its own. */
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final Deque<Runnable> released = new ArrayDeque<>();
    private final FairQueues queues = new FairQueues(released::add);
    private final List<String> order = new ArrayList<>();

    /** Runs a request that stays in progress until the returned latch is released; null where it was refused. */
    private CountDownLatch hold(Share share, String key) throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch decided = new CountDownLatch(1);
        boolean[] admitted = {true};
        threads.execute(() -> {
            admitted[0] = queues.run(share, key, () -> {
                decided.countDown();
                await(end);
            });
            decided.countDown();
        });
        await(decided);
        return admitted[0] ? end : null;
    }

    private boolean offer(Share share, String key) {
        return queues.run(share, key, () -> order.add(key));
    }

    @Test
    void many_requests_of_one_kind_leave_another_kind_its_share() throws InterruptedException {
        hold(SPANS, "a");
        hold(SPANS, "a");
        hold(SPANS, "b");
        hold(SPANS, "b");
        assertThat(offer(SPANS, "c")).isTrue();
        assertThat(order).as("waits").isEmpty();
        assertThat(offer(HEARTBEATS, "a")).isTrue();
        assertThat(order).containsExactly("a");
        threads.shutdownNow();
    }

    @Test
    void one_key_runs_at_most_half_and_waits_with_at_most_a_quarter() throws InterruptedException {
        hold(SPANS, "a");
        hold(SPANS, "a");
        assertThat(offer(SPANS, "a")).isTrue();
        assertThat(offer(SPANS, "a")).isTrue();
        assertThat(offer(SPANS, "a")).as("a third that waits").isFalse();
        assertThat(order).isEmpty();
        assertThat(offer(SPANS, "b")).isTrue();
        assertThat(order).containsExactly("b");
        threads.shutdownNow();
    }

    @Test
    void keys_take_turns_however_many_requests_one_of_them_has() throws Exception {
        CountDownLatch first = hold(SPANS, "a");
        hold(SPANS, "a");
        hold(SPANS, "b");
        hold(SPANS, "b");
        assertThat(offer(SPANS, "a")).isTrue();
        assertThat(offer(SPANS, "a")).isTrue();
        assertThat(offer(SPANS, "c")).isTrue();
        first.countDown();
        while (order.size() < 3) {
            Runnable next = poll();
            next.run();
        }
        assertThat(order).containsExactly("c", "a", "a");
        threads.shutdownNow();
    }

    private Runnable poll() {
        for (Runnable next = released.poll(); ; next = released.poll()) {
            if (next != null) {
                return next;
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void every_admitted_request_runs_once_and_no_limit_is_exceeded() throws InterruptedException {
        FairQueues concurrent = new FairQueues(threads);
        Share share = new Share("any", 6, 40);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        AtomicInteger admitted = new AtomicInteger();
        AtomicInteger tooMany = new AtomicInteger();
        ConcurrentHashMap<String, AtomicInteger> ofKey = new ConcurrentHashMap<>();
        ExecutorService callers = Executors.newFixedThreadPool(16);
        for (int i = 0; i < 16; i++) {
            Random random = new Random(i);
            callers.execute(() -> {
                for (int request = 0; request < 500; request++) {
                    String key = "key" + random.nextInt(5);
                    AtomicInteger own = ofKey.computeIfAbsent(key, name -> new AtomicInteger());
                    if (concurrent.run(share, key, () -> {
                        if (running.incrementAndGet() > 6 || own.incrementAndGet() > 3) {
                            tooMany.incrementAndGet();
                        }
                        Thread.yield();
                        own.decrementAndGet();
                        running.decrementAndGet();
                        ended.incrementAndGet();
                    })) {
                        admitted.incrementAndGet();
                    }
                }
            });
        }
        callers.shutdown();
        assertThat(callers.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 10_000 && ended.get() < admitted.get(); i++) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(ended.get()).isEqualTo(admitted.get()).isPositive();
        assertThat(tooMany.get()).isZero();
        threads.shutdown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
