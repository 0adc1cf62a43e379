package dev.agenthealth.emulator.apigateway;

import dev.agenthealth.emulator.http.Share;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Shares the processors between short requests, such as heartbeats, and long requests, such as pages of a list. Thread-safe.
 *
 * <p>While several short requests are in progress, one long request at a time runs, and a pause follows it. Long requests then get a small
 * part of the processor time. Without short requests they do not wait. The class measures which requests are long.
 */
final class LongRequests {

    /** The processor time from which a request counts as long. */
    static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    /** The elapsed time from which a short request counts as waiting for something. */
    static final long MAX_BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The elapsed time below which a request is brief. Its processor time is not asked for, because it is no more than the elapsed time. */
    static final long BRIEF_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The number of short requests, in progress or just ended, at which long requests wait. */
    static final int BUSY = 2;

    /** The time since the end of a request that has just ended. Two threads may answer thousands of requests a second one after the other. */
    private static final long JUST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The pause after a request, in multiples of its processor time. The request's client and the server around it take as long again. */
    static final int PAUSE_FACTOR = 32;

    /** The maximum pause, so that every long request completes. */
    static final Duration MAX_PAUSE = Duration.ofMillis(800);

    /** The maximum number of waiting requests, each of which holds a thread of the server. Further requests run at once. */
    static final int MAX_WAITING = 32;

    private static final int MAX_KINDS = 1_000;

    private final LongSupplier nanoTime;
    private final LongSupplier processorNanos;
    private final Sleep sleep;
    private final Map<String, Usual> usualByKind = new ConcurrentHashMap<>();
    private final AtomicInteger shortInProgress = new AtomicInteger();

    /** The ends of the last short requests. */
    private final AtomicLongArray ends = new AtomicLongArray(BUSY);

    private final AtomicInteger nextEnd = new AtomicInteger();
    private final Semaphore turn = new Semaphore(1, true);
    private volatile long pauseEnds;

    /** The processor time and the elapsed time of the last few requests of a kind. */
    private record Usual(long processorNanos, long clockNanos) {

        static final Usual UNKNOWN = new Usual(0, 0);

        Usual with(long processor, long clock) {
            // A single slow request does not count much.
            return new Usual((processorNanos + processor) / 2, (clockNanos + clock) / 2);
        }

        boolean isLong() {
            return processorNanos >= MIN_NANOS;
        }

        boolean isBrief() {
            return clockNanos < BRIEF_NANOS;
        }

        /** Returns true if the requests mostly wait, such as a call of an agent, which needs no processor meanwhile. */
        boolean waitsForOthers() {
            return clockNanos >= MAX_BUSY_NANOS;
        }
    }

    /** Waits for a time. */
    @FunctionalInterface
    interface Sleep {

        void millis(long millis) throws InterruptedException;
    }

    LongRequests() {
        this(System::nanoTime, processorTime(), Thread::sleep);
    }

    /** @param processorNanos the processor time of the current thread */
    LongRequests(LongSupplier nanoTime, LongSupplier processorNanos, Sleep sleep) {
        this.nanoTime = nanoTime;
        this.processorNanos = processorNanos;
        this.sleep = sleep;
        this.pauseEnds = nanoTime.getAsLong();
        for (int i = 0; i < BUSY; i++) {
            ends.set(i, pauseEnds - JUST_NANOS);
        }
    }

    private static LongSupplier processorTime() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() ? threads::getCurrentThreadCpuTime : () -> 0;
    }

    /**
     * Runs a request; a long request waits for its turn. Requests that wait for others run at once, because a slow agent would otherwise
     * block all long requests.
     *
     * @param share the share that the request belongs to
     * @param kind requests of one kind take about equally long
     */
    <T> T run(Share share, String kind, Supplier<T> request) {
        return share.kind() == Share.Kind.WAITING ? request.get() : run(kind, request);
    }

    private <T> T run(String kind, Supplier<T> request) {
        Usual usual = usual(kind);
        if (!usual.isLong()) {
            int counts = usual.waitsForOthers() ? 0 : 1;
            shortInProgress.addAndGet(counts);
            try {
                return measured(kind, request);
            } finally {
                shortInProgress.addAndGet(-counts);
                if (counts > 0) {
                    ends.set(Math.floorMod(nextEnd.getAndIncrement(), BUSY), nanoTime.getAsLong());
                }
            }
        }
        if (turn.getQueueLength() >= MAX_WAITING) {
            return measured(kind, request);
        }
        turn.acquireUninterruptibly();
        try {
            pause();
            T result = measured(kind, request);
            long pause = Math.min(
                    PAUSE_FACTOR * usual(kind).processorNanos() / (1 + turn.getQueueLength()), MAX_PAUSE.toNanos());
            pauseEnds = nanoTime.getAsLong() + pause;
            return result;
        } finally {
            turn.release();
        }
    }

    private void pause() {
        try {
            while (isBusy() && pauseEnds - nanoTime.getAsLong() > 0) {
                sleep.millis(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isBusy() {
        int requests = shortInProgress.get();
        long now = nanoTime.getAsLong();
        for (int i = 0; i < BUSY; i++) {
            requests += now - ends.get(i) < JUST_NANOS ? 1 : 0;
        }
        return requests >= BUSY;
    }

    private Usual usual(String kind) {
        return usualByKind.getOrDefault(kind, Usual.UNKNOWN);
    }

    private <T> T measured(String kind, Supplier<T> request) {
        Usual usual = usualByKind.get(kind);
        boolean brief = usual != null && usual.isBrief();
        long clock = nanoTime.getAsLong();
        long processor = brief ? 0 : processorNanos.getAsLong();
        try {
            return request.get();
        } finally {
            long elapsed = nanoTime.getAsLong() - clock;
            if (!brief) {
                learn(kind, processorNanos.getAsLong() - processor, elapsed);
            } else if (elapsed >= BRIEF_NANOS) {
                // The kind may no longer be brief, and the processor time of its next request is measured.
                learn(kind, usual.processorNanos(), elapsed);
            }
        }
    }

    private void learn(String kind, long processor, long elapsed) {
        if (usualByKind.size() < MAX_KINDS || usualByKind.containsKey(kind)) {
            usualByKind.put(kind, usual(kind).with(processor, elapsed));
        }
    }
}
