package dev.agenthealth.emulator.streams;

import dev.agenthealth.dynamodb.Checkpoints;

/** Stores the position of a stream mapping, at which a restart continues. */
interface Checkpoint {

    /** The sequence number of the last record that was processed; empty at the beginning. */
    String load();

    /** Stores the sequence number of the last record that was processed. */
    void store(String sequenceNumber);

    /** Stores nothing: for a stream that does not outlive the process, or that is read by one test. */
    static Checkpoint none() {
        return new Checkpoint() {
            @Override
            public String load() {
                return "";
            }

            @Override
            public void store(String sequenceNumber) {
                // The next process begins at the beginning.
            }
        };
    }

    /** Stores the position in the database of the stream. */
    static Checkpoint in(Checkpoints checkpoints, String consumer) {
        return new Checkpoint() {
            @Override
            public String load() {
                long sequence = checkpoints.load(consumer);
                return sequence == 0 ? "" : Long.toString(sequence);
            }

            @Override
            public void store(String sequenceNumber) {
                checkpoints.store(consumer, Long.parseLong(sequenceNumber));
            }
        };
    }
}
