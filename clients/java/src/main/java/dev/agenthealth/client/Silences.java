package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The times in which operators are not notified: silences of administrators, or of a key for its own agents. Every method throws {@link
 * AgentHealthException} if its request fails. Thread-safe.
 */
public final class Silences {

    private final Api api;
    private final String path;

    Silences(Api api, String path) {
        this.api = api;
        this.path = path;
    }

    /** Returns all silences; administrators also get the silences of agents' owners. */
    public Stream<JsonNode> stream() {
        return Pages.stream(api, () -> Call.get(path), "silences", silence -> silence);
    }

    /**
     * Creates or replaces a silence.
     *
     * @param silence with {@code for_seconds}, {@code ends_at} or {@code schedule}, and {@code scope}
     */
    public JsonNode put(String name, Map<String, ?> silence) {
        return api.send(Call.put(path).segment(name).body((ObjectNode) Json.of(silence)));
    }

    /** Deletes a silence; does nothing if it does not exist. Problems that still exist are then reported. */
    public void remove(String name) {
        api.send(Call.delete(path).segment(name));
    }
}
