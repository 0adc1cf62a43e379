package dev.agenthealth.model.registry.profile;

import java.util.List;
import java.util.Optional;

/**
 * The way in which the registry asks an agent without heartbeats of its own whether it lives. A successful probe is a heartbeat that the registry
 * sends for the agent; a failed one is nothing, and silence does the rest.
 *
 * @param by what is asked
 * @param url the address to ask; empty for the one that the agent's endpoint implies
 * @param intervalSeconds time between two probes; {@link #NOT_WATCHED} for an agent that is not watched
 * @param timeoutSeconds how long a probe waits for the whole answer
 * @param statuses the HTTP statuses of an agent that lives; empty for 200 to 299. Only for {@link WatchKind#HTTP}
 * @param contains a text that the answer contains; empty for any. Only for {@link WatchKind#HTTP}
 */
public record Watch(
        WatchKind by, String url, int intervalSeconds, int timeoutSeconds, List<Integer> statuses, String contains) {

    /** The interval of an agent that is not watched. */
    public static final int NOT_WATCHED = 0;

    /** An agent that sends its own heartbeats. */
    public static final Watch NONE = new Watch(WatchKind.HTTP, "", NOT_WATCHED, 0, List.of(), "");

    /** Of an agent that is asked only before it is marked as dead, and does not say how: its card, every minute. */
    public static final Watch BEFORE_DEATH = new Watch(WatchKind.A2A, "", 60, 5, List.of(), "");

    /** The longest interval: one day. */
    public static final int MAX_INTERVAL_SECONDS = 86_400;

    public static final int DEFAULT_INTERVAL_SECONDS = 60;
    public static final int DEFAULT_TIMEOUT_SECONDS = 5;

    /** The longest wait for an answer. */
    public static final int MAX_TIMEOUT_SECONDS = 20;

    public static final int MAX_STATUSES = 10;

    /** The length of the text to find, in characters. */
    public static final int MAX_CONTAINS = 200;

    public Watch {
        statuses = List.copyOf(statuses);
    }

    /** Returns whether the registry asks for the agent. */
    public boolean isWatched() {
        return intervalSeconds != NOT_WATCHED;
    }

    /** Returns the address to ask, of an agent with this endpoint; empty where neither names one. */
    public Optional<String> address(String endpoint) {
        return url.isEmpty() ? by.impliedUrl(endpoint) : Optional.of(url);
    }

    /** Returns whether an answer with this HTTP status comes from an agent that lives. */
    public boolean accepts(int status) {
        return statuses.isEmpty() ? status >= 200 && status <= 299 : statuses.contains(status);
    }
}
