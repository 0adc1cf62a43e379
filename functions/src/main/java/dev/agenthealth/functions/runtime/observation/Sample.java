package dev.agenthealth.functions.runtime.observation;

/**
 * Samples requests by a hash of the request's id. A snapshot then contains nothing random, and a request has either all its log lines or
 * none.
 *
 * @param oneIn samples one of this many requests; 1 samples all
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
