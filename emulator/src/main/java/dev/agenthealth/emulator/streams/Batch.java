package dev.agenthealth.emulator.streams;

import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.Record;

/**
 * Records for one invocation of a function.
 *
 * @param records at least one record, in order
 * @param attempts number of failed attempts
 */
record Batch(List<Record> records, int attempts) {

    Batch {
        records = List.copyOf(records);
    }

    Batch(List<Record> records) {
        this(records, 0);
    }

    /** Returns these records after another failed attempt. */
    Batch failed() {
        return new Batch(records, attempts + 1);
    }

    /** Returns the records from {@code index} on. Progress before them resets the number of failed attempts to one. */
    Batch from(int index) {
        return index == 0 ? failed() : new Batch(records.subList(index, records.size()), 1);
    }

    /** Returns the sequence number of the last record. */
    String lastSequenceNumber() {
        return records.get(records.size() - 1).dynamodb().sequenceNumber();
    }

    boolean canBeSplit() {
        return records.size() > 1;
    }

    /** Returns two halves with the same number of failed attempts. */
    List<Batch> halves() {
        int middle = records.size() / 2;
        return List.of(
                new Batch(records.subList(0, middle), attempts),
                new Batch(records.subList(middle, records.size()), attempts));
    }

    /**
     * Returns the number of records that were processed, from the first record on. As in Lambda, all records after the first failure count
     * as failed, and an unknown identifier fails the whole batch.
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
            if (records.get(i).dynamodb().sequenceNumber().equals(sequenceNumber)) {
                return i;
            }
        }
        return 0;
    }
}
