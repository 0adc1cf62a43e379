package dev.agenthealth.dynamodb.sqlite;

import dev.agenthealth.dynamodb.table.Table;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The large items of a table that expire, such as events and entries of the audit log. They are stored in the order in which they are
 * written, so that many of them share a page. The row of the key has the number of the large item in place of the item.
 */
public final class LargeItems {

    /** The smallest large item. Smaller items stay beside their key, so that a query of many of them reads few pages. */
    private static final int MIN_BYTES = 256;

    private LargeItems() {}

    static void create(Session session, long tableId) throws SQLException {
        session.execute("CREATE TABLE large_" + tableId + " (id INTEGER PRIMARY KEY, item BLOB NOT NULL)");
    }

    /** Creates the tables of large items in a file of format 1, whose items are all beside their keys. */
    static void createMissing(Session session) throws SQLException {
        List<Long> tables = new ArrayList<>();
        try (ResultSet rows = session.statement("SELECT id FROM tables").executeQuery()) {
            while (rows.next()) {
                tables.add(rows.getLong(1));
            }
        }
        for (long table : tables) {
            create(session, table);
        }
    }

    static void drop(Session session, Table table) throws SQLException {
        session.execute("DROP TABLE " + large(table));
    }

    static String large(Table table) {
        return "large_" + table.id();
    }

    /** Returns the SQL of the item of a row {@code i}; bytes of a damaged item if the large item is absent. */
    static String item(Table table) {
        return "CASE typeof(i.item) WHEN 'integer' THEN coalesce((SELECT l.item FROM " + large(table)
                + " l WHERE l.id = i.item), x'00') ELSE i.item END";
    }

    /** Returns the number of large items that no key has. */
    public static long countLost(Session session, Table table) throws SQLException {
        return session.number("SELECT count(*) FROM " + large(table), 0)
                - session.number("SELECT count(*) FROM " + Rows.items(table) + " WHERE typeof(item) = 'integer'", 0);
    }

    static boolean isLarge(byte[] item) {
        return item.length >= MIN_BYTES;
    }

    /** Inserts or replaces an item. */
    static void put(Session session, Table table, byte[] key, byte[] item) throws SQLException {
        TableSql.Large sql = session.sql(table).large();
        session.update(sql.add(), (Object) item);
        session.update(sql.put(), key);
    }

    /** Removes the large item of a key, if there is one. The row of the key stays. */
    static void remove(Session session, Table table, byte[] key) throws SQLException {
        session.update(session.sql(table).large().remove(), key);
    }

    /** Moves all large items beside their keys. */
    static void moveBack(Session session, Table table) throws SQLException {
        session.update(
                "UPDATE " + Rows.items(table) + " AS i SET item = " + item(table) + " WHERE typeof(item) = 'integer'");
        session.update("DELETE FROM " + large(table));
    }
}
