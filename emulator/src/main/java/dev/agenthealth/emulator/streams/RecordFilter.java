package dev.agenthealth.emulator.streams;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import software.amazon.event.ruler.Machine;

/** A stream mapping's filter criteria, matched with the engine that Lambda's own filters are built on. Thread-safe. */
final class RecordFilter {

    private final Machine machine = Machine.builder().build();
    private final boolean takesAll;

    /**
     * @param patterns of which a record must match one; none takes every record
     * @throws IllegalStateException when a pattern is not one
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

    /** @param json as {@link RecordJson} writes it */
    boolean takes(ObjectNode json) {
        return takesAll || !machine.rulesForJSONEvent(json).isEmpty();
    }
}
