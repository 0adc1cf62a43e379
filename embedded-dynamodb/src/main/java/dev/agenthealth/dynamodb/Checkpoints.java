package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.sqlite.Session;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** Stores in the database how far each consumer has processed the stream. Thread-safe. */
public final class Checkpoints {

    private final Engine engine;

    Checkpoints(Engine engine) {
        this.engine = engine;
    }

    /** Declares all consumers. The stream keeps a record until every consumer has processed it. Other consumers are forgotten. */
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

    /** Returns the sequence number of the last record that the consumer has processed; 0 if it has processed none. */
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
                    return store(session, consumer, sequence);
                },
                // After a loss of power a record may be delivered twice, which consumers tolerate.
                false);
    }

    static int store(Session session, String consumer, long sequence) throws SQLException {
        return session.update(
                "INSERT OR REPLACE INTO checkpoints (consumer, sequence) VALUES (?, ?)", consumer, sequence);
    }
}
