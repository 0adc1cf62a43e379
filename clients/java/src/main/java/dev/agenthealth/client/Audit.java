package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.stream.Stream;

/** The audit log, for administrators. Every method throws {@link AgentHealthException} if its request fails. Thread-safe. */
public final class Audit {

    private final Api api;

    Audit(Api api) {
        this.api = api;
    }

    /**
     * Returns the entries, newest first.
     *
     * @param filters {@code since}, {@code until}, {@code author}, {@code agent_id}, {@code object_type}, {@code object_id}, {@code action}
     *     and {@code outcome}; each is optional
     */
    public Stream<JsonNode> stream(Map<String, String> filters) {
        return Pages.stream(
                api,
                () -> {
                    Call call = Call.get("/v1/admin/audit");
                    for (Map.Entry<String, String> filter : filters.entrySet()) {
                        call = call.query(filter.getKey(), filter.getValue());
                    }
                    return call;
                },
                "entries",
                entry -> entry);
    }
}
