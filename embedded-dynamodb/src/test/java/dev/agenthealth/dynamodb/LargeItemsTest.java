package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** Large items that expire are stored in the order of their writes. */
class LargeItemsTest {

    private static final int PAGE_BYTES = 4096;
    private static final int COMMITS = 40;
    private static final int ITEMS_OF_A_COMMIT = 16;

    /** Beside their keys, the items of a commit wrote 64 pages. */
    private static final long MAX_PAGES_OF_A_COMMIT = 40;

    @TempDir
    private Path folder;

    private EmbeddedDynamoDb open() {
        return EmbeddedDynamoDb.inFile(file(), false, Set.of(), Clock.systemUTC());
    }

    private Path file() {
        return folder.resolve("a.db");
    }

    private static void put(EmbeddedDynamoDb database, Map<String, AttributeValue> item) {
        database.client().putItem(request -> request.tableName(Things.TABLE).item(item));
    }

    private static Map<String, AttributeValue> with(int number, String attribute, AttributeValue value) {
        Map<String, AttributeValue> item = new HashMap<>(Things.item(number));
        item.put(attribute, value);
        return item;
    }

    private static Map<String, AttributeValue> find(EmbeddedDynamoDb database, int number) {
        return database.client()
                .getItem(request -> request.tableName(Things.TABLE).key(key(number)))
                .item();
    }

    private static Map<String, AttributeValue> key(int number) {
        Map<String, AttributeValue> key = new HashMap<>(Things.item(number));
        key.keySet().retainAll(Set.of("pk", "sk"));
        return key;
    }

    private long large() throws SQLException {
        try (Connection connection = connect();
                ResultSet rows = connection.createStatement().executeQuery("SELECT count(*) FROM large_1")) {
            return rows.getLong(1);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file());
    }

    @Test
    void a_large_item_is_stored_apart_while_it_is_large_and_expires() throws SQLException {
        try (EmbeddedDynamoDb database = open()) {
            Things.create(database.client());
            put(database, Things.item(1));
            put(database, Things.item(2));
            put(database, with(3, "text", AttributeValue.fromS("short")));
            put(database, with(4, "ttl", AttributeValue.fromS("never")));
            assertThat(large()).isEqualTo(2);

            put(database, with(1, "n", AttributeValue.fromN("7")));
            assertThat(large()).isEqualTo(2);
            assertThat(find(database, 1)).containsEntry("n", AttributeValue.fromN("7"));

            put(database, with(1, "text", AttributeValue.fromS("short")));
            database.client()
                    .deleteItem(request -> request.tableName(Things.TABLE).key(key(2)));
            assertThat(large()).isZero();
            assertThat(find(database, 2)).isEmpty();
            assertThat(find(database, 1)).containsEntry("text", AttributeValue.fromS("short"));
            assertThat(database.check()).isEmpty();
        }
    }

    @Test
    void items_that_no_longer_expire_are_beside_their_keys() throws SQLException {
        try (EmbeddedDynamoDb database = open()) {
            Things.create(database.client());
            put(database, Things.item(1));
            database.client().updateTimeToLive(request -> request.tableName(Things.TABLE)
                    .timeToLiveSpecification(ttl -> ttl.attributeName("ttl").enabled(false)));

            assertThat(large()).isZero();
            assertThat(find(database, 1)).isEqualTo(Things.item(1));
            assertThat(database.check()).isEmpty();
        }
    }

    @Test
    void a_file_of_format_1_is_opened_with_its_items() throws SQLException {
        try (EmbeddedDynamoDb database = open()) {
            Things.create(database.client());
            IntStream.range(0, 3).forEach(number -> put(database, Things.item(number)));
        }
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(
                    "UPDATE items_1 AS i SET item = (SELECT l.item FROM large_1 l WHERE l.id = i.item)");
            statement.executeUpdate("DROP TABLE large_1");
            statement.executeUpdate("PRAGMA user_version = 1");
        }
        try (EmbeddedDynamoDb database = open()) {
            assertThat(find(database, 0)).isEqualTo(Things.item(0));
            assertThat(large()).isZero();

            put(database, with(1, "n", AttributeValue.fromN("7")));
            database.client()
                    .deleteItem(request -> request.tableName(Things.TABLE).key(key(2)));
            ScanResponse left = database.client().scan(request -> request.tableName(Things.TABLE));
            assertThat(left.items()).containsExactlyInAnyOrder(Things.item(0), with(1, "n", AttributeValue.fromN("7")));
            assertThat(large()).isEqualTo(1);
            assertThat(database.check()).isEmpty();
        }
    }

    @Test
    void large_items_of_many_partitions_share_pages() throws IOException {
        try (EmbeddedDynamoDb database = open()) {
            Things.create(database.client());
            // The first commits fill the tree of keys, so that later keys have pages of their own.
            IntStream.range(0, COMMITS).forEach(commit -> write(database, commit));
            long before = Files.size(folder.resolve("a.db-wal"));
            IntStream.range(COMMITS, 2 * COMMITS).forEach(commit -> write(database, commit));
            long pages = (Files.size(folder.resolve("a.db-wal")) - before) / PAGE_BYTES / COMMITS;
            System.out.println("a commit of " + ITEMS_OF_A_COMMIT + " large items writes " + pages + " pages");
            assertThat(pages).isPositive().isLessThanOrEqualTo(MAX_PAGES_OF_A_COMMIT);
        }
    }

    private static void write(EmbeddedDynamoDb database, int commit) {
        List<TransactWriteItem> puts = IntStream.range(0, ITEMS_OF_A_COMMIT)
                .mapToObj(i -> TransactWriteItem.builder()
                        .put(put -> put.tableName(Things.TABLE).item(Things.item(commit * ITEMS_OF_A_COMMIT + i)))
                        .build())
                .toList();
        database.client().transactWriteItems(request -> request.transactItems(puts));
    }
}
