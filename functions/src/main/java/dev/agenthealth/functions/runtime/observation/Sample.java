package dev.agenthealth.functions.runtime.observation;

/**
 * Samples requests by a hash of the request's id. Nothing random is part of a snapshot, and either all log lines of a request are written or
 * none.
 *
 * @param oneIn the number of requests per sampled one; 1 samples all
 */
public record Sample(int oneIn) {

    public Sample {
        if (oneIn < 1) {
            throw new IllegalArgumentException("a sample is one in at least 1, not " + oneIn);
        }
    }

    /** Returns whether the request is sampled. */
    public boolean includes(String requestId) {
        // Similar ids have similar hashes; the multiplication spreads them.
        int hash = (requestId.hashCode() + 1) * 0x9E3779B9;
        return Math.floorMod(hash ^ hash >>> 16, oneIn) == 0;
    }
}
