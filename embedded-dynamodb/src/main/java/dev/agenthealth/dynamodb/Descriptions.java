package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.table.Index;
import dev.agenthealth.dynamodb.table.KeyAttribute;
import dev.agenthealth.dynamodb.table.KeySchema;
import dev.agenthealth.dynamodb.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/** Describes tables in the SDK's terms. */
final class Descriptions {

    private Descriptions() {}

    static TableDescription of(Table table) {
        Map<String, ScalarAttributeType> types = new LinkedHashMap<>();
        table.keys().attributes().forEach(attribute -> types.put(attribute.name(), attribute.type()));
        table.indexes()
                .forEach(index ->
                        index.keys().attributes().forEach(attribute -> types.put(attribute.name(), attribute.type())));
        List<AttributeDefinition> definitions = new ArrayList<>();
        types.forEach((name, type) -> definitions.add(AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(type)
                .build()));
        TableDescription.Builder description = TableDescription.builder()
                .tableName(table.name())
                .tableArn(table.arn())
                .tableStatus(TableStatus.ACTIVE)
                .creationDateTime(table.createdAt())
                .billingModeSummary(mode -> mode.billingMode(BillingMode.PAY_PER_REQUEST))
                .attributeDefinitions(definitions)
                .keySchema(keys(table.keys()));
        if (!table.indexes().isEmpty()) {
            description.globalSecondaryIndexes(
                    table.indexes().stream().map(Descriptions::of).toList());
        }
        if (table.hasStream()) {
            description
                    .latestStreamArn(table.streamArn())
                    .latestStreamLabel(table.streamLabel())
                    .streamSpecification(stream -> stream.streamEnabled(true).streamViewType(table.streamView()));
        }
        return description.build();
    }

    private static GlobalSecondaryIndexDescription of(Index index) {
        return GlobalSecondaryIndexDescription.builder()
                .indexName(index.name())
                .indexStatus(IndexStatus.ACTIVE)
                .keySchema(keys(index.keys()))
                .projection(projection ->
                        projection.projectionType(index.projectsAll() ? ProjectionType.ALL : ProjectionType.KEYS_ONLY))
                .build();
    }

    static List<KeySchemaElement> keys(KeySchema schema) {
        List<KeySchemaElement> elements = new ArrayList<>();
        for (KeyAttribute attribute : schema.attributes()) {
            elements.add(KeySchemaElement.builder()
                    .attributeName(attribute.name())
                    .keyType(elements.isEmpty() ? KeyType.HASH : KeyType.RANGE)
                    .build());
        }
        return elements;
    }
}
