package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** Tables in the file: their definitions after a restart, and what is left of those that are deleted. */
class TableFileTest {

    private static final String TABLE = "Blobs";

    @TempDir
    private Path folder;

    private EmbeddedDynamoDb open() {
        return EmbeddedDynamoDb.inFile(folder.resolve("a.db"), false, Set.of(), Clock.systemUTC());
    }

    private static KeySchemaElement key(String name, KeyType type) {
        return KeySchemaElement.builder().attributeName(name).keyType(type).build();
    }

    private static AttributeDefinition definition(String name, ScalarAttributeType type) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(type)
                .build();
    }

    private static GlobalSecondaryIndex index(String name, ProjectionType projection) {
        return GlobalSecondaryIndex.builder()
                .indexName(name)
                .keySchema(key("s", KeyType.HASH), key("b", KeyType.RANGE))
                .projection(p -> p.projectionType(projection))
                .build();
    }

    /** Binary and text keys, both projections, images before and after. */
    private static void create(DynamoDbClient client) {
        client.createTable(request -> request.tableName(TABLE)
                .keySchema(key("b", KeyType.HASH), key("s", KeyType.RANGE))
                .attributeDefinitions(definition("b", ScalarAttributeType.B), definition("s", ScalarAttributeType.S))
                .globalSecondaryIndexes(index("all", ProjectionType.ALL), index("keys", ProjectionType.KEYS_ONLY))
                .streamSpecification(
                        stream -> stream.streamEnabled(true).streamViewType(StreamViewType.NEW_AND_OLD_IMAGES)));
        client.updateTimeToLive(request -> request.tableName(TABLE)
                .timeToLiveSpecification(ttl -> ttl.attributeName("ttl").enabled(true)));
    }

    private static Map<String, AttributeValue> item() {
        return Map.of(
                "b", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {0, -1})),
                "s", AttributeValue.fromS("text"),
                "v", AttributeValue.fromN("1"));
    }

    private static TableDescription describe(EmbeddedDynamoDb database) {
        return database.client()
                .describeTable(request -> request.tableName(TABLE))
                .table();
    }

    private List<String> tablesOfRows() throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("a.db"));
                ResultSet rows = connection
                        .createStatement()
                        .executeQuery(
                                "SELECT name FROM sqlite_schema WHERE name GLOB 'items_*'"
                                        + " OR name GLOB 'entries_*' OR name GLOB 'expiry_*' OR name GLOB 'large_*' ORDER BY name")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    private static long rows(Path file, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                ResultSet rows = connection.createStatement().executeQuery(sql)) {
            return rows.getLong(1);
        }
    }

    @Test
    void a_table_is_the_same_after_a_restart() {
        TableDescription before;
        try (EmbeddedDynamoDb database = open()) {
            create(database.client());
            before = describe(database);
        }
        try (EmbeddedDynamoDb database = open()) {
            DynamoDbClient client = database.client();
            assertThat(describe(database)).isEqualTo(before);
            assertThat(client.describeTimeToLive(request -> request.tableName(TABLE))
                            .timeToLiveDescription()
                            .attributeName())
                    .isEqualTo("ttl");
            client.putItem(request -> request.tableName(TABLE).item(item()));
            assertThat(client.scan(request -> request.tableName(TABLE).indexName("all"))
                            .items())
                    .containsExactly(item());
            assertThat(client.scan(request -> request.tableName(TABLE).indexName("keys"))
                            .items())
                    .containsExactly(Map.of("b", item().get("b"), "s", item().get("s")));
            assertThat(database.check()).isEmpty();
        }
    }

    @Test
    void a_deleted_table_leaves_nothing_in_the_file() throws SQLException {
        try (EmbeddedDynamoDb database = open()) {
            create(database.client());
            Things.create(database.client());
            database.client().putItem(request -> request.tableName(TABLE).item(item()));
            database.client().putItem(request -> request.tableName(Things.TABLE).item(Things.item(1)));
        }
        assertThat(tablesOfRows())
                .containsExactly(
                        "entries_1",
                        "entries_2",
                        "entries_3",
                        "expiry_1",
                        "expiry_2",
                        "items_1",
                        "items_2",
                        "large_1",
                        "large_2");

        try (EmbeddedDynamoDb database = open()) {
            database.client().deleteTable(request -> request.tableName(TABLE));
        }

        assertThat(tablesOfRows()).containsExactly("entries_3", "expiry_2", "items_2", "large_2");
        assertThat(rows(folder.resolve("a.db"), "SELECT count(*) FROM stream")).isEqualTo(1);
        assertThat(rows(folder.resolve("a.db"), "SELECT count(*) FROM indexes")).isEqualTo(1);
        try (EmbeddedDynamoDb database = open()) {
            assertThatThrownBy(() -> describe(database)).hasMessageContaining("Table: Blobs not found");
            assertThat(database.client()
                            .scan(request -> request.tableName(Things.TABLE))
                            .count())
                    .isEqualTo(1);
        }
    }

    @Test
    void a_deleted_index_leaves_nothing_in_the_file_and_the_others_stay() throws SQLException {
        try (EmbeddedDynamoDb database = open()) {
            create(database.client());
            database.client().updateTable(request -> request.tableName(TABLE)
                    .globalSecondaryIndexUpdates(GlobalSecondaryIndexUpdate.builder()
                            .delete(delete -> delete.indexName("all"))
                            .build()));
            assertThat(describe(database).globalSecondaryIndexes())
                    .singleElement()
                    .satisfies(index -> assertThat(index.indexName()).isEqualTo("keys"));
        }
        assertThat(tablesOfRows()).containsExactly("entries_2", "expiry_1", "items_1", "large_1");
        try (EmbeddedDynamoDb database = open()) {
            database.client().putItem(request -> request.tableName(TABLE).item(item()));
            assertThat(database.client()
                            .scan(request -> request.tableName(TABLE).indexName("keys"))
                            .count())
                    .isEqualTo(1);
        }
    }

    @Test
    void keys_of_numbers_are_unsupported() {
        try (EmbeddedDynamoDb database = open()) {
            assertThatThrownBy(() -> database.client().createTable(request -> request.tableName(TABLE)
                            .keySchema(key("n", KeyType.HASH))
                            .attributeDefinitions(definition("n", ScalarAttributeType.N))))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("keys of type N");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1780000000.5", "1.78E9", "1780000000"})
    void an_expiry_with_a_fraction_counts_as_well(String seconds) {
        try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inFile(
                folder.resolve("a.db"),
                false,
                Set.of(),
                Clock.offset(
                        Clock.systemUTC(), Duration.between(Instant.now(), Instant.ofEpochSecond(1_780_000_010L))))) {
            create(database.client());
            Map<String, AttributeValue> item = new HashMap<>(item());
            item.put("ttl", AttributeValue.fromN(seconds));
            database.client().putItem(request -> request.tableName(TABLE).item(item));
            assertThat(database.check()).isEmpty();

            assertThat(database.expire()).isEqualTo(1);
            assertThat(database.check()).isEmpty();
        }
    }
}
