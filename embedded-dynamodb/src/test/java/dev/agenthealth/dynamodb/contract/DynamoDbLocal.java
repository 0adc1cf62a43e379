package dev.agenthealth.dynamodb.contract;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.dynamodb.services.local.embedded.DynamoDBEmbedded;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;

/** DynamoDB Local as it is published, in memory. */
final class DynamoDbLocal implements Backend {

    static final String NAME = "DynamoDB Local";

    private final AmazonDynamoDBLocal local = DynamoDBEmbedded.create();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public DynamoDbClient client() {
        return local.dynamoDbClient();
    }

    @Override
    public DynamoDbStreamsClient streams() {
        return local.dynamoDbStreamsClient();
    }

    @Override
    public void close() {
        local.shutdownNow();
    }
}
