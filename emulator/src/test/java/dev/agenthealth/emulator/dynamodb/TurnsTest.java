package dev.agenthealth.emulator.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When lists and work in the background pause for heartbeats, on a clock that only pauses move. */
class TurnsTest {

    private static final Duration WAITED_TOO_LONG = Duration.ofSeconds(20);

    private final Turns turns = new Turns(() -> this.now.get(), this::sleep);
    private final AtomicLong now = new AtomicLong();
    private final AtomicLong heartbeats = new AtomicLong();
    private Runnable meanwhile = this::aHeartbeatPasses;

    private void sleep(long nanos) {
        now.addAndGet(nanos);
        meanwhile.run();
    }

    private void aHeartbeatPasses() {
        heartbeats.incrementAndGet();
        beside(() -> {});
    }

    /** Runs something while one more heartbeat is in progress. */
    private void beside(Runnable work) {
        turns.heartbeat(() -> done(work));
    }

    private static String done(Runnable work) {
        work.run();
        return "done";
    }

    private void whileHeartbeatsWait(Runnable work) {
        beside(() -> beside(work));
    }

    private void list() {
        list(() -> {});
    }

    private void list(Runnable work) {
        turns.list(() -> done(work));
    }

    private void background() {
        turns.background(() -> "done");
    }

    @Test
    void noTurnPausesWithoutHeartbeats() {
        IntStream.range(0, 10).forEach(i -> {
            list();
            background();
        });
        assertThat(now).hasValue(0);
    }

    @Test
    void noTurnPausesForOneHeartbeatAtATime() {
        beside(() -> IntStream.range(0, 10).forEach(i -> list()));
        assertThat(now).hasValue(0);
    }

    @Test
    void heartbeatsPassBetweenTwoListsWhileTheyWait() {
        list();
        whileHeartbeatsWait(() -> IntStream.range(0, 3).forEach(i -> list()));
        assertThat(heartbeats).hasValue(3 * Turns.BETWEEN_LISTS);
    }

    @Test
    void fewerPassBetweenTwoTurnsInTheBackground() {
        background();
        whileHeartbeatsWait(() -> IntStream.range(0, 3).forEach(i -> background()));
        assertThat(heartbeats).hasValue(3 * Turns.BETWEEN_BACKGROUND);
    }

    @Test
    void listsAndWorkInTheBackgroundDoNotWaitForEachOther() {
        whileHeartbeatsWait(() -> list(this::background));
        assertThat(now).hasValue(0);
    }

    @Test
    void aPauseEndsWhenNoHeartbeatWaits() {
        CountDownLatch ends = new CountDownLatch(1);
        Thread other = new Thread(() -> beside(() -> await(ends)));
        list();
        other.start();
        awaitWaiting(other);
        meanwhile = () -> {
            ends.countDown();
            join(other);
        };
        beside(this::list);
        assertThat(now).hasValue(Turns.POLL.toNanos());
    }

    @Test
    void heartbeatsThatDoNotPassDelayATurnForALimitedTime() {
        meanwhile = () -> {};
        list();
        whileHeartbeatsWait(this::list);
        assertThat(now).hasValue(Turns.MAX_PAUSE.toNanos());
    }

    @Test
    void anInterruptEndsAPause() {
        meanwhile = () -> Thread.currentThread().interrupt();
        list();
        whileHeartbeatsWait(this::list);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(now).hasValueLessThan(Turns.MAX_PAUSE.toNanos());
    }

    @Test
    void aHeartbeatThatFailsIsNotInProgress() {
        list();
        for (int i = 0; i < Turns.BUSY; i++) {
            assertThatThrownBy(() -> turns.heartbeat(() -> {
                        throw new IllegalStateException("failed");
                    }))
                    .hasMessage("failed");
        }
        assertThat(turns.areBusy()).isFalse();
        list();
        assertThat(now).hasValue(0);
    }

    @Test
    void pausesAreShorterWhereManyWait() {
        List<Thread> lists = IntStream.range(0, 4)
                .mapToObj(i -> new Thread(() -> this.list()))
                .toList();
        whileHeartbeatsWait(() -> {
            list(() -> {
                lists.forEach(Thread::start);
                lists.forEach(TurnsTest::awaitWaiting);
            });
            lists.forEach(TurnsTest::join);
        });
        int between = Turns.BETWEEN_LISTS;
        assertThat(heartbeats).hasValue(between / 5 + between / 4 + between / 3 + between / 2);
    }

    private static void awaitWaiting(Thread thread) {
        long end = System.nanoTime() + WAITED_TOO_LONG.toNanos();
        while (thread.getState() != Thread.State.WAITING && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(thread.getState()).isEqualTo(Thread.State.WAITING);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(WAITED_TOO_LONG.toMillis());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(thread.isAlive()).isFalse();
    }
}
