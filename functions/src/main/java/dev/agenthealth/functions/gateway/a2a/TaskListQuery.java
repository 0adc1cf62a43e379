package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The choice of the tasks of an agent that a caller lists. Immutable.
 *
 * @param contextId of the tasks; empty for any
 * @param state of the tasks in the words of version 0.3; empty for any
 * @param changedAfter since when their status is as it is; empty for any time
 * @param historyLength how many messages of their history are asked for; empty leaves it to the agent
 * @param withArtifacts whether their artifacts are asked for
 * @param pageSize how many tasks are answered at most
 */
public record TaskListQuery(
        String contextId,
        String state,
        Optional<Instant> changedAfter,
        OptionalInt historyLength,
        boolean withArtifacts,
        int pageSize) {

    private static final int DEFAULT_PAGE = 50;
    private static final int MAX_PAGE = 100;
    private static final int MAX_CONTEXT_ID = 255;
    private static final int MAX_HISTORY = 1_000;
    private static final String STATUS = "status";

    /** Reads the parameters of a caller, whose states may have the names of either version. */
    static TaskListQuery of(Fields params) {
        String state = A2aResult.state(params.text(STATUS));
        if (!state.isEmpty() && !A2aResult.isState(state)) {
            params.refuse(STATUS, "must be a state of tasks");
        }
        return new TaskListQuery(
                params.text("contextId", MAX_CONTEXT_ID),
                state.equals(A2aResult.UNKNOWN) ? "" : state,
                params.timestamp("statusTimestampAfter"),
                params.integer("historyLength", 0, MAX_HISTORY),
                params.flag("includeArtifacts", false),
                params.integer("pageSize", 1, MAX_PAGE).orElse(DEFAULT_PAGE));
    }

    /**
     * Returns the parameters of a request to an agent.
     *
     * @param size of the page
     * @param pageToken of the agent; empty for its first page
     */
    ObjectNode params(A2aVersion version, int size, String pageToken) {
        ObjectNode params = Json.object().put("pageSize", size).put("includeArtifacts", withArtifacts);
        if (!contextId.isEmpty()) {
            params.put("contextId", contextId);
        }
        if (!state.isEmpty()) {
            params.put(STATUS, A2aResult.state(state, version));
        }
        changedAfter.ifPresent(after -> params.put("statusTimestampAfter", after.toString()));
        historyLength.ifPresent(length -> params.put("historyLength", length));
        if (!pageToken.isEmpty()) {
            params.put("pageToken", pageToken);
        }
        return params;
    }
}
