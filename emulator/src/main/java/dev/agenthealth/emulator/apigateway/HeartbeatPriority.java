package dev.agenthealth.emulator.apigateway;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Gives heartbeats priority over lists: while heartbeats arrive without a pause, the lists of a route run for a tenth of the time. On one machine they share
 * processors and database; in AWS, functions and tables scale apart. Thread-safe.
 */
public final class HeartbeatPriority {

    /** The function that answers heartbeats. */
    static final String FUNCTION = "HeartbeatFunction";

    /** A pause of heartbeats after which no list waits. */
    static final Duration PAUSE = Duration.ofMillis(10);

    /** How long the next list of a route waits, for each nanosecond that one took. */
    static final int WAIT = 9;

    /** Maximum time that a list waits, so that it always comes to its end. */
    static final Duration MAX_WAIT = Duration.ofSeconds(1);

    /** Maximum number of lists that wait: the other threads are left for heartbeats. */
    static final int MAX_WAITING = 32;

    private final LongSupplier nanos;
    private final LongConsumer sleep;
    private final AtomicInteger heartbeats = new AtomicInteger();
    private final Semaphore places = new Semaphore(MAX_WAITING);
    private final Map<String, Long> earliest = new ConcurrentHashMap<>();
    private volatile long lastHeartbeat;

    public HeartbeatPriority() {
        this(System::nanoTime, LockSupport::parkNanos);
    }

    /**
     * @param nanos a clock that never goes back
     * @param sleep waits for so many nanoseconds at most
     */
    HeartbeatPriority(LongSupplier nanos, LongConsumer sleep) {
        this.nanos = nanos;
        this.sleep = sleep;
        this.lastHeartbeat = nanos.getAsLong() - PAUSE.toNanos();
    }

    /** Answers a heartbeat, at once. */
    <T> T heartbeat(Supplier<T> answer) {
        heartbeats.incrementAndGet();
        try {
            return answer.get();
        } finally {
            lastHeartbeat = nanos.getAsLong();
            heartbeats.decrementAndGet();
        }
    }

    /** Answers a list when it is its turn. */
    <T> T list(String route, Supplier<T> answer) {
        if (places.tryAcquire()) {
            try {
                awaitTurn(route);
            } finally {
                places.release();
            }
        }
        long begin = nanos.getAsLong();
        try {
            return answer.get();
        } finally {
            long end = nanos.getAsLong();
            long wait = WAIT * (end - begin);
            earliest.merge(
                    route,
                    end + Math.min(wait, MAX_WAIT.toNanos()),
                    (before, alone) -> Math.min(Math.max(before, end) + wait, end + MAX_WAIT.toNanos()));
        }
    }

    private void awaitTurn(String route) {
        for (long now = nanos.getAsLong(); isBusy(now); now = nanos.getAsLong()) {
            long left = earliest.getOrDefault(route, now) - now;
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                return;
            }
            sleep.accept(Math.min(left, PAUSE.toNanos()));
        }
    }

    private boolean isBusy(long now) {
        return heartbeats.get() > 0 || now - lastHeartbeat < PAUSE.toNanos();
    }
}
