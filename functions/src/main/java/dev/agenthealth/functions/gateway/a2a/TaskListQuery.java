package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The selection of an agent's tasks that a caller lists. Immutable.
 *
 * @param contextId the context of the tasks; empty for any
 * @param state the state of the tasks with its name in version 0.3; empty for any
 * @param changedAfter the time after which the status changed; empty for any
 * @param historyLength the number of messages of their history; empty leaves it to the agent
 * @param withArtifacts whether the answer includes their artifacts
 * @param pageSize the maximum number of tasks in an answer
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

    /** Reads the parameters of a caller. States may have their names in either version. */
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
     * @param size the size of the page
     * @param pageToken the agent's page token; empty for the first page
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
