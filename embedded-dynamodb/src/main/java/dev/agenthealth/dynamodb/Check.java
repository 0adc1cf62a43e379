package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.sqlite.DatabaseFile;
import dev.agenthealth.dynamodb.sqlite.LargeItems;
import dev.agenthealth.dynamodb.sqlite.Rows;
import dev.agenthealth.dynamodb.sqlite.Session;
import dev.agenthealth.dynamodb.table.Index;
import dev.agenthealth.dynamodb.table.ItemBytes;
import dev.agenthealth.dynamodb.table.Keys;
import dev.agenthealth.dynamodb.table.Table;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Checks that a database is undamaged: SQLite's own check, items with index entries and expiry, the sequence of the stream, and messages of
 * queues.
 */
final class Check {

    /** The maximum number of reported problems. */
    private static final int MAX_PROBLEMS = 20;

    private final Engine engine;
    private final List<String> problems = new ArrayList<>();
    private long items;
    private long indexEntries;
    private long streamRecords;
    private long messages;

    Check(Engine engine) {
        this.engine = engine;
    }

    CheckReport report() {
        try {
            // One snapshot, because others write meanwhile.
            return engine.file().readers().snapshot(session -> {
                DatabaseFile.damages(session).forEach(this::add);
                if (problems.isEmpty()) {
                    for (Table table : Catalogue.read(session).values()) {
                        checkItems(session, table);
                    }
                    checkStream(session);
                    Messages.check(session, this::addMessage);
                }
                return new CheckReport(problems, items, indexEntries, streamRecords, messages);
            });
        } catch (RuntimeException e) {
            add(e.getMessage());
            return new CheckReport(problems, items, indexEntries, streamRecords, messages);
        }
    }

    private void add(String problem) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(problem);
        }
    }

    private void checkItems(Session session, Table table) throws SQLException {
        long[] entries = new long[table.indexes().size()];
        long[] expiring = new long[1];
        Rows.visitKeyed(session, table, (key, stored) -> {
            items++;
            Map<String, AttributeValue> item = read(stored);
            if (!table.keys().isIn(item) || !Arrays.equals(key, Keys.of(table.keys(), item))) {
                add(table.name() + " has an item that is damaged, or under the key of another one");
                return;
            }
            for (int i = 0; i < entries.length; i++) {
                entries[i] += checkEntry(session, table, table.indexes().get(i), key, item);
            }
            expiring[0] += table.expires(item) ? 1 : 0;
        });
        for (int i = 0; i < entries.length; i++) {
            Index index = table.indexes().get(i);
            Rows.visitEntries(session, index, entry -> checkBytes("the index " + index.name(), entry));
            if (Rows.count(session, index) != entries[i]) {
                add("the index " + index.name() + " of " + table.name() + " has an entry without its item");
            }
            indexEntries += entries[i];
        }
        if (LargeItems.countLost(session, table) != 0) {
            add(table.name() + " has a large item without its key");
        }
        if (Rows.countExpiring(session, table) != expiring[0]) {
            add(table.name() + " has another number of items that expire than are listed to expire");
        }
    }

    private void checkBytes(String where, byte[] stored) {
        if (read(stored).isEmpty()) {
            add(where + " has an item with other bytes than were written");
        }
    }

    private void addMessage(boolean isWhole) {
        messages++;
        if (!isWhole) {
            add("a queue has a message with other bytes than were written");
        }
    }

    /** Returns the item; empty if the bytes are damaged. */
    private static Map<String, AttributeValue> read(byte[] stored) {
        try {
            return ItemBytes.read(stored);
        } catch (IllegalStateException e) {
            return Map.of();
        }
    }

    private long checkEntry(Session session, Table table, Index index, byte[] key, Map<String, AttributeValue> item)
            throws SQLException {
        if (!index.has(item)) {
            return 0;
        }
        if (!Arrays.equals(Rows.target(session, index, index.key(table.keys(), item)), key)) {
            add("the index " + index.name() + " of " + table.name() + " lacks the entry of an item");
        }
        return 1;
    }

    private void checkStream(Session session) throws SQLException {
        streamRecords = session.number("SELECT count(*) FROM stream", 0);
        Rows.visitStream(session, image -> checkBytes("the stream", image));
        long gaps = session.number("SELECT coalesce(max(sequence) - min(sequence) + 1 - count(*), 0) FROM stream", 0);
        if (gaps > 0) {
            add("the stream lacks " + gaps + " of its records");
        }
        long last = session.number("SELECT seq FROM sqlite_sequence WHERE name = 'stream'", 0);
        if (session.number("SELECT coalesce(max(sequence), 0) FROM checkpoints", 0) > last) {
            add("a consumer of the stream is ahead of its last record");
        }
    }
}
