package dev.agenthealth.emulator.apigateway;

import dev.agenthealth.emulator.http.Share;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Shares the processors between short requests, such as heartbeats, and long requests, such as pages of a list. Thread-safe.
 *
 * <p>While several short requests are in progress, one long request at a time runs, and a pause follows it. Long requests then get a small
 * part of the processor time beside heartbeats, and a larger part beside other short requests. Without short requests they do not wait. The
 * class measures which requests are long.
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

    /** The pause after a request, in multiples of its processor time. The request's client and the server around it take as long again. */
    static final int PAUSE_FACTOR = 32;

    /** The pause while no brief request is in progress, in the same multiples (decision 363). A late registration costs less than a late heartbeat. */
    static final int PAUSE_FACTOR_WITHOUT_BRIEF = 1;

    /** The maximum pause, so that every long request completes. */
    static final Duration MAX_PAUSE = Duration.ofMillis(800);

    /** The maximum number of waiting requests, each of which holds a thread of the server. Further requests run at once. */
    static final int MAX_WAITING = 32;

    private static final int MAX_KINDS = 1_000;

    private final LongSupplier nanoTime;
    private final LongSupplier processorNanos;
    private final Sleep sleep;
    private final Map<String, Usual> usualByKind = new ConcurrentHashMap<>();
    private final CurrentRequests brief;
    private final CurrentRequests otherShort;
    private final Semaphore turn = new Semaphore(1, true);

    /** The end of the last long request, and the unit of the pause after it. */
    private volatile Ended last;

    /** @param unitNanos the processor time of the request, divided among those that wait */
    private record Ended(long nanoTime, long unitNanos) {}

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
        long now = nanoTime.getAsLong();
        this.brief = new CurrentRequests(BUSY, now);
        this.otherShort = new CurrentRequests(BUSY, now);
        this.last = new Ended(now, 0);
    }

    private static LongSupplier processorTime() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() ? threads::getCurrentThreadCpuTime : () -> 0;
    }

    /**
     * Runs a request; a long request waits for its turn. Requests that wait for others run at once, because a slow agent would otherwise
     * block all long requests. Requests of a brief share run at once too, because their threads hold answers to other requests.
     *
     * @param share the share that the request belongs to
     * @param kind requests of one kind take about equally long
     */
    <T> T run(Share share, String kind, Supplier<T> request) {
        return share.kind() == Share.Kind.WAITING
                ? request.get()
                : run(share.kind() == Share.Kind.BRIEF ? brief : otherShort, kind, request);
    }

    private <T> T run(CurrentRequests current, String kind, Supplier<T> request) {
        Usual usual = usual(kind);
        if (usual.waitsForOthers() && !usual.isLong()) {
            return measured(kind, request);
        }
        if (!usual.isLong() || current == brief) {
            current.begin();
            try {
                return measured(kind, request);
            } finally {
                current.end(nanoTime.getAsLong());
            }
        }
        if (turn.getQueueLength() >= MAX_WAITING) {
            return measured(kind, request);
        }
        turn.acquireUninterruptibly();
        try {
            pause();
            T result = measured(kind, request);
            last = new Ended(nanoTime.getAsLong(), usual(kind).processorNanos() / (1 + turn.getQueueLength()));
            return result;
        } finally {
            turn.release();
        }
    }

    private void pause() {
        try {
            while (mustPause()) {
                sleep.millis(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean mustPause() {
        long now = nanoTime.getAsLong();
        // Many clients may wait for a processor at once, so that none of their requests is in progress for a moment.
        int briefRequests = brief.areFrequent(now) ? BUSY : brief.count(now);
        int factor = briefRequests > 0 ? PAUSE_FACTOR : PAUSE_FACTOR_WITHOUT_BRIEF;
        Ended ended = last;
        return briefRequests + otherShort.count(now) >= BUSY
                && ended.nanoTime() + Math.min(factor * ended.unitNanos(), MAX_PAUSE.toNanos()) - now > 0;
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
