package dev.agenthealth.local.testing;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Has a sweep of few agents shared out, for which the API's smallest number is too large. */
public final class FanOut {

    private FanOut() {}

    /** Stores a runtime configuration whose passes are shared out above so many agents. */
    public static void above(int agents, DynamoDbClient tables) {
        tables.putItem(request -> request.tableName("RegistryTable")
                .item(Map.of(
                        "pk", AttributeValue.fromS("SYSTEM"),
                        "sk", AttributeValue.fromS("C"),
                        "passes", AttributeValue.fromN("1"),
                        "fan_out", AttributeValue.fromN(String.valueOf(agents)))));
    }
}
