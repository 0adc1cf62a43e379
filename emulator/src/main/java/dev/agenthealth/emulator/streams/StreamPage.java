package dev.agenthealth.emulator.streams;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * The records of one read of a stream, in order.
 *
 * @param records JSON of {@link RecordJson}; empty if there are no new records
 * @param position the position after the records
 */
record StreamPage(List<ObjectNode> records, StreamPosition position) {

    StreamPage {
        records = List.copyOf(records);
    }
}
