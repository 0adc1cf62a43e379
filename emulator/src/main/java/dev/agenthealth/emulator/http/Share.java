package dev.agenthealth.emulator.http;

/**
 * The part of a server that requests of one kind may use; other kinds have their own shares. Within a share, a key gets at most half of the
 * running requests and a quarter of the waiting requests.
 *
 * @param name the name of the kind
 * @param maxRunning maximum number of requests in progress
 * @param maxWaiting maximum number of waiting requests; further requests are answered with 429
 * @param kind the usual duration of the requests
 */
public record Share(String name, int maxRunning, int maxWaiting, Kind kind) {

    /** The share of a server with only one kind of request. */
    public static final Share COMMON = new Share("", 512, 4_096);

    /** The usual duration of requests. */
    public enum Kind {
        /** Less than a millisecond, without waiting. */
        BRIEF,
        /** They mostly use a processor. */
        WORKING,
        /** They mostly wait for other systems, without a processor. */
        WAITING
    }

    /** Creates a share of requests that mostly use a processor. */
    public Share(String name, int maxRunning, int maxWaiting) {
        this(name, maxRunning, maxWaiting, Kind.WORKING);
    }

    int maxRunningOfKey() {
        return Math.max(1, maxRunning / 2);
    }

    int maxWaitingOfKey() {
        return Math.max(1, maxWaiting / 4);
    }
}
