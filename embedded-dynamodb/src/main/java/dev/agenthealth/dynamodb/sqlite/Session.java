package dev.agenthealth.dynamodb.sqlite;

import dev.agenthealth.dynamodb.table.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A connection with its prepared statements. Not thread-safe. */
public final class Session implements AutoCloseable {

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private final Map<Long, TableSql> tables = new HashMap<>();
    private long changes;

    public Session(Connection connection) {
        this.connection = connection;
    }

    /** Leaves transactions to the statements. Otherwise the driver tries to begin and end an empty transaction after each statement. */
    void leaveTransactions() throws SQLException {
        connection.setAutoCommit(false);
        execute("COMMIT");
    }

    /** Returns the prepared statement of a text; it is prepared once. */
    public PreparedStatement statement(String sql) throws SQLException {
        PreparedStatement known = statements.get(sql);
        if (known == null) {
            known = connection.prepareStatement(sql);
            statements.put(sql, known);
        }
        return known;
    }

    /** Returns the SQL of a table. */
    TableSql sql(Table table) {
        TableSql known = tables.get(table.id());
        if (known == null) {
            known = TableSql.of(table);
            tables.put(table.id(), known);
        }
        return known;
    }

    /**
     * Executes a statement without a result and returns the number of changed rows.
     *
     * @param arguments blobs, texts and numbers
     */
    public int update(String sql, Object... arguments) throws SQLException {
        changes++;
        return bound(sql, arguments).executeUpdate();
    }

    /** Returns the statement with its arguments. */
    public PreparedStatement bound(String sql, Object... arguments) throws SQLException {
        PreparedStatement statement = statement(sql);
        for (int i = 0; i < arguments.length; i++) {
            Object argument = arguments[i];
            if (argument instanceof byte[] bytes) {
                statement.setBytes(i + 1, bytes);
            } else if (argument instanceof Long number) {
                statement.setLong(i + 1, number);
            } else {
                statement.setObject(i + 1, argument);
            }
        }
        return statement;
    }

    /** Returns the single number of the single row; {@code absent} if there is no row, or its value is null. */
    public long number(String sql, long absent, Object... arguments) throws SQLException {
        try (ResultSet rows = bound(sql, arguments).executeQuery()) {
            if (!rows.next()) {
                return absent;
            }
            long number = rows.getLong(1);
            return rows.wasNull() ? absent : number;
        }
    }

    /** Executes a statement once and discards its rows. */
    public void execute(String sql) throws SQLException {
        changes++;
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    /** Returns SQLite's extended error code. {@link SQLException#getErrorCode} has only its class, such as a disk error. */
    static SQLiteErrorCode code(SQLException failure) {
        return failure instanceof SQLiteException known ? known.getResultCode() : SQLiteErrorCode.UNKNOWN_ERROR;
    }

    /** Discards all prepared statements: the driver closes a statement that fails, and refuses it afterwards. */
    void discardStatements() {
        for (PreparedStatement statement : statements.values()) {
            try {
                statement.close();
            } catch (SQLException e) {
                // The statement has failed before, and is prepared anew.
            }
        }
        statements.clear();
    }

    /** Returns the number of statements that may have changed something. */
    long changes() {
        return changes;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
