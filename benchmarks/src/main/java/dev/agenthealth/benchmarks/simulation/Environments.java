package dev.agenthealth.benchmarks.simulation;

/** The execution environments of the heartbeat function. Each environment serves one request at a time. Not thread-safe. */
final class Environments {

    private final double limit;
    private final TokenBucket scaling;
    private double all;
    private double free;
    private double busySeconds;

    Environments(Limits limits) {
        limit = limits.functions().concurrency();
        // The number for ten seconds may be created at once.
        scaling = new TokenBucket(
                limits.functions().newPerSecond(), 10 * limits.functions().newPerSecond());
    }

    /** The kinds of environment that a request gets, or none. */
    enum Admission {
        WARM,
        NEW,
        REFUSED
    }

    Admission admit(double seconds) {
        if (free >= 1) {
            free--;
            return Admission.WARM;
        }
        if (all + 1 <= limit && scaling.take(1, seconds)) {
            all++;
            return Admission.NEW;
        }
        return Admission.REFUSED;
    }

    /** Ends a request that occupied an environment for this long. */
    void release(double occupiedSeconds) {
        free++;
        busySeconds += occupiedSeconds;
    }

    double busySeconds() {
        return busySeconds;
    }
}
