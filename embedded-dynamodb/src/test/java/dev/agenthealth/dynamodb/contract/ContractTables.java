package dev.agenthealth.dynamodb.contract;

import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;

/** Tables with the keys, indexes and stream of the two tables of the template. */
final class ContractTables {

    private ContractTables() {}

    /** Creates a table like PulsesTable and returns its name. */
    static String createPulses(Backend backend) {
        String name = backend.unusedName("pulses");
        backend.client()
                .createTable(CreateTableRequest.builder()
                        .tableName(name)
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .attributeDefinitions(strings("id", "x"))
                        .keySchema(keys("id"))
                        .globalSecondaryIndexes(index("by-status", ProjectionType.KEYS_ONLY, "x", "id"))
                        .build());
        backend.awaitTable(name);
        return name;
    }

    /** Creates a table like RegistryTable, without time to live, and returns its name. */
    static String createRegistry(Backend backend) {
        String name = backend.unusedName("registry");
        backend.client().createTable(registry(name).build());
        backend.awaitTable(name);
        return name;
    }

    static CreateTableRequest.Builder registry(String name) {
        return CreateTableRequest.builder()
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(strings("pk", "sk", "fp", "fs", "dp", "ds"))
                .keySchema(keys("pk", "sk"))
                .globalSecondaryIndexes(
                        index("feed", ProjectionType.ALL, "fp", "fs"),
                        index("due", ProjectionType.KEYS_ONLY, "dp", "ds"))
                .streamSpecification(s -> s.streamEnabled(true).streamViewType(StreamViewType.NEW_IMAGE));
    }

    static List<AttributeDefinition> strings(String... names) {
        return List.of(names).stream()
                .map(name -> AttributeDefinition.builder()
                        .attributeName(name)
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .toList();
    }

    /** A partition key and, if there are two names, a sort key. */
    static List<KeySchemaElement> keys(String... names) {
        return List.of(names).stream()
                .map(name -> KeySchemaElement.builder()
                        .attributeName(name)
                        .keyType(name.equals(names[0]) ? KeyType.HASH : KeyType.RANGE)
                        .build())
                .toList();
    }

    static GlobalSecondaryIndex index(String name, ProjectionType projection, String... keys) {
        return GlobalSecondaryIndex.builder()
                .indexName(name)
                .keySchema(keys(keys))
                .projection(p -> p.projectionType(projection))
                .build();
    }
}
