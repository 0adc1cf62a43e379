package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The sources of agents, for administrators. Every method throws {@link AgentHealthException} if its request fails. Thread-safe. */
public final class Sources {

    private static final String SOURCES = "/v1/admin/sources";

    /** The maximum time of a sync on one machine. */
    private static final long SYNC_MILLIS = 300_000;

    private final Api api;

    Sources(Api api) {
        this.api = api;
    }

    /** Returns all sources by name, each with its {@code last_sync}. */
    public Stream<JsonNode> stream() {
        return Pages.stream(api, () -> Call.get(SOURCES), "sources", source -> source);
    }

    /** Returns the source with this name. */
    public Optional<JsonNode> find(String name) {
        try {
            return Optional.of(api.send(Call.get(SOURCES).segment(name)));
        } catch (NotFoundException e) {
            return Optional.empty();
        }
    }

    /**
     * Creates a source, or changes its address or kind.
     *
     * @param source with {@code url} and {@code key_id}
     */
    public JsonNode put(String name, Map<String, ?> source) {
        return api.send(Call.put(SOURCES).segment(name).body((ObjectNode) Json.of(source)));
    }

    /** Reads a source now and returns the changes. */
    public JsonNode sync(String name) {
        return api.send(call(name));
    }

    /**
     * Imports a document, or shows the effect of a source without writing.
     *
     * @param source with {@code key_id}, and {@code document} or, for a dry run, {@code url}
     */
    public JsonNode sync(String name, Map<String, ?> source, boolean dryRun) {
        Call call = call(name).query("dry_run", dryRun ? "true" : "");
        return api.send(call.body((ObjectNode) Json.of(source)));
    }

    private static Call call(String name) {
        return Call.post(SOURCES).segment(name).path("/sync").waitsAtLeast(SYNC_MILLIS);
    }

    /** Removes a source; its agents stay. Does nothing if it does not exist. */
    public void remove(String name) {
        api.send(Call.delete(SOURCES).segment(name));
    }
}
