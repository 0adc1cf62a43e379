package dev.agenthealth.emulator.streams;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Records of one read of a stream, in order.
 *
 * @param records as {@link RecordJson} writes them; empty when there are no new ones
 * @param position the place behind them
 */
record StreamPage(List<ObjectNode> records, StreamPosition position) {

    StreamPage {
        records = List.copyOf(records);
    }
}
