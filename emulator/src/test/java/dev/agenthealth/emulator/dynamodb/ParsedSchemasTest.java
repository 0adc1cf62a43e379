package dev.agenthealth.emulator.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.template.TableDefinition;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** Two databases have a table of the same schema, of which one changes. */
class ParsedSchemasTest {

    private static final String TABLE = "Things";
    private static final String INDEX = "by-colour";
    private static final List<TableDefinition> TABLES =
            List.of(new TableDefinition(TABLE, TABLE, List.of(key("id")), List.of(attribute("id")), List.of(), "", ""));

    @AutoClose
    private final EmulatedTables changed = open();

    @AutoClose
    private final EmulatedTables kept = open();

    private static EmulatedTables open() {
        return EmulatedTables.inMemory().with(TABLES);
    }

    @Test
    void an_expiry_is_that_of_one_database() {
        for (EmulatedTables tables : List.of(changed, kept)) {
            assertThat(expiry(kept)).isEqualTo(TimeToLiveStatus.DISABLED);
            tables.client().updateTimeToLive(request -> request.tableName(TABLE)
                    .timeToLiveSpecification(ttl -> ttl.attributeName("ttl").enabled(true)));
            assertThat(expiry(tables)).isEqualTo(TimeToLiveStatus.ENABLED);
        }
    }

    private static TimeToLiveStatus expiry(EmulatedTables tables) {
        return tables.client()
                .describeTimeToLive(request -> request.tableName(TABLE))
                .timeToLiveDescription()
                .timeToLiveStatus();
    }

    @Test
    void an_index_is_that_of_one_database() {
        for (EmulatedTables tables : List.of(changed, kept)) {
            assertThat(indexes(kept)).isZero();
            addIndex(tables.client());
            assertThat(indexes(tables)).isOne();
        }
    }

    private static void addIndex(DynamoDbClient client) {
        client.updateTable(request -> request.tableName(TABLE)
                .attributeDefinitions(attribute("id"), attribute("colour"))
                .globalSecondaryIndexUpdates(GlobalSecondaryIndexUpdate.builder()
                        .create(index -> index.indexName(INDEX)
                                .keySchema(key("colour"))
                                .projection(projection -> projection.projectionType(ProjectionType.ALL)))
                        .build()));
    }

    private static int indexes(EmulatedTables tables) {
        return tables.client()
                .describeTable(request -> request.tableName(TABLE))
                .table()
                .globalSecondaryIndexes()
                .size();
    }

    private static KeySchemaElement key(String name) {
        return KeySchemaElement.builder()
                .attributeName(name)
                .keyType(KeyType.HASH)
                .build();
    }

    private static AttributeDefinition attribute(String name) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(ScalarAttributeType.S)
                .build();
    }
}
