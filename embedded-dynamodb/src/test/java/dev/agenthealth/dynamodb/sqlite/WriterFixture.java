package dev.agenthealth.dynamodb.sqlite;

import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A database in a file, its writer, and changes that store a row each. */
abstract class WriterFixture {

    @TempDir
    Path folder;

    DatabaseFile file;
    Writer writer;

    @BeforeEach
    void open() {
        file = DatabaseFile.open(new Settings(folder.resolve("a.db"), false, Settings.Sync.MOST));
        writer = file.writer();
    }

    @AfterEach
    void close() throws SQLException {
        file.close();
    }

    static Writer.Change<String> store(String consumer) {
        return (session, effect) -> {
            effect.wrote();
            session.update("INSERT INTO checkpoints (consumer, sequence) VALUES (?, 1)", consumer);
            return consumer;
        };
    }

    static Writer.Change<String> storeAndFail(String consumer) {
        return (session, effect) -> {
            store(consumer).apply(session, effect);
            throw new IllegalArgumentException(consumer);
        };
    }

    long stored() {
        return file.readers().read(session -> session.number("SELECT count(*) FROM checkpoints", 0));
    }
}
