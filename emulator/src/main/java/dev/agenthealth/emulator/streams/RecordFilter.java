package dev.agenthealth.emulator.streams;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import software.amazon.event.ruler.Machine;

/** The filter criteria of a stream mapping, matched by Event Ruler, the engine of Lambda's filters. Thread-safe. */
final class RecordFilter {

    private final Machine machine = Machine.builder().build();
    private final boolean takesAll;

    /**
     * @param patterns a record must match one of them; without patterns every record matches
     * @throws IllegalStateException if a pattern is invalid
     */
    RecordFilter(List<String> patterns) {
        takesAll = patterns.isEmpty();
        for (String pattern : patterns) {
            try {
                machine.addRule(pattern, pattern);
            } catch (IOException e) {
                throw new IllegalStateException("filter pattern " + pattern + ": " + e.getMessage(), e);
            }
        }
    }

    /** @param json the record as {@link RecordJson} writes it */
    boolean takes(ObjectNode json) {
        return takesAll || !machine.rulesForJSONEvent(json).isEmpty();
    }
}
