package dev.agenthealth.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.dynamodb.services.local.embedded.DynamoDBEmbedded;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;

@Tag("exhaustive")
class TablesTest {

    private final AmazonDynamoDBLocal local = DynamoDBEmbedded.create(true);
    private final DynamoDbClient dynamoDb = local.dynamoDbClient();
    private final List<TableDefinition> definitions =
            Template.find().stack(Resolution.local()).tables();

    @AfterEach
    void close() {
        local.shutdownNow();
    }

    @Test
    void creates_every_table_as_defined() {
        Tables.create(dynamoDb, definitions);

        TableDescription pulses = describe("PulsesTable");
        assertThat(pulses.keySchema()).hasSize(1);
        assertThat(pulses.globalSecondaryIndexes())
                .extracting(GlobalSecondaryIndexDescription::indexName)
                .containsExactly("by-status");
        TableDescription registry = describe("RegistryTable");
        assertThat(registry.keySchema()).hasSize(2);
        assertThat(registry.streamSpecification().streamEnabled()).isTrue();
        assertThat(dynamoDb.describeTimeToLive(request -> request.tableName("RegistryTable"))
                        .timeToLiveDescription()
                        .attributeName())
                .isEqualTo("ttl");
    }

    @Test
    void leaves_an_existing_table_alone() {
        Tables.create(dynamoDb, definitions);
        Map<String, AttributeValue> key = Map.of("id", AttributeValue.fromS("a"));
        dynamoDb.putItem(request -> request.tableName("PulsesTable").item(key));

        Tables.create(dynamoDb, definitions);

        assertThat(dynamoDb.getItem(request -> request.tableName("PulsesTable").key(key))
                        .item())
                .isEqualTo(key);
    }

    private TableDescription describe(String name) {
        return dynamoDb.describeTable(request -> request.tableName(name)).table();
    }
}
