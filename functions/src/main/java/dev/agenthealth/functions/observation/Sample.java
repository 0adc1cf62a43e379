package dev.agenthealth.functions.observation;

/**
 * One in so many requests, the same ones whoever asks: chosen by the request's id and not by chance, so that nothing random stands in a
 * snapshot and all lines about one request are there or none.
 *
 * @param oneIn how many requests there is one for; 1 takes all
 */
public record Sample(int oneIn) {

    public Sample {
        if (oneIn < 1) {
            throw new IllegalArgumentException("a sample is one in at least 1, not " + oneIn);
        }
    }

    /** Whether this request is in the sample. */
    public boolean takes(String requestId) {
        // Ids that differ in little have hashes that do as well: stir them before they are divided.
        int hash = (requestId.hashCode() + 1) * 0x9E3779B9;
        return Math.floorMod(hash ^ hash >>> 16, oneIn) == 0;
    }
}
