package dev.agenthealth.functions.operations.sources;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.operations.source.SourceKind;
import java.util.List;
import java.util.SortedMap;

/** The JSON form of sources. */
final class SourceJson {

    private SourceJson() {}

    static ObjectNode of(Source source) {
        ObjectNode json = Json.object()
                .put("name", source.name())
                .put("url", source.url())
                .put("key_id", source.keyId())
                .put("kind", source.kind().map(SourceKind::wireName).orElse(null))
                .put("require_signature", source.requireSignature())
                .put("created_at", Timestamps.text(source.createdAt()));
        if (source.state().isKnown()) {
            put(json.putObject("last_sync"), source.state());
        }
        return json;
    }

    static void put(ObjectNode json, SyncState state) {
        json.put("at", Timestamps.text(state.at())).put("complete", state.complete());
        ObjectNode counts = json.putObject("counts");
        SortedMap<String, Long> all = SyncResult.noCounts();
        all.putAll(state.counts());
        all.forEach(counts::put);
        ArrayNode conflicts = json.putArray("conflicts");
        state.listed().conflicts().forEach(conflict -> conflicts
                .addObject()
                .put("agent_id", conflict.agentId())
                .put("identifier", conflict.identifier())
                .put("reason", conflict.reason()));
        ArrayNode refused = json.putArray(SyncResult.REFUSED);
        state.listed().refused().forEach(entry -> refused.addObject()
                .put("agent_id", entry.agentId())
                .put("identifier", entry.identifier())
                .put("signature", entry.signature().wireName())
                .put("registered", entry.registered()));
        state.errors().forEach(json.putArray("errors")::add);
        putSkipped(json, state.listed().skipped());
    }

    static void putSkipped(ObjectNode json, List<SyncState.Skipped> entries) {
        ArrayNode skipped = json.putArray(SyncResult.SKIPPED);
        entries.forEach(entry ->
                skipped.addObject().put("identifier", entry.identifier()).put("reason", entry.reason()));
    }
}
