package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessagesTest {

    private static final Instant TIME = Instant.parse("2026-11-29T10:00:00.123Z");

    /** A page and its header in the log of changes. */
    private static final int PAGE_IN_LOG = 4_096 + 24;

    @TempDir
    private Path folder;

    private EmbeddedDynamoDb open() {
        return EmbeddedDynamoDb.inFile(folder.resolve("a.db"), false, Set.of(), Clock.systemUTC());
    }

    private static StoredMessage message(String queue, String id, int second) {
        return new StoredMessage(queue, id, TIME.plusSeconds(second), "text of " + id + " \u00e9\ud83d\ude00");
    }

    @Test
    void messages_outlive_the_process_until_they_are_removed() {
        StoredMessage first = message("q", "b", 0);
        StoredMessage second = message("q", "a", 1);
        StoredMessage other = message("other", "a", 1);
        try (EmbeddedDynamoDb database = open()) {
            database.messages().add(List.of(second, first, other), true);
        }
        try (EmbeddedDynamoDb database = open()) {
            assertThat(database.messages().load("q")).containsExactly(first, second);
            database.messages().remove(List.of(second, message("q", "unknown", 2)));
            assertThat(database.messages().load("q")).containsExactly(first);
            assertThat(database.messages().load("other")).containsExactly(other);
            assertThat(database.messages().load("third")).isEmpty();
            assertThat(database.inspect().messages()).isEqualTo(2);
        }
        try (EmbeddedDynamoDb database = open()) {
            assertThat(database.messages().load("q")).containsExactly(first);
        }
    }

    @Test
    void a_message_that_is_stored_twice_is_there_once() {
        try (EmbeddedDynamoDb database = open()) {
            database.messages().add(List.of(message("q", "a", 0)), true);
            database.messages().add(List.of(message("q", "a", 0), message("q", "b", 0)), true);
            assertThat(database.messages().load("q")).containsExactly(message("q", "a", 0), message("q", "b", 0));
        }
    }

    @Test
    void a_file_of_a_version_without_messages_gets_them() throws SQLException {
        open().close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("a.db"));
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("DROP TABLE messages");
        }
        try (EmbeddedDynamoDb database = open()) {
            database.messages().add(List.of(message("q", "a", 0)), true);
            assertThat(database.check()).isEmpty();
        }
    }

    @Test
    void a_file_of_a_version_without_row_ids_keeps_its_messages() throws SQLException {
        open().close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("a.db"));
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("DROP TABLE messages");
            statement.executeUpdate(
                    "CREATE TABLE messages (queue TEXT, sent_at INTEGER, id TEXT, message BLOB NOT NULL,"
                            + " PRIMARY KEY (queue, sent_at, id)) WITHOUT ROWID");
        }
        messages_outlive_the_process_until_they_are_removed();
    }

    /** A page for the row, a page for its key, and sometimes a new page or the header. */
    @Test
    void a_message_of_a_kilobyte_writes_few_pages() {
        int commits = 100;
        try (EmbeddedDynamoDb database = open()) {
            long before = log();
            for (int i = 0; i < commits; i++) {
                database.messages()
                        .add(
                                List.of(new StoredMessage(
                                        "a queue with a name", "id " + i, TIME.plusMillis(i), "x".repeat(1_100))),
                                true);
            }
            double pages = (double) (log() - before) / PAGE_IN_LOG / commits;
            assertThat(pages).as("pages per message").isBetween(2.0, 3.5);
        }
    }

    private long log() {
        return folder.resolve("a.db-wal").toFile().length();
    }
}
