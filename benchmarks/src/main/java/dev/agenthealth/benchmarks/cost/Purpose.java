package dev.agenthealth.benchmarks.cost;

/** What capacity, time and requests are spent on. */
public enum Purpose {
    HEARTBEATS("heartbeats"),
    SWEEP("sweep"),
    LIFECYCLE("registrations and changes of status"),
    OUTCOMES_AND_HEALTH("outcomes and health"),
    READS("reads"),
    LEASES("leases"),
    INVOCATIONS("invocations"),
    EVENTS("events");

    private final String words;

    Purpose(String words) {
        this.words = words;
    }

    /** As a reader sees it. */
    public String words() {
        return words;
    }
}
