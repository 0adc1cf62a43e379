package dev.agenthealth.dynamodb.sqlite;

import dev.agenthealth.dynamodb.table.Index;
import dev.agenthealth.dynamodb.table.ItemBytes;
import dev.agenthealth.dynamodb.table.StoredItem;
import dev.agenthealth.dynamodb.table.StreamFilter;
import dev.agenthealth.dynamodb.table.Table;
import dev.agenthealth.dynamodb.value.Sizes;
import dev.agenthealth.dynamodb.value.Values;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/** The rows of a table: its items, its index entries, its items by expiry, and its part of the stream. */
public final class Rows {

    /** The kinds of changes by their numbers in the stream, from 1 on. */
    private static final List<OperationType> CHANGES =
            List.of(OperationType.INSERT, OperationType.MODIFY, OperationType.REMOVE);

    private Rows() {}

    public static void create(Session session, Table table) throws SQLException {
        LargeItems.create(session, table.id());
        session.execute("CREATE TABLE " + items(table) + " (k BLOB PRIMARY KEY, item BLOB NOT NULL) WITHOUT ROWID");
        session.execute("CREATE TABLE " + expiry(table) + " (at INTEGER, k BLOB, PRIMARY KEY (at, k)) WITHOUT ROWID");
        for (Index index : table.indexes()) {
            create(session, index);
        }
    }

    public static void create(Session session, Index index) throws SQLException {
        // An index entry with all attributes stores no copy. Its item is read from the table by the key `t`.
        session.execute(
                "CREATE TABLE " + entries(index) + " (k BLOB PRIMARY KEY, t BLOB NOT NULL, entry BLOB) WITHOUT ROWID");
    }

    public static void drop(Session session, Table table) throws SQLException {
        session.execute("DROP TABLE " + items(table));
        session.execute("DROP TABLE " + expiry(table));
        LargeItems.drop(session, table);
        for (Index index : table.indexes()) {
            drop(session, index);
        }
        session.update("DELETE FROM stream WHERE table_id = ?", table.id());
    }

    public static void drop(Session session, Index index) throws SQLException {
        session.execute("DROP TABLE " + entries(index));
    }

    static String items(Table table) {
        return "items_" + table.id();
    }

    static String expiry(Table table) {
        return "expiry_" + table.id();
    }

    static String entries(Index index) {
        return "entries_" + index.id();
    }

    /** Returns the stored item with this key; empty if it is absent. */
    public static byte[] find(Session session, Table table, byte[] key) throws SQLException {
        try (ResultSet rows = session.bound(session.sql(table).find(), key).executeQuery()) {
            return rows.next() ? rows.getBytes(1) : new byte[0];
        }
    }

    /** Visits stored items until {@code visit} returns false. */
    @FunctionalInterface
    public interface Visitor {

        boolean visit(byte[] item) throws SQLException;
    }

    /**
     * Visits the items of a table in a range of keys.
     *
     * @param from the first key, inclusive
     * @param to the end, exclusive
     */
    public static void visit(Session session, Table table, byte[] from, byte[] to, boolean ascending, Visitor visitor)
            throws SQLException {
        visit(session, session.sql(table).visit().of(ascending), from, to, visitor);
    }

    /** Visits the index entries in a range of keys; visits the items if the index projects all attributes. */
    public static void visit(
            Session session, Table table, Index index, byte[] from, byte[] to, boolean ascending, Visitor visitor)
            throws SQLException {
        String order = ascending ? "" : " DESC";
        String sql = index.projectsAll()
                ? "SELECT " + LargeItems.item(table) + " AS v FROM " + entries(index) + " e CROSS JOIN " + items(table)
                        + " i ON i.k = e.t WHERE e.k >= ? AND e.k < ? ORDER BY e.k" + order
                : "SELECT entry FROM " + entries(index) + " WHERE k >= ? AND k < ? ORDER BY k" + order;
        visit(session, sql, from, to, visitor);
    }

    private static void visit(Session session, String sql, byte[] from, byte[] to, Visitor visitor)
            throws SQLException {
        try (ResultSet rows = session.bound(sql, from, to).executeQuery()) {
            while (rows.next()) {
                if (!visitor.visit(rows.getBytes(1))) {
                    return;
                }
            }
        }
    }

    public static boolean isEmpty(Session session, Table table) throws SQLException {
        return session.number("SELECT count(*) FROM (SELECT 1 FROM " + items(table) + " LIMIT 1)", 0) == 0;
    }

    /** Visits stored items with their stored keys. */
    @FunctionalInterface
    public interface KeyedVisitor {

        void visit(byte[] key, byte[] item) throws SQLException;
    }

    /** Visits all stored items. */
    @FunctionalInterface
    public interface WholeVisitor {

        void visit(byte[] item);
    }

    /** Visits all items of a table with their stored keys. */
    public static void visitKeyed(Session session, Table table, KeyedVisitor visitor) throws SQLException {
        String sql = "SELECT k, " + LargeItems.item(table) + " FROM " + items(table) + " i ORDER BY k";
        try (ResultSet rows = session.bound(sql).executeQuery()) {
            while (rows.next()) {
                visitor.visit(rows.getBytes(1), rows.getBytes(2));
            }
        }
    }

    /** Visits the stored attributes of all entries of an index that stores its own attributes. */
    public static void visitEntries(Session session, Index index, WholeVisitor visitor) throws SQLException {
        visitAll(session, "SELECT entry FROM " + entries(index) + " WHERE entry IS NOT NULL", visitor);
    }

    /** Visits all stored items of the stream, before and after their changes. */
    public static void visitStream(Session session, WholeVisitor visitor) throws SQLException {
        visitAll(session, "SELECT old FROM stream WHERE old IS NOT NULL", visitor);
        visitAll(session, "SELECT new FROM stream WHERE new IS NOT NULL", visitor);
    }

    private static void visitAll(Session session, String sql, WholeVisitor visitor) throws SQLException {
        try (ResultSet rows = session.statement(sql).executeQuery()) {
            while (rows.next()) {
                visitor.visit(rows.getBytes(1));
            }
        }
    }

    /** Returns the stored key of the item that an index entry refers to; empty if the entry is absent. */
    public static byte[] target(Session session, Index index, byte[] entryKey) throws SQLException {
        try (ResultSet rows = session.bound("SELECT t FROM " + entries(index) + " WHERE k = ?", entryKey)
                .executeQuery()) {
            return rows.next() ? rows.getBytes(1) : new byte[0];
        }
    }

    /** Returns the number of entries of an index. */
    public static long count(Session session, Index index) throws SQLException {
        return session.number("SELECT count(*) FROM " + entries(index), 0);
    }

    /** Returns the number of items with an expiry. */
    public static long countExpiring(Session session, Table table) throws SQLException {
        return session.number("SELECT count(*) FROM " + expiry(table), 0);
    }

    /**
     * The time and the cause of a change of an item.
     *
     * @param millis epoch milliseconds
     * @param expiry true if the item is removed because it has expired
     * @param filter decides whether the stream stores the change
     */
    public record Origin(long millis, boolean expiry, StreamFilter filter) {}

    /** Returns the kind of a change by its number in the stream. */
    public static OperationType change(int number) {
        return CHANGES.get(number - 1);
    }

    /**
     * Replaces an item in the table, its indexes and the list by expiry, and appends the change to the stream.
     *
     * @param before the stored item; empty if it is absent
     * @param now the new item in normal form; empty to remove it
     * @return true if something changed
     */
    public static boolean replace(
            Session session,
            Table table,
            byte[] key,
            Map<String, AttributeValue> before,
            Map<String, AttributeValue> now,
            Origin origin)
            throws SQLException {
        if (isSame(before, now)) {
            return false;
        }
        byte[] bytes = now.isEmpty() ? new byte[0] : ItemBytes.write(now);
        store(session, table, key, before, now, bytes, origin);
        return true;
    }

    /**
     * Replaces an item as the method without {@code bytes} does.
     *
     * @param bytes the stored form of the new item
     * @return true if something changed
     */
    public static boolean replace(
            Session session,
            Table table,
            byte[] key,
            Map<String, AttributeValue> before,
            Map<String, AttributeValue> now,
            byte[] bytes,
            Origin origin)
            throws SQLException {
        if (isSame(before, now)) {
            return false;
        }
        store(session, table, key, before, now, bytes, origin);
        return true;
    }

    private static void store(
            Session session,
            Table table,
            byte[] key,
            Map<String, AttributeValue> before,
            Map<String, AttributeValue> now,
            byte[] bytes,
            Origin origin)
            throws SQLException {
        if (table.expires(before)) {
            LargeItems.remove(session, table, key);
        }
        if (now.isEmpty()) {
            session.update(session.sql(table).delete(), key);
        } else if (LargeItems.isLarge(bytes) && table.expires(now)) {
            LargeItems.put(session, table, key, bytes);
        } else {
            session.update(session.sql(table).put(), key, bytes);
        }
        for (Index index : table.indexes()) {
            replaceEntry(session, table, index, key, before, now);
        }
        replaceExpiry(session, table, key, before, now);
        if (table.hasStream()) {
            append(session, table, before, now, bytes, origin);
        }
    }

    private static boolean isSame(Map<String, AttributeValue> before, Map<String, AttributeValue> now) {
        if (before instanceof StoredItem old && now instanceof StoredItem changed) {
            return changed.isSame(old);
        }
        if (before.size() != now.size()) {
            return false;
        }
        for (Map.Entry<String, AttributeValue> attribute : now.entrySet()) {
            AttributeValue old = before.get(attribute.getKey());
            if (old == null || !Values.equal(old, attribute.getValue())) {
                return false;
            }
        }
        return true;
    }

    /** Adds the item's entry to a new index. */
    public static void addEntry(Session session, Table table, Index index, byte[] key, Map<String, AttributeValue> item)
            throws SQLException {
        replaceEntry(session, table, index, key, Map.of(), item);
    }

    private static void replaceEntry(
            Session session,
            Table table,
            Index index,
            byte[] key,
            Map<String, AttributeValue> before,
            Map<String, AttributeValue> now)
            throws SQLException {
        boolean was = index.has(before);
        boolean is = index.has(now);
        if (!was && !is || was && is && index.hasSameKeys(before, now)) {
            return;
        }
        byte[] old = was ? index.key(table.keys(), before) : new byte[0];
        byte[] place = is ? index.key(table.keys(), now) : new byte[0];
        if (was) {
            session.update("DELETE FROM " + entries(index) + " WHERE k = ?", old);
        }
        if (is) {
            Map<String, AttributeValue> entry = index.entry(table.keys(), now);
            byte[] bytes = index.projectsAll() ? null : ItemBytes.write(entry, Sizes.item(entry));
            session.update("INSERT INTO " + entries(index) + " (k, t, entry) VALUES (?, ?, ?)", place, key, bytes);
        }
    }

    private static void replaceExpiry(
            Session session,
            Table table,
            byte[] key,
            Map<String, AttributeValue> before,
            Map<String, AttributeValue> now)
            throws SQLException {
        if (table.ttlAttribute().isEmpty()) {
            return;
        }
        long old = table.expirySeconds(before);
        long at = table.expirySeconds(now);
        if (old == at) {
            return;
        }
        if (old != Long.MAX_VALUE) {
            session.update("DELETE FROM " + expiry(table) + " WHERE at = ? AND k = ?", old, key);
        }
        if (at != Long.MAX_VALUE) {
            addExpiry(session, table, key, at);
        }
    }

    /**
     * Adds an item to the list by expiry.
     *
     * @param seconds the result of {@link Table#expirySeconds}
     */
    public static void addExpiry(Session session, Table table, byte[] key, long seconds) throws SQLException {
        session.update(session.sql(table).addExpiry(), seconds, key);
    }

    /** Empties the list by expiry. No item of the table expires from now on. */
    public static void clearExpiry(Session session, Table table) throws SQLException {
        session.update("DELETE FROM " + expiry(table));
        LargeItems.moveBack(session, table);
    }

    /** Returns the stored keys of expired items, at most {@code limit}. */
    public static List<byte[]> expired(Session session, Table table, long from, long to, long limit)
            throws SQLException {
        List<byte[]> keys = new ArrayList<>();
        String sql = "SELECT k FROM " + expiry(table) + " WHERE at > ? AND at <= ? ORDER BY at LIMIT ?";
        try (ResultSet rows = session.bound(sql, from, to, limit).executeQuery()) {
            while (rows.next()) {
                keys.add(rows.getBytes(1));
            }
        }
        return keys;
    }

    private static void append(
            Session session,
            Table table,
            Map<String, AttributeValue> before,
            Map<String, AttributeValue> now,
            byte[] bytes,
            Origin origin)
            throws SQLException {
        OperationType change =
                now.isEmpty() ? OperationType.REMOVE : before.isEmpty() ? OperationType.INSERT : OperationType.MODIFY;
        if (!origin.filter().stores(table, change, now.isEmpty() ? before : now)) {
            return;
        }
        boolean keepsOld = now.isEmpty() || table.streamView().contains("OLD") && !before.isEmpty();
        session.update(
                "INSERT INTO stream (table_id, at, event, expired, old, new) VALUES (?, ?, ?, ?, ?, ?)",
                table.id(),
                origin.millis(),
                1L + CHANGES.indexOf(change),
                origin.expiry() ? 1L : 0L,
                keepsOld ? ItemBytes.write(before) : null,
                now.isEmpty() ? null : bytes);
    }
}
