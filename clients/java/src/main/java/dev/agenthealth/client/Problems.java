package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The problems of agents, which last until they end or are dismissed. Every method throws {@link AgentHealthException} if its request
 * fails. Thread-safe.
 */
public final class Problems {

    private static final String PROBLEMS = "/api/v1/problems";

    private final Api api;

    Problems(Api api) {
        this.api = api;
    }

    /**
     * Returns the problems that the key may see, the worst first.
     *
     * @param filters {@code state}, {@code severity}, {@code agent_id} and {@code role_id}; each is optional. Without a state, the result
     *     has open and acknowledged problems
     */
    public Stream<JsonNode> stream(Map<String, String> filters) {
        return Pages.stream(
                api,
                () -> {
                    Call call = Call.get(PROBLEMS);
                    for (Map.Entry<String, String> filter : filters.entrySet()) {
                        call = call.query(filter.getKey(), filter.getValue());
                    }
                    return call;
                },
                "problems",
                problem -> problem);
    }

    /**
     * Acknowledges a problem and returns it: somebody takes care of it.
     *
     * @param acknowledgement {@code note}, and {@code for_seconds} or {@code until}; each is optional
     */
    public JsonNode acknowledge(String problemId, Map<String, ?> acknowledgement) {
        return post(problemId, "/acknowledge", acknowledgement);
    }

    /**
     * Closes a problem until it occurs anew, and returns it.
     *
     * @param dismissal {@code note}, which is optional
     */
    public JsonNode dismiss(String problemId, Map<String, ?> dismissal) {
        return post(problemId, "/dismiss", dismissal);
    }

    private JsonNode post(String problemId, String what, Map<String, ?> body) {
        return api.send(Call.post(PROBLEMS).segment(problemId).path(what).body((ObjectNode) Json.of(body)));
    }
}
