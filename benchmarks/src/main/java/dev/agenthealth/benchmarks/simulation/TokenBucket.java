package dev.agenthealth.benchmarks.simulation;

/** Admits a number of units per second, and a burst of unused units. Not thread-safe. */
final class TokenBucket {

    private double rate;
    private double burst;
    private double tokens;
    private double at;

    /** Creates a full bucket. */
    TokenBucket(double rate, double burst) {
        this.rate = rate;
        this.burst = burst;
        this.tokens = burst;
    }

    /** Changes the rate; the burst becomes the units of one second. */
    void raise(double newRate) {
        rate = newRate;
        burst = newRate;
    }

    double rate() {
        return rate;
    }

    /** Takes units, all or none. Time must not go back. */
    boolean take(double units, double seconds) {
        refill(seconds);
        if (tokens < units) {
            return false;
        }
        tokens -= units;
        return true;
    }

    private void refill(double seconds) {
        tokens = Math.min(burst, tokens + (seconds - at) * rate);
        at = seconds;
    }
}
