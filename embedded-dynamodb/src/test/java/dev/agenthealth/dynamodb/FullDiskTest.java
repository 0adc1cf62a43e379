package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.dynamodb.sqlite.DatabaseFile;
import dev.agenthealth.dynamodb.sqlite.Settings;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** Writes while the disk has little space left, or none. */
class FullDiskTest {

    private static final String PLAIN = "Plain";
    private static final Map<String, AttributeValue> KEY =
            Map.of("pk", AttributeValue.fromS("p1"), "sk", AttributeValue.fromS("s"));

    @TempDir
    private Path folder;

    private final AtomicLong space = new AtomicLong(1_000);
    private DatabaseFile file;
    private DynamoDbClient client;

    @BeforeEach
    void open() {
        file = DatabaseFile.open(new Settings(folder.resolve("a.db"), false, Settings.Sync.MOST, space::get));
        Engine engine = Engine.of(file, Clock.systemUTC(), Set.of("n", "m"), 1_000);
        client = new Client(engine, new Tokens(Clock.systemUTC()));
        Things.create(client);
        client.createTable(request -> request.tableName(PLAIN)
                .keySchema(KeySchemaElement.builder()
                        .attributeName("pk")
                        .keyType(KeyType.HASH)
                        .build())
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName("pk")
                        .attributeType(ScalarAttributeType.S)
                        .build()));
    }

    @AfterEach
    void close() throws SQLException {
        file.close();
    }

    @ParameterizedTest
    @CsvSource({
        "Plain, 'SET n = :v', true",
        "Plain, 'SET n = :v, m = :v', true",
        "Plain, 'SET n = :v, x = :v', false",
        "Plain, 'SET x = :v', false",
        "Plain, , false",
        "Things, 'SET n = :v', false",
    })
    void updates_of_unsynced_attributes_alone_need_no_space(String table, String expression, boolean accepted) {
        Map<String, AttributeValue> key = table.equals(PLAIN) ? Map.of("pk", AttributeValue.fromS("p1")) : KEY;
        Runnable update = () -> client.updateItem(request -> {
            request.tableName(table).key(key);
            if (expression != null) {
                request.updateExpression(expression).expressionAttributeValues(Map.of(":v", AttributeValue.fromS("v")));
            }
        });
        update.run();

        space.set(999);
        if (accepted) {
            update.run();
        } else {
            assertThatThrownBy(update::run)
                    .isInstanceOfSatisfying(InternalServerErrorException.class, e -> assertThat(e.statusCode())
                            .isEqualTo(507))
                    .hasMessageContaining("the disk has less than 1000 bytes left");
        }
        space.set(1_000);
        update.run();
    }

    @Test
    void a_transaction_that_found_no_space_is_applied_when_it_is_repeated_with_its_token() throws SQLException {
        Map<String, AttributeValue> item = new HashMap<>(KEY);
        item.put("text", AttributeValue.fromS("x".repeat(300_000)));
        Runnable transaction = () -> client.transactWriteItems(request -> request.clientRequestToken("token")
                .transactItems(TransactWriteItem.builder()
                        .put(put -> put.tableName(Things.TABLE).item(item))
                        .build()));
        file.writer().exclusively(session -> session.execute("PRAGMA max_page_count = 30"));
        assertThatThrownBy(transaction::run)
                .isInstanceOfSatisfying(InternalServerErrorException.class, e -> assertThat(e.statusCode())
                        .isEqualTo(507))
                .hasMessageContaining("the disk is full");

        file.writer().exclusively(session -> session.execute("PRAGMA max_page_count = 100000"));
        transaction.run();
        transaction.run();

        assertThat(client.getItem(request -> request.tableName(Things.TABLE).key(KEY))
                        .item())
                .isEqualTo(item);
    }
}
