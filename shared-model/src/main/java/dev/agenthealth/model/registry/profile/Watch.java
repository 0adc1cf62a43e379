package dev.agenthealth.model.registry.profile;

import java.util.List;
import java.util.Optional;

/**
 * The way in which the registry probes an agent that sends no heartbeats of its own. A successful probe is a heartbeat that the registry sends for
 * the agent. A failed probe changes nothing at once. The status changes after the heartbeat timeout.
 *
 * @param by the kind of probe
 * @param url the address to ask; empty for the address that the agent's endpoint implies
 * @param intervalSeconds the time between two probes; {@link #NOT_WATCHED} for an agent that is not watched
 * @param timeoutSeconds the maximum time that a probe waits for the whole answer
 * @param statuses the HTTP statuses of a live agent; empty for 200 to 299; only for {@link WatchKind#HTTP}
 * @param contains a text that the answer contains; empty for any answer; only for {@link WatchKind#HTTP}
 */
public record Watch(
        WatchKind by, String url, int intervalSeconds, int timeoutSeconds, List<Integer> statuses, String contains) {

    /** The interval if the agent is not watched. */
    public static final int NOT_WATCHED = 0;

    /** The watch of an agent that sends its own heartbeats. */
    public static final Watch NONE = new Watch(WatchKind.HTTP, "", NOT_WATCHED, 0, List.of(), "");

    /** The default watch of an agent that is probed only before it is marked as dead: the registry reads its card every minute. */
    public static final Watch BEFORE_DEATH = new Watch(WatchKind.A2A, "", 60, 5, List.of(), "");

    /** The maximum interval: one day. */
    public static final int MAX_INTERVAL_SECONDS = 86_400;

    public static final int DEFAULT_INTERVAL_SECONDS = 60;
    public static final int DEFAULT_TIMEOUT_SECONDS = 5;

    /** The maximum time to wait for an answer. */
    public static final int MAX_TIMEOUT_SECONDS = 20;

    public static final int MAX_STATUSES = 10;

    /** The maximum length of the text to find, in characters. */
    public static final int MAX_CONTAINS = 200;

    public Watch {
        statuses = List.copyOf(statuses);
    }

    /** Returns whether the registry probes the agent. */
    public boolean isWatched() {
        return intervalSeconds != NOT_WATCHED;
    }

    /** Returns the address to ask; empty if neither the watch nor the endpoint names one. */
    public Optional<String> address(String endpoint) {
        return url.isEmpty() ? by.impliedUrl(endpoint) : Optional.of(url);
    }

    /** Returns whether an HTTP status means that the agent is alive. */
    public boolean accepts(int status) {
        return statuses.isEmpty() ? status >= 200 && status <= 299 : statuses.contains(status);
    }
}
