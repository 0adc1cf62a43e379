package dev.agenthealth.functions.operations.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.transfer.Outcome.Result;
import dev.agenthealth.functions.runtime.json.Json;
import java.util.EnumMap;
import java.util.Map;

/** The answer to an import: the outcome of every object, and the secrets that an operator has to set. Not thread-safe. */
final class TransferReport {

    private final ObjectNode json = Json.object();
    private final Map<Result, Integer> counts = new EnumMap<>(Result.class);

    TransferReport(boolean dryRun) {
        json.put("dry_run", dryRun);
        json.putObject("counts");
        json.putArray("entries");
        json.putArray("secrets_to_set");
    }

    void add(String section, Entry entry, Outcome outcome) {
        counts.merge(outcome.result(), 1, Integer::sum);
        ObjectNode added = json.withArray("entries")
                .addObject()
                .put("section", section)
                .put("id", entry.id())
                .put("result", outcome.result().wireName());
        if (!outcome.reason().isEmpty()) {
            added.put("reason", outcome.reason());
        }
        if (!entry.secrets().isEmpty() && outcome.result() != Result.SKIPPED) {
            ObjectNode needing = json.withArray("secrets_to_set")
                    .addObject()
                    .put("section", section)
                    .put("id", entry.id());
            entry.secrets().forEach(needing.putArray("fields")::add);
        }
    }

    /** Returns the number of objects with each result. */
    ObjectNode counts() {
        ObjectNode all = Json.object();
        for (Result result : Result.values()) {
            all.put(result.wireName(), counts.getOrDefault(result, 0));
        }
        return all;
    }

    ObjectNode json() {
        json.set("counts", counts());
        return json;
    }
}
