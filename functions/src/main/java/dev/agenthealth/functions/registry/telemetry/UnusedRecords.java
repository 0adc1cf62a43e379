package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.model.registry.telemetry.EvaluationRejection;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The log records of a request that are not used, by reason. The records themselves are not kept. Thread-safe. */
final class UnusedRecords {

    private final Map<EvaluationRejection, Long> byReason = new EnumMap<>(EvaluationRejection.class);

    synchronized void add(EvaluationRejection reason) {
        byReason.merge(reason, 1L, Long::sum);
    }

    /** Returns the number of these records. */
    synchronized long count() {
        return byReason.values().stream().mapToLong(number -> number).sum();
    }

    /** Returns the reasons, each with its number of records; empty if all records are used. */
    synchronized String message() {
        return byReason.entrySet().stream()
                .map(entry ->
                        entry.getValue() + " log records " + entry.getKey().reason())
                .collect(Collectors.joining("; "));
    }
}
