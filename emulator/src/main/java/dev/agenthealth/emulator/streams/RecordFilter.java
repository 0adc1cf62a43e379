package dev.agenthealth.emulator.streams;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.event.ruler.Machine;

/** The filter criteria of a stream mapping, matched by Event Ruler, the engine of Lambda's filters. Thread-safe. */
final class RecordFilter {

    private final Machine machine = Machine.builder().build();
    private final boolean takesAll;
    private final Set<String> fields = new HashSet<>();

    /**
     * @param patterns a record must match one of them; without patterns every record matches
     * @throws IllegalStateException if a pattern is invalid
     */
    RecordFilter(List<String> patterns) {
        takesAll = patterns.isEmpty();
        for (String pattern : patterns) {
            try {
                machine.addRule(pattern, pattern);
                addFields(Json.read(pattern));
            } catch (IOException e) {
                throw new IllegalStateException("filter pattern " + pattern + ": " + e.getMessage(), e);
            }
        }
    }

    private void addFields(JsonNode pattern) {
        pattern.fieldNames().forEachRemaining(fields::add);
        pattern.forEach(this::addFields);
    }

    /** Returns whether the function gets a record. Most records are no events, so that only the fields of the patterns are written as JSON. */
    boolean takes(Record source, String streamArn) {
        return takesAll
                || !machine.rulesForJSONEvent(RecordJson.of(source, streamArn, fields::contains))
                        .isEmpty();
    }
}
