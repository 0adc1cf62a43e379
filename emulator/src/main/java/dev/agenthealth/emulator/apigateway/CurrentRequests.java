package dev.agenthealth.emulator.apigateway;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts requests that are in progress or have just ended. Thread-safe. */
final class CurrentRequests {

    /** The time since the end of a request that has just ended. Two threads may answer thousands of requests a second one after the other. */
    private static final long JUST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final AtomicInteger inProgress = new AtomicInteger();

    /** The ends of the last requests. */
    private final AtomicLongArray ends;

    private final AtomicInteger nextEnd = new AtomicInteger();

    /**
     * @param ended the number of ended requests that are counted at most
     * @param now the current {@link System#nanoTime}
     */
    CurrentRequests(int ended, long now) {
        this.ends = new AtomicLongArray(ended);
        for (int i = 0; i < ended; i++) {
            ends.set(i, now - JUST_NANOS);
        }
    }

    void begin() {
        inProgress.incrementAndGet();
    }

    void end(long now) {
        inProgress.decrementAndGet();
        ends.set(Math.floorMod(nextEnd.getAndIncrement(), ends.length()), now);
    }

    int count(long now) {
        int requests = inProgress.get();
        for (int i = 0; i < ends.length(); i++) {
            requests += now - ends.get(i) < JUST_NANOS ? 1 : 0;
        }
        return requests;
    }
}
