package dev.agenthealth.dynamodb;

import java.util.Collection;
import java.util.List;

/** The places in the stream up to which its consumers have processed the records, in the database itself. Thread-safe. */
public final class Checkpoints {

    private final Engine engine;

    Checkpoints(Engine engine) {
        this.engine = engine;
    }

    /** Declares the consumers: records that one of them has not passed are kept. Others are forgotten. */
    public void declare(Collection<String> consumers) {
        engine.write(
                (session, effect) -> {
                    for (String consumer : consumers) {
                        session.update(
                                "INSERT OR IGNORE INTO checkpoints (consumer, sequence) VALUES (?, 0)", consumer);
                    }
                    String marks =
                            String.join(", ", consumers.stream().map(c -> "?").toList());
                    session.update(
                            "DELETE FROM checkpoints WHERE consumer NOT IN (" + marks + ")", consumers.toArray());
                    effect.wrote();
                    return List.of();
                },
                true);
    }

    /** The sequence number of the last record that the consumer has processed; 0 where there is none. */
    public long load(String consumer) {
        return engine.file()
                .readers()
                .read(session -> session.number("SELECT sequence FROM checkpoints WHERE consumer = ?", 0, consumer));
    }

    /** Stores the sequence number of the last record that the consumer has processed. */
    public void store(String consumer, long sequence) {
        engine.write(
                (session, effect) -> {
                    effect.wrote();
                    return session.update(
                            "INSERT OR REPLACE INTO checkpoints (consumer, sequence) VALUES (?, ?)",
                            consumer,
                            sequence);
                },
                // A record that is delivered again after a loss of power is a repetition that consumers know.
                false);
    }
}
