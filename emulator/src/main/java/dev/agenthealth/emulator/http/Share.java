package dev.agenthealth.emulator.http;

/**
 * The part of a server that requests of one kind may take: those of other kinds have their own. Within it, one key has at most half of the requests in
 * progress and a quarter of those that wait.
 *
 * @param name of the kind
 * @param maxRunning requests in progress at a time
 * @param maxWaiting requests that wait; further ones are answered with 429
 * @param waitsForOthers whether its requests mostly wait for other systems, without a processor
 */
public record Share(String name, int maxRunning, int maxWaiting, boolean waitsForOthers) {

    /** For a server all of whose requests are alike. */
    public static final Share COMMON = new Share("", 512, 4_096);

    /** A share of requests that mostly take a processor. */
    public Share(String name, int maxRunning, int maxWaiting) {
        this(name, maxRunning, maxWaiting, false);
    }

    int maxRunningOfKey() {
        return Math.max(1, maxRunning / 2);
    }

    int maxWaitingOfKey() {
        return Math.max(1, maxWaiting / 4);
    }
}
