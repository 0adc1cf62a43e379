package dev.agenthealth.template;

import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;

/**
 * A table as the template defines it, in the SDK's own terms.
 *
 * @param logicalId its name in the template
 * @param name physical name
 * @param keySchema partition key first
 * @param attributeDefinitions every attribute that is part of a key of the table or of an index
 * @param indexes its global secondary indexes; may be empty
 * @param streamViewType {@code NEW_IMAGE} and so on; empty without a stream
 * @param ttlAttribute the attribute with an item's expiry time in epoch seconds; empty if items do not expire
 */
public record TableDefinition(
        String logicalId,
        String name,
        List<KeySchemaElement> keySchema,
        List<AttributeDefinition> attributeDefinitions,
        List<GlobalSecondaryIndex> indexes,
        String streamViewType,
        String ttlAttribute) {

    public TableDefinition {
        keySchema = List.copyOf(keySchema);
        attributeDefinitions = List.copyOf(attributeDefinitions);
        indexes = List.copyOf(indexes);
    }
}
