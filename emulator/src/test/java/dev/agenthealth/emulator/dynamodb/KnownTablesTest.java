package dev.agenthealth.emulator.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.template.TableDefinition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** A table whose description requests have read changes. */
class KnownTablesTest {

    private static final String TABLE = "Things";

    @AutoClose
    private final EmulatedTables tables = EmulatedTables.inMemory();

    private final DynamoDbClient client = tables.client();

    @Test
    void a_table_that_is_created_again_has_its_new_key() {
        create("id");
        put("id");
        client.deleteTable(request -> request.tableName(TABLE));
        assertThatThrownBy(() -> put("id")).isInstanceOf(ResourceNotFoundException.class);

        create("name");
        put("name");
        assertThat(client.scan(request -> request.tableName(TABLE)).items()).containsExactly(item("name"));
    }

    private void create(String key) {
        tables.with(List.of(new TableDefinition(
                TABLE,
                TABLE,
                List.of(KeySchemaElement.builder()
                        .attributeName(key)
                        .keyType(KeyType.HASH)
                        .build()),
                List.of(AttributeDefinition.builder()
                        .attributeName(key)
                        .attributeType(ScalarAttributeType.S)
                        .build()),
                List.of(),
                "",
                "")));
    }

    private void put(String key) {
        client.putItem(request -> request.tableName(TABLE).item(item(key)));
    }

    private static Map<String, AttributeValue> item(String key) {
        return Map.of(key, AttributeValue.fromS("a"));
    }
}
