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
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What the check of a file finds: each damage is done to a whole file, of two items and the removal of a third one. */
class CheckTest {

    private static final int MAX_PROBLEMS = 20;

    @TempDir
    private Path folder;

    private EmbeddedDynamoDb open() {
        return EmbeddedDynamoDb.inFile(folder.resolve("a.db"), false, Set.of(), Clock.systemUTC());
    }

    @BeforeEach
    void write() {
        try (EmbeddedDynamoDb database = open()) {
            Things.create(database.client());
            for (int number : List.of(1, 2, 3)) {
                put(database, number);
            }
            database.client().deleteItem(request -> request.tableName(Things.TABLE)
                    .key(Map.of("pk", AttributeValue.fromS("p3"), "sk", AttributeValue.fromS("s"))));
            database.checkpoints().declare(List.of("consumer"));
            database.checkpoints().store("consumer", 4);
            database.messages().add(List.of(new StoredMessage("queue", "id", Instant.EPOCH, "text")), true);
        }
    }

    private static void put(EmbeddedDynamoDb database, int number) {
        database.client().putItem(request -> request.tableName(Things.TABLE).item(Things.item(number)));
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("a.db"));
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.executeUpdate(sql);
            }
        }
    }

    @Test
    void a_whole_file_has_no_problems_and_is_counted() {
        try (EmbeddedDynamoDb database = open()) {
            assertThat(database.inspect()).isEqualTo(new CheckReport(List.of(), 2, 2, 4, 1));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UPDATE items_1 SET item = substr(item, 1, 60) WHERE k = (SELECT min(k) FROM items_1)"
                        + " | Things has an item that is damaged, or under the key of another one",
                "UPDATE items_1 SET item = (SELECT max(item) FROM items_1)"
                        + " | Things has an item that is damaged, or under the key of another one",
                "DELETE FROM items_1 WHERE k = (SELECT min(k) FROM items_1)"
                        + " | the index by-x of Things has an entry without its item",
                "DELETE FROM items_1 WHERE k = (SELECT min(k) FROM items_1)"
                        + " | Things has another number of items that expire than are listed to expire",
                "DELETE FROM entries_1 WHERE k = (SELECT min(k) FROM entries_1)"
                        + " | the index by-x of Things lacks the entry of an item",
                "UPDATE entries_1 SET t = (SELECT max(t) FROM entries_1)"
                        + " | the index by-x of Things lacks the entry of an item",
                "INSERT INTO entries_1 (k, t, entry) SELECT x'00', t, entry FROM entries_1 LIMIT 1"
                        + " | the index by-x of Things has an entry without its item",
                "UPDATE entries_1 SET entry = x'05' WHERE k = (SELECT min(k) FROM entries_1)"
                        + " | the index by-x has an item with other bytes than were written",
                "DELETE FROM expiry_1 WHERE k = (SELECT min(k) FROM expiry_1)"
                        + " | Things has another number of items that expire than are listed to expire",
                "DELETE FROM large_1 WHERE id = 1"
                        + " | Things has an item that is damaged, or under the key of another one",
                "INSERT INTO large_1 (item) SELECT item FROM large_1 LIMIT 1"
                        + " | Things has a large item without its key",
                "UPDATE stream SET new = x'05' WHERE sequence = 1"
                        + " | the stream has an item with other bytes than were written",
                "UPDATE stream SET old = x'05' WHERE sequence = 4"
                        + " | the stream has an item with other bytes than were written",
                "DELETE FROM stream WHERE sequence = 2 | the stream lacks 1 of its records",
                "DELETE FROM stream WHERE sequence IN (2, 3) | the stream lacks 2 of its records",
                "UPDATE messages SET message = x'05' | a queue has a message with other bytes than were written",
                "UPDATE messages SET id = 'other' | a queue has a message with other bytes than were written",
                "UPDATE messages SET queue = 'other' | a queue has a message with other bytes than were written",
                "UPDATE messages SET sent_at = 1 | a queue has a message with other bytes than were written",
                "UPDATE checkpoints SET sequence = 5 | a consumer of the stream is ahead of its last record",
            })
    void a_damage_is_named(String damage, String problem) throws SQLException {
        execute(damage);

        try (EmbeddedDynamoDb database = open()) {
            assertThat(database.check()).contains(problem);
        }
    }

    @Test
    void a_file_that_sqlite_finds_damaged_is_not_looked_through() throws SQLException {
        execute(
                "PRAGMA writable_schema = ON",
                "UPDATE sqlite_schema SET sql = replace(sql, 'old BLOB', 'old BLOB NOT NULL') WHERE name = 'stream'",
                "DELETE FROM stream WHERE sequence = 2");

        try (EmbeddedDynamoDb database = open()) {
            assertThat(database.inspect().items()).isZero();
            assertThat(database.check()).isNotEmpty().allMatch(problem -> problem.equals("NULL value in stream.old"));
        }
    }

    @Test
    void what_cannot_be_read_is_a_problem() throws SQLException {
        execute("DROP TABLE entries_1");

        try (EmbeddedDynamoDb database = open()) {
            assertThat(database.check()).singleElement().asString().contains("no such table: entries_1");
        }
    }

    @Test
    void twenty_problems_are_enough() throws SQLException {
        try (EmbeddedDynamoDb database = open()) {
            for (int i = 10; i < 10 + MAX_PROBLEMS; i++) {
                put(database, i);
            }
        }
        execute("UPDATE items_1 SET item = x'05'");

        try (EmbeddedDynamoDb database = open()) {
            assertThat(database.check()).hasSize(MAX_PROBLEMS);
        }
    }
}
