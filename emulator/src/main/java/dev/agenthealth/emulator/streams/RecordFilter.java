package dev.agenthealth.emulator.streams;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.event.ruler.Machine;

/** The filter criteria of a stream mapping, matched by Event Ruler, the engine of Lambda's filters. Thread-safe. */
final class RecordFilter {

    private final Machine machine = Machine.builder().build();
    private final boolean takesAll;
    private final boolean readsImages;

    /**
     * @param patterns a record must match one of them; without patterns every record matches
     * @throws IllegalStateException if a pattern is invalid
     */
    RecordFilter(List<String> patterns) {
        takesAll = patterns.isEmpty();
        readsImages = patterns.stream().anyMatch(pattern -> pattern.contains("Image"));
        for (String pattern : patterns) {
            try {
                machine.addRule(pattern, pattern);
            } catch (IOException e) {
                throw new IllegalStateException("filter pattern " + pattern + ": " + e.getMessage(), e);
            }
        }
    }

    /** Returns whether the function gets a record. Most records are no events, so that their images are written as JSON only if needed. */
    boolean takes(Record source, String streamArn) {
        if (takesAll) {
            return true;
        }
        ObjectNode json = readsImages ? RecordJson.of(source, streamArn) : RecordJson.withoutImages(source, streamArn);
        return !machine.rulesForJSONEvent(json).isEmpty();
    }
}
