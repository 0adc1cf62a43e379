package dev.agenthealth.functions.testing;

import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.testkit.TestTables;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Grants the keys of {@link TestSystem} that no test changed the provider that a request names, as long as the request runs. */
final class TestGrants {

    private static final Pattern PROVIDER = Pattern.compile("\"provider_id\": ?\"([^\"]+)\"");

    private final DynamoDbClient dynamoDb;

    /** @param dynamoDb a client whose requests no test counts */
    TestGrants(DynamoDbClient dynamoDb) {
        this.dynamoDb = dynamoDb;
    }

    /** Grants what the request names; returns what takes it back. */
    Runnable begin(String body) {
        Matcher named = PROVIDER.matcher(body);
        if (!named.find()) {
            return () -> {};
        }
        grant(List.of(named.group(1)));
        return () -> grant(List.of());
    }

    private void grant(List<String> providers) {
        for (Map<String, AttributeValue> key : dynamoDb.query(r -> r.tableName(TestTables.REGISTRY)
                        .keyConditionExpression("pk = :keys AND begins_with(sk, :ids)")
                        .filterExpression("attribute_not_exists(rev)")
                        .expressionAttributeValues(Map.of(
                                ":keys",
                                Values.s(ItemKind.LISTED_KEY.partition()),
                                ":ids",
                                Values.s(TestSystem.keyId("")))))
                .items()) {
            dynamoDb.updateItem(r -> r.tableName(TestTables.REGISTRY)
                    .key(Map.of("pk", key.get("pk"), "sk", key.get("sk")))
                    .updateExpression("SET providers = :providers")
                    .conditionExpression("attribute_exists(pk) AND attribute_not_exists(rev)")
                    .expressionAttributeValues(Map.of(":providers", Values.list(providers))));
        }
    }
}
