package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.sqlite.Rows;
import dev.agenthealth.dynamodb.sqlite.Session;
import dev.agenthealth.dynamodb.table.ItemBytes;
import dev.agenthealth.dynamodb.table.Table;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Removes expired items, as DynamoDB's time to live does, and stream records that no consumer needs. */
final class Expiry {

    /** The maximum number of items per commit, since other writes wait for it. */
    private static final long MAX_ITEMS_PER_COMMIT = 50;

    /** DynamoDB ignores an expiry that is further back than this. */
    private static final long MAX_AGE_SECONDS = Duration.ofDays(5 * 365).toSeconds();

    /** The time for which a stream keeps records if no consumer is declared. */
    private static final Duration RETENTION = Duration.ofHours(24);

    private static final long MAX_RECORDS_PER_COMMIT = 1_000;

    private final Engine engine;

    Expiry(Engine engine) {
        this.engine = engine;
    }

    /** Removes all expired items and returns their number. */
    int removeItems() {
        int removed = 0;
        for (Table table : engine.catalogue().all()) {
            if (!table.ttlAttribute().isEmpty()) {
                int some = 1;
                while (some > 0) {
                    some = removeSome(table);
                    removed += some;
                }
            }
        }
        return removed;
    }

    private int removeSome(Table table) {
        long millis = engine.clock().millis();
        long now = millis / 1_000;
        // Without an expired item the writer has nothing to do.
        if (engine.file()
                .readers()
                .read(session -> Rows.expired(session, table, now - MAX_AGE_SECONDS, now, 1))
                .isEmpty()) {
            return 0;
        }
        return engine.write(
                (session, effect) -> {
                    List<byte[]> keys = Rows.expired(session, table, now - MAX_AGE_SECONDS, now, MAX_ITEMS_PER_COMMIT);
                    for (byte[] key : keys) {
                        Map<String, AttributeValue> item = ItemBytes.read(Rows.find(session, table, key));
                        Rows.replace(session, table, key, item, Map.of(), engine.origin(millis, true));
                        effect.wrote();
                    }
                    return keys.size();
                },
                false);
    }

    /**
     * Removes the stream records that every consumer has processed; without consumers, records older than a day. Keeps the last record and
     * leaves no gaps.
     */
    void trimStream() {
        int trimmed = 1;
        while (trimmed > 0) {
            long before = engine.clock().instant().minus(RETENTION).toEpochMilli();
            trimmed = engine.write(
                    (session, effect) -> {
                        int removed = trim(session, before);
                        if (removed > 0) {
                            effect.wrote();
                        }
                        return removed;
                    },
                    false);
        }
    }

    /** Removes some stream records and returns their number. */
    static int trim(Session session, long before) throws SQLException {
        long passed = session.number("SELECT min(sequence) FROM checkpoints", -1);
        long last = session.number("SELECT max(sequence) FROM stream", 0);
        long first = session.number("SELECT min(sequence) FROM stream", 0);
        long until = Math.min(last - 1, first + MAX_RECORDS_PER_COMMIT);
        return passed < 0
                ? session.update(
                        // The clock may have gone back, so that a later record has an earlier time.
                        "DELETE FROM stream WHERE sequence <= ? AND sequence <"
                                + " (SELECT coalesce(min(sequence), ?) FROM stream WHERE sequence <= ? AND at >= ?)",
                        until,
                        last,
                        until,
                        before)
                : session.update("DELETE FROM stream WHERE sequence <= ?", Math.min(until, passed));
    }
}
