package dev.agenthealth.emulator.apigateway;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts requests that are in progress or have just ended. Thread-safe. */
final class CurrentRequests {

    /** The time since the end of a request that has just ended. Two threads may answer thousands of requests a second one after the other. */
    private static final long JUST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The number of ends that are kept. Requests are frequent if this many ended within {@link #FREQUENT_NANOS}. */
    static final int FREQUENT = 64;

    /** The time of frequent requests. All clients together may pause for most of it, for example while they wait for a processor. */
    static final long FREQUENT_NANOS = TimeUnit.MILLISECONDS.toNanos(64);

    private final AtomicInteger inProgress = new AtomicInteger();

    /** The ends of the last requests, in a circle. */
    private final AtomicLongArray ends = new AtomicLongArray(FREQUENT);

    private final AtomicInteger nextEnd = new AtomicInteger();
    private final int maxEnded;

    /**
     * @param maxEnded the number of ended requests that are counted at most
     * @param now the current {@link System#nanoTime}
     */
    CurrentRequests(int maxEnded, long now) {
        this.maxEnded = maxEnded;
        for (int i = 0; i < FREQUENT; i++) {
            ends.set(i, now - FREQUENT_NANOS);
        }
    }

    void begin() {
        inProgress.incrementAndGet();
    }

    void end(long now) {
        inProgress.decrementAndGet();
        ends.set(index(nextEnd.getAndIncrement()), now);
    }

    /** Returns the number of requests that are in progress or have just ended. */
    int count(long now) {
        int requests = inProgress.get();
        int next = nextEnd.get();
        for (int i = 1; i <= maxEnded; i++) {
            requests += now - ends.get(index(next - i)) < JUST_NANOS ? 1 : 0;
        }
        return requests;
    }

    /** Returns true if a thousand requests a second end. Between two of them, none may be in progress for some milliseconds. */
    boolean areFrequent(long now) {
        return now - ends.get(index(nextEnd.get())) < FREQUENT_NANOS;
    }

    private static int index(int end) {
        return Math.floorMod(end, FREQUENT);
    }
}
