package dev.agenthealth.template;

import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;

/** Creates the template's tables without CloudFormation. */
public final class Tables {

    private Tables() {}

    /**
     * Creates each table that does not exist, with on-demand capacity and its indexes, stream and expiry. An existing table stays as it
     * is.
     */
    public static void create(DynamoDbClient dynamoDb, List<TableDefinition> definitions) {
        definitions.forEach(definition -> create(dynamoDb, definition));
    }

    private static void create(DynamoDbClient dynamoDb, TableDefinition definition) {
        try {
            dynamoDb.createTable(request(definition));
        } catch (ResourceInUseException alreadyThere) {
            return;
        }
        if (!definition.ttlAttribute().isEmpty()) {
            dynamoDb.updateTimeToLive(update -> update.tableName(definition.name())
                    .timeToLiveSpecification(expiry ->
                            expiry.attributeName(definition.ttlAttribute()).enabled(true)));
        }
    }

    private static CreateTableRequest request(TableDefinition definition) {
        CreateTableRequest.Builder request = CreateTableRequest.builder()
                .tableName(definition.name())
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .keySchema(definition.keySchema())
                .attributeDefinitions(definition.attributeDefinitions());
        if (!definition.indexes().isEmpty()) {
            request.globalSecondaryIndexes(definition.indexes());
        }
        if (!definition.streamViewType().isEmpty()) {
            request.streamSpecification(
                    stream -> stream.streamEnabled(true).streamViewType(definition.streamViewType()));
        }
        return request.build();
    }
}
