package dev.agenthealth.functions.storage.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Turns of the writers of one item. */
@Tag("SYS-02")
class TurnsTest {

    private static final int WRITERS = 16;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void one_writer_of_an_item_works_at_a_time() throws Exception {
        Turns turns = new Turns(Duration.ofDays(1));
        AtomicInteger working = new AtomicInteger();
        List<Future<Boolean>> alone = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            alone.add(threads.submit(() -> turns.in("item", () -> {
                boolean first = working.incrementAndGet() == 1;
                Thread.yield();
                working.decrementAndGet();
                return first;
            })));
        }
        for (Future<Boolean> one : alone) {
            assertThat(one.get()).isTrue();
        }
    }

    @Test
    void a_writer_that_waits_too_long_goes_on_without_a_turn() throws Exception {
        Turns turns = new Turns(Duration.ofMillis(1));
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Future<String> holder = threads.submit(() -> turns.in("item", () -> {
            held.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "held";
        }));
        held.await();
        assertThat(turns.in("item", () -> "late")).isEqualTo("late");
        end.countDown();
        assertThat(holder.get()).isEqualTo("held");
    }

    @Test
    void a_failure_ends_the_turn_and_a_writer_may_take_turns_within_its_turn() throws Exception {
        Turns turns = new Turns(Duration.ofDays(1));
        assertThatThrownBy(() -> turns.in(
                        "item",
                        () -> turns.in("item", () -> {
                            throw new IllegalStateException("refused");
                        })))
                .hasMessage("refused");
        assertThat(threads.submit(() -> turns.in("item", () -> "next")).get()).isEqualTo("next");
    }
}
