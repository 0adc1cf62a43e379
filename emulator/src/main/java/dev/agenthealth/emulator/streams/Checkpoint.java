package dev.agenthealth.emulator.streams;

import dev.agenthealth.dynamodb.Checkpoints;

/** Stores the position of a stream mapping. A restart continues there. */
interface Checkpoint {

    /** Returns the sequence number of the last processed record; empty at the beginning. */
    String load();

    /** Stores the sequence number of the last processed record. */
    void store(String sequenceNumber);

    /** Returns a checkpoint that stores nothing, for a stream that ends with the process or has a single test as its reader. */
    static Checkpoint none() {
        return new Checkpoint() {
            @Override
            public String load() {
                return "";
            }

            @Override
            public void store(String sequenceNumber) {
                // The next process starts at the beginning.
            }
        };
    }

    /** Returns a checkpoint in the database of the stream. */
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
