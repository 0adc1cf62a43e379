package dev.agenthealth.emulator.streams;

import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.Record;

/**
 * The records of one read of a stream, in order.
 *
 * @param records empty if there are no new records
 * @param position the position after the records
 */
record StreamPage(List<Record> records, StreamPosition position) {

    StreamPage {
        records = List.copyOf(records);
    }
}
