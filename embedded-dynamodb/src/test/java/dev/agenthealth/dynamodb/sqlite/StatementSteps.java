package dev.agenthealth.dynamodb.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.sqlite.JDBC;
import org.sqlite.ProgressHandler;

/** Counts the steps of SQLite's machine for statements of the stores. */
public final class StatementSteps {

    private StatementSteps() {}

    /** A statement of the stores. */
    @FunctionalInterface
    public interface Statement {

        void run() throws SQLException;
    }

    /** Fills a new database and returns the statements to count, which run one after the other. */
    @FunctionalInterface
    public interface Scenario {

        Map<String, Statement> statements(Session session) throws SQLException;
    }

    /**
     * Returns the steps of each statement, by the statement's name.
     *
     * @param file the file of the new database
     */
    public static Map<String, Long> of(Path file, Scenario scenario) throws SQLException {
        DatabaseFile.open(new Settings(file, false, Settings.Sync.NEVER)).close();
        Connection connection = JDBC.createConnection("jdbc:sqlite:" + file, new Properties());
        try (Session session = new Session(connection)) {
            session.statement("BEGIN").execute();
            Map<String, Statement> statements = scenario.statements(session);
            session.statement("COMMIT").execute();
            AtomicLong counted = new AtomicLong();
            ProgressHandler.setHandler(connection, 1, new ProgressHandler() {
                @Override
                protected int progress() {
                    counted.incrementAndGet();
                    return 0;
                }
            });
            Map<String, Long> steps = new LinkedHashMap<>();
            for (Map.Entry<String, Statement> statement : statements.entrySet()) {
                counted.set(0);
                statement.getValue().run();
                steps.put(statement.getKey(), counted.get());
            }
            ProgressHandler.clearHandler(connection);
            return steps;
        }
    }
}
