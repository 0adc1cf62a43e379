package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.sqlite.Session;
import dev.agenthealth.dynamodb.table.ItemBytes;
import dev.agenthealth.dynamodb.value.Sizes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the messages of queues in the database, so that messages and items share the syncs of the disk. Thread-safe. */
public final class Messages {

    private static final String QUEUE = "queue";
    private static final String ID = "id";
    private static final String SENT_AT = "sent_at";
    private static final String BODY = "body";

    private final Engine engine;

    Messages(Engine engine) {
        this.engine = engine;
    }

    /** Returns the messages of a queue, oldest first. */
    public List<StoredMessage> load(String queue) {
        return engine.read(session -> {
            List<StoredMessage> messages = new ArrayList<>();
            try (ResultSet rows = session.bound(
                            "SELECT sent_at, id, message FROM messages WHERE queue = ? ORDER BY sent_at, id", queue)
                    .executeQuery()) {
                while (rows.next()) {
                    messages.add(new StoredMessage(
                            queue,
                            rows.getString(2),
                            Instant.ofEpochMilli(rows.getLong(1)),
                            ItemBytes.read(rows.getBytes(3)).get(BODY).s()));
                }
            }
            return messages;
        });
    }

    /**
     * Stores messages together. A message that is stored is replaced.
     *
     * @param synced true to survive a loss of power at once; otherwise the messages survive it if a later change of the database does
     */
    public void add(List<StoredMessage> messages, boolean synced) {
        engine.write(
                (session, effect) -> {
                    for (StoredMessage message : messages) {
                        put(session, message);
                        effect.wrote();
                    }
                    return messages.size();
                },
                synced);
    }

    static void put(Session session, StoredMessage message) throws SQLException {
        Map<String, AttributeValue> content = content(message);
        session.update(
                "INSERT OR REPLACE INTO messages (queue, sent_at, id, message) VALUES (?, ?, ?, ?)",
                message.queue(),
                message.sentAt().toEpochMilli(),
                message.id(),
                ItemBytes.write(content, Sizes.item(content)));
    }

    /** Returns the stored content of a message, in the form of an item, which has a checksum. */
    private static Map<String, AttributeValue> content(StoredMessage message) {
        return Map.of(
                QUEUE,
                AttributeValue.fromS(message.queue()),
                ID,
                AttributeValue.fromS(message.id()),
                SENT_AT,
                AttributeValue.fromN(String.valueOf(message.sentAt().toEpochMilli())),
                BODY,
                AttributeValue.fromS(message.body()));
    }

    /** Visits the messages of all queues with true if the message is undamaged. */
    static void check(Session session, Consumer<Boolean> visitor) throws SQLException {
        try (ResultSet rows = session.bound("SELECT queue, sent_at, id, message FROM messages")
                .executeQuery()) {
            while (rows.next()) {
                visitor.accept(isWhole(rows.getString(1), rows.getLong(2), rows.getString(3), rows.getBytes(4)));
            }
        }
    }

    private static boolean isWhole(String queue, long sentAt, String id, byte[] content) {
        try {
            Map<String, AttributeValue> read = ItemBytes.read(content);
            return read.equals(content(new StoredMessage(
                    queue, id, Instant.ofEpochMilli(sentAt), read.get(BODY).s())));
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** Removes stored messages. After a loss of power, a removed message may be stored again, so that its queue delivers it twice. */
    public void remove(List<StoredMessage> messages) {
        engine.write(
                (session, effect) -> {
                    for (StoredMessage message : messages) {
                        if (delete(session, message)) {
                            effect.wrote();
                        }
                    }
                    return messages.size();
                },
                false);
    }

    static boolean delete(Session session, StoredMessage message) throws SQLException {
        int removed = session.update(
                "DELETE FROM messages WHERE queue = ? AND sent_at = ? AND id = ?",
                message.queue(),
                message.sentAt().toEpochMilli(),
                message.id());
        return removed > 0;
    }
}
