package dev.agenthealth.emulator.dynamodb;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Decides when requests reach a database that processes one at a time, in their order. Heartbeats pass at once. Lists take turns, one at a
 * time, and work in the background two at a time: while one is in the database, the result of the other is converted. While heartbeats wait
 * for each other, some of them pass between two turns, so that lists get a tenth of the time or less.
 * Thread-safe.
 */
final class Turns {

    /** With so many heartbeats in progress one waits, at least, and the turns pause. */
    static final int BUSY = 2;

    /** How many requests in the background take a turn at the same time. */
    static final int BACKGROUND = 2;

    /** How many heartbeats pass between two turns of lists. */
    static final int BETWEEN_LISTS = 75;

    /** How many heartbeats pass between two turns in the background, which a pass of the sweep takes within its period. */
    static final int BETWEEN_BACKGROUND = 5;

    /** Maximum pause between two turns, so that all work comes to its end. */
    static final Duration MAX_PAUSE = Duration.ofMillis(100);

    /** How long a turn waits before it looks again. */
    static final Duration POLL = Duration.ofMillis(1);

    private final LongSupplier nanos;
    private final LongConsumer sleep;
    private final AtomicInteger inProgress = new AtomicInteger();
    private final AtomicLong passed = new AtomicLong();
    private final Lane lists = new Lane(1, BETWEEN_LISTS);
    private final Lane background = new Lane(BACKGROUND, BETWEEN_BACKGROUND);

    Turns() {
        this(System::nanoTime, LockSupport::parkNanos);
    }

    /**
     * @param nanos a clock that never goes back
     * @param sleep waits for so many nanoseconds at most
     */
    Turns(LongSupplier nanos, LongConsumer sleep) {
        this.nanos = nanos;
        this.sleep = sleep;
    }

    /** Whether heartbeats wait for each other. */
    boolean areBusy() {
        return inProgress.get() >= BUSY;
    }

    /** Sends a request of a heartbeat, at once. */
    <T> T heartbeat(Supplier<T> request) {
        inProgress.incrementAndGet();
        try {
            return request.get();
        } finally {
            passed.incrementAndGet();
            inProgress.decrementAndGet();
        }
    }

    /** Sends a request of a list when it is its turn. */
    <T> T list(Supplier<T> request) {
        return lists.take(request);
    }

    /** Sends a request of work in the background when it is its turn. */
    <T> T background(Supplier<T> request) {
        return background.take(request);
    }

    /** Requests that take turns in their order. */
    private final class Lane {

        private final int heartbeatsBetween;
        private final Semaphore turn;
        private volatile long enoughPassed;
        private volatile long lastTurn;

        Lane(int atATime, int heartbeatsBetween) {
            this.turn = new Semaphore(atATime, true);
            this.heartbeatsBetween = heartbeatsBetween;
        }

        <T> T take(Supplier<T> request) {
            turn.acquireUninterruptibly();
            try {
                pause();
                return request.get();
            } finally {
                // The more requests wait, the shorter the pause: each of many lists comes to its end as well.
                enoughPassed = passed.get() + heartbeatsBetween / (1 + turn.getQueueLength());
                lastTurn = nanos.getAsLong();
                turn.release();
            }
        }

        private void pause() {
            while (areBusy()
                    && passed.get() < enoughPassed
                    && nanos.getAsLong() - lastTurn < MAX_PAUSE.toNanos()
                    && !Thread.currentThread().isInterrupted()) {
                sleep.accept(POLL.toNanos());
            }
        }
    }
}
