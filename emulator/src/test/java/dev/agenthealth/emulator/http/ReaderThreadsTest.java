package dev.agenthealth.emulator.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.emulator.support.EmulatorLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ReaderThreadsTest {

    private final List<Runnable> started = new ArrayList<>();
    private long now;

    private final ReaderThreads threads = new ReaderThreads("test", started::add, () -> now, EmulatorLog.none());
    private int reads;
    private final Runnable reader = () -> reads++;

    @Test
    void a_brief_request_wakes_no_other_thread() {
        assertThat(threads.tryExecute(reader)).isTrue();
        threads.end();
        now += ReaderThreads.MAX_NANOS;
        assertThat(threads.handOverLate()).isFalse();
        assertThat(started).isEmpty();
    }

    @Test
    void a_request_that_may_wait_lets_another_thread_read() {
        threads.tryExecute(reader);
        threads.handOver();
        threads.handOver();
        assertRead(1);
    }

    @Test
    void a_reader_that_waits_for_a_thread_is_enough() {
        for (int i = 0; i < 3; i++) {
            threads.tryExecute(reader);
            threads.handOver();
        }
        assertRead(1);
        threads.tryExecute(reader);
        threads.handOver();
        assertRead(2);
    }

    /** Runs the tasks that wait for a thread. */
    private void assertRead(int times) {
        started.forEach(Runnable::run);
        started.clear();
        assertThat(reads).isEqualTo(times);
    }

    @Test
    void a_request_that_takes_long_lets_another_thread_read() {
        threads.tryExecute(reader);
        now += ReaderThreads.MAX_NANOS - 1;
        assertThat(threads.handOverLate()).isTrue();
        assertThat(started).isEmpty();
        now++;
        threads.handOverLate();
        assertRead(1);
        assertThat(threads.handOverLate()).isFalse();
    }

    @Test
    void a_request_that_waits_lets_another_thread_read_earlier() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Thread waiting = new Thread(() -> {
            threads.tryExecute(reader);
            await(end);
        });
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        now += ReaderThreads.MAX_WAIT_NANOS - 1;
        threads.handOverLate();
        assertThat(started).isEmpty();
        now++;
        threads.handOverLate();
        assertRead(1);
        end.countDown();
        waiting.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void the_end_of_a_late_request_does_not_keep_the_next_reader_from_a_handover() {
        threads.tryExecute(reader);
        now += ReaderThreads.MAX_NANOS;
        threads.handOverLate();
        assertRead(1);
        // The other thread reads a request that takes long too.
        Thread other = new Thread(() -> threads.tryExecute(reader));
        other.start();
        join(other);
        threads.end();
        now += ReaderThreads.MAX_NANOS;
        threads.handOverLate();
        assertRead(2);
    }

    @Test
    void the_next_request_of_a_connection_lets_another_thread_read_too() {
        threads.tryExecute(reader);
        threads.end();
        threads.handOver();
        assertRead(1);
    }

    @Test
    void the_next_brief_request_of_a_connection_that_takes_long_lets_another_thread_read_too() {
        threads.tryExecute(reader);
        threads.end();
        now += 10 * ReaderThreads.MAX_NANOS;
        threads.begin();
        assertThat(threads.handOverLate()).isTrue();
        now += ReaderThreads.MAX_NANOS;
        threads.handOverLate();
        assertRead(1);
    }

    @Test
    void a_thread_that_reads_nothing_hands_nothing_over() {
        threads.handOver();
        threads.end();
        assertThat(started).isEmpty();
    }

    @Test
    void without_a_free_thread_the_reader_reads_on_after_its_request() {
        ReaderThreads full = new ReaderThreads(
                "test",
                task -> {
                    throw new RejectedExecutionException("full");
                },
                () -> now,
                EmulatorLog.none());
        assertThat(full.tryExecute(reader)).isTrue();
        full.handOver();
        assertThat(full.tryExecute(reader)).isTrue();
    }

    @Test
    void a_lack_of_memory_for_a_thread_does_not_end_the_watch() {
        ReaderThreads full = new ReaderThreads(
                "test",
                task -> {
                    throw new Error("no memory");
                },
                () -> now,
                EmulatorLog.none());
        full.tryExecute(reader);
        now += ReaderThreads.MAX_NANOS;
        assertThat(full.handOverLate()).isTrue();
        assertThat(full.handOverLate()).isFalse();
    }

    @Test
    void a_thread_that_has_ended_its_work_is_no_reader() {
        threads.execute(() -> threads.tryExecute(reader));
        assertRead(0);
        threads.handOver();
        assertThat(started).isEmpty();
    }

    @Test
    void a_thread_reads_on_when_the_thread_that_reads_instead_has_ended_its_request() {
        Thread late = lateThread();
        waitsForItsTurn(late);
        threads.end();
        join(late);
        assertThat(reads).isEqualTo(2);
        assertThat(started).isEmpty();
    }

    @Test
    void a_thread_that_waits_for_its_turn_reads_when_the_other_request_takes_long() {
        Thread late = lateThread();
        waitsForItsTurn(late);
        now += ReaderThreads.MAX_NANOS;
        threads.handOverLate();
        join(late);
        assertThat(reads).isEqualTo(2);
        assertThat(started).as("threads that read instead").isEmpty();
    }

    /** Starts a thread that hands its connections over to this thread, and then wants to read on. */
    private Thread lateThread() {
        CountDownLatch other = new CountDownLatch(1);
        CountDownLatch handedOver = new CountDownLatch(1);
        Thread late = new Thread(() -> {
            threads.tryExecute(reader);
            threads.handOver();
            handedOver.countDown();
            await(other);
            threads.awaitTurn();
            reads++;
        });
        late.start();
        await(handedOver);
        assertRead(1);
        threads.awaitTurn();
        threads.tryExecute(reader);
        other.countDown();
        return late;
    }

    private static boolean waitsForReader(Thread thread) {
        return LockSupport.getBlocker(thread) instanceof Runnable;
    }

    private void waitsForItsTurn(Thread late) {
        while (!waitsForReader(late)) {
            Thread.onSpinWait();
        }
        assertThat(reads).isOne();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
