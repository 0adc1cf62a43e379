package dev.agenthealth.benchmarks.simulation;

/** The events between the table and the bus, delivered one after another in the order of their changes. Not thread-safe. */
final class EventQueue {

    private final double perSecond;
    private double publishedUntil;
    private double longest;

    /** @param perSecond the rate that the stream's shards and the bus take together */
    EventQueue(double perSecond) {
        this.perSecond = perSecond;
    }

    void add(double events, double seconds) {
        publishedUntil = Math.max(publishedUntil, seconds) + events / perSecond;
        longest = events > 0 ? Math.max(longest, publishedUntil - seconds) : longest;
    }

    /** Returns the longest time from a change to its event on the bus; 0 without events. */
    double longest() {
        return longest;
    }
}
