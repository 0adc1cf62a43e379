package dev.agenthealth.emulator.streams;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Records read from a stream in one go, in order.
 *
 * @param records as {@link RecordJson} writes them; none when nothing new is there
 * @param position where the stream stands behind them
 */
record StreamPage(List<ObjectNode> records, StreamPosition position) {

    StreamPage {
        records = List.copyOf(records);
    }
}
