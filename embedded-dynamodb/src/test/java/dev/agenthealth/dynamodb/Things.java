package dev.agenthealth.dynamodb;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;

/** A table with an index, a stream and time to live, and items of it. */
final class Things {

    static final String TABLE = "Things";

    private Things() {}

    private static KeySchemaElement key(String name, KeyType type) {
        return KeySchemaElement.builder().attributeName(name).keyType(type).build();
    }

    static void create(DynamoDbClient client) {
        create(client, StreamViewType.NEW_IMAGE);
    }

    static void create(DynamoDbClient client, StreamViewType view) {
        client.createTable(request -> request.tableName(TABLE)
                .keySchema(key("pk", KeyType.HASH), key("sk", KeyType.RANGE))
                .attributeDefinitions(List.of("pk", "sk", "x").stream()
                        .map(name -> AttributeDefinition.builder()
                                .attributeName(name)
                                .attributeType(ScalarAttributeType.S)
                                .build())
                        .toList())
                .globalSecondaryIndexes(GlobalSecondaryIndex.builder()
                        .indexName("by-x")
                        .keySchema(key("x", KeyType.HASH), key("sk", KeyType.RANGE))
                        .projection(projection -> projection.projectionType(ProjectionType.KEYS_ONLY))
                        .build())
                .streamSpecification(stream -> stream.streamEnabled(true).streamViewType(view)));
        client.updateTimeToLive(request -> request.tableName(TABLE)
                .timeToLiveSpecification(ttl -> ttl.attributeName("ttl").enabled(true)));
    }

    static Map<String, AttributeValue> item(int number) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put("pk", AttributeValue.fromS("p" + number));
        item.put("sk", AttributeValue.fromS("s"));
        item.put("x", AttributeValue.fromS("x" + number % 3));
        item.put("n", AttributeValue.fromN(Integer.toString(number)));
        item.put("ttl", AttributeValue.fromN("1000"));
        item.put("text", AttributeValue.fromS("a text of some length ".repeat(20)));
        return item;
    }
}
