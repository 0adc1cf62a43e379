package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/**
 * A heartbeat (RFC-0016 §4.1), for programs that send heartbeats themselves. Other programs use {@link AgentHealthClient#agent}. Immutable:
 * each method returns a changed copy.
 */
public final class Heartbeat {

    private final ObjectNode json;

    private Heartbeat(ObjectNode json) {
        this.json = json;
    }

    /** Returns the heartbeat of an agent that works. */
    public static Heartbeat active() {
        return new Heartbeat(Json.object()).with("status", "active");
    }

    /** Returns the heartbeat of an agent that finishes its work and takes no more. */
    public static Heartbeat draining() {
        return new Heartbeat(Json.object()).with("status", "draining");
    }

    /** Sets the number of tasks in progress. */
    public Heartbeat load(int tasks) {
        return with("current_load", tasks);
    }

    /** Sets the tasks in progress: ids of leases, intents or scopes, or the agent's own ids. */
    public Heartbeat tasks(Collection<String> taskIds) {
        ObjectNode copy = json.deepCopy();
        ArrayNode tasks = copy.putArray("tasks_in_progress");
        taskIds.forEach(tasks::add);
        return new Heartbeat(copy);
    }

    /**
     * Sets the phase of the running task that is longest without progress, and the age of its last progress.
     *
     * @param phase {@code model}, {@code tool}, {@code human} or {@code other}
     */
    public Heartbeat activity(String phase, Duration noProgress) {
        return with(
                "activity",
                Json.object().put("phase", phase).put("no_progress_seconds", noProgress.toMillis() / 1_000.0));
    }

    /**
     * Sets the used part of the model's context.
     *
     * @param part from 0 to 1
     * @throws IllegalArgumentException for another number
     */
    public Heartbeat contextUsed(double part) {
        return with("context_used", checkedPart(part));
    }

    static double checkedPart(double part) {
        if (!(part >= 0 && part <= 1)) {
            throw new IllegalArgumentException("the used part of the context must be from 0 to 1");
        }
        return part;
    }

    /** Sets the incarnation of the registration, so that a replaced process gets 410 {@code superseded}. */
    public Heartbeat incarnation(long incarnation) {
        return with("incarnation", incarnation);
    }

    Heartbeat at(Instant now) {
        return with("client_timestamp", now.toString());
    }

    private Heartbeat with(String field, Object value) {
        ObjectNode copy = json.deepCopy();
        copy.set(field, Json.of(value));
        return new Heartbeat(copy);
    }

    ObjectNode json() {
        return json.deepCopy();
    }
}
