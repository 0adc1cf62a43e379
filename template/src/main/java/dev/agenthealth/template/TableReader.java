package dev.agenthealth.template;

import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Projection;

/** Reads one {@code AWS::DynamoDB::Table}. */
final class TableReader {

    private TableReader() {}

    /** @param properties resolved */
    static TableDefinition read(String logicalId, Section properties) {
        if (properties.values().containsKey("LocalSecondaryIndexes")) {
            throw new TemplateException(properties.place() + ": local secondary indexes are not supported");
        }
        Section expiry = properties.child("TimeToLiveSpecification");
        return new TableDefinition(
                logicalId,
                properties.optionalText("TableName").orElse(logicalId),
                keySchema(properties),
                properties.children("AttributeDefinitions").stream()
                        .map(TableReader::attribute)
                        .toList(),
                properties.children("GlobalSecondaryIndexes").stream()
                        .map(TableReader::index)
                        .toList(),
                properties
                        .child("StreamSpecification")
                        .optionalText("StreamViewType")
                        .orElse(""),
                expiry.flag("Enabled") ? expiry.text("AttributeName") : "");
    }

    private static AttributeDefinition attribute(Section section) {
        return AttributeDefinition.builder()
                .attributeName(section.text("AttributeName"))
                .attributeType(section.text("AttributeType"))
                .build();
    }

    private static List<KeySchemaElement> keySchema(Section section) {
        List<KeySchemaElement> keys = section.children("KeySchema").stream()
                .map(key -> KeySchemaElement.builder()
                        .attributeName(key.text("AttributeName"))
                        .keyType(key.text("KeyType"))
                        .build())
                .toList();
        if (keys.isEmpty() || keys.get(0).keyType() != KeyType.HASH) {
            throw new TemplateException(section.place() + ".KeySchema: must begin with the HASH key");
        }
        return keys;
    }

    private static GlobalSecondaryIndex index(Section section) {
        Section projection = section.child("Projection");
        List<String> nonKeyAttributes = projection.texts("NonKeyAttributes");
        Projection.Builder projected = Projection.builder().projectionType(projection.text("ProjectionType"));
        if (!nonKeyAttributes.isEmpty()) {
            projected.nonKeyAttributes(nonKeyAttributes);
        }
        return GlobalSecondaryIndex.builder()
                .indexName(section.text("IndexName"))
                .keySchema(keySchema(section))
                .projection(projected.build())
                .build();
    }
}
