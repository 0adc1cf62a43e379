package dev.agenthealth.emulator.streams;

import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Records that are handed to a function together.
 *
 * @param records at least one, in order
 * @param attempts how often the function has failed on them so far
 */
record Batch(List<ObjectNode> records, int attempts) {

    Batch {
        records = List.copyOf(records);
    }

    Batch(List<ObjectNode> records) {
        this(records, 0);
    }

    /** The same records after another failure. */
    Batch failedAgain() {
        return new Batch(records, attempts + 1);
    }

    /** The records from {@code index} on; they failed once if others before them were taken, else once more. */
    Batch from(int index) {
        return index == 0 ? failedAgain() : new Batch(records.subList(index, records.size()), 1);
    }

    boolean canBeSplit() {
        return records.size() > 1;
    }

    /** Two halves, each as often failed as the whole: splitting is not an attempt. */
    List<Batch> halves() {
        int middle = records.size() / 2;
        return List.of(
                new Batch(records.subList(0, middle), attempts),
                new Batch(records.subList(middle, records.size()), attempts));
    }

    /**
     * How many records, from the first on, the function's response says were taken. As Lambda has it: everything behind the
     * first failure counts as failed, and a failure that names no record of the batch fails the whole batch.
     */
    int taken(StreamsEventResponse response) {
        if (response.getBatchItemFailures() == null) {
            return records.size();
        }
        int taken = records.size();
        for (BatchItemFailure failure : response.getBatchItemFailures()) {
            taken = Math.min(taken, indexOf(failure.getItemIdentifier()));
        }
        return taken;
    }

    private int indexOf(String sequenceNumber) {
        for (int i = 0; i < records.size(); i++) {
            if (RecordJson.sequenceNumber(records.get(i)).equals(sequenceNumber)) {
                return i;
            }
        }
        return 0;
    }
}
