package dev.agenthealth.dynamodb.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.dynamodb.value.Values;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.dynamodb.services.local.embedded.DynamoDBEmbedded;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;

/** Evaluates expressions here and in DynamoDB Local and expects the same results and messages. */
@Tag("exhaustive")
@net.jqwik.api.Tag("exhaustive")
class DynamoDbLocalComparisonTest {

    private static final String TABLE = "Items";
    private static final Map<String, AttributeValue> ITEM = ExpressionCases.withKey(SampleValues.item());

    private static AmazonDynamoDBLocal local;
    private static DynamoDbClient client;

    @BeforeAll
    @BeforeContainer
    static void start() {
        local = DynamoDBEmbedded.create();
        client = local.dynamoDbClient();
        client.createTable(r -> r.tableName(TABLE)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .keySchema(KeySchemaElement.builder()
                        .attributeName("pk")
                        .keyType(KeyType.HASH)
                        .build())
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName("pk")
                        .attributeType(ScalarAttributeType.S)
                        .build()));
    }

    @AfterAll
    @AfterContainer
    static void stop() {
        client.close();
        local.shutdownNow();
    }

    @ParameterizedTest
    @MethodSource("dev.agenthealth.dynamodb.expression.ExpressionCases#conditions")
    void condition_has_this_result_or_message_in_dynamodb_local(String text, String expected) {
        assertThat(ExpressionCases.result(() -> conditionInDynamoDbLocal(ITEM, text)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("dev.agenthealth.dynamodb.expression.ExpressionCases#updates")
    void update_has_this_result_or_message_in_dynamodb_local(String text, String expected) {
        assertThat(ExpressionCases.result(() -> updateInDynamoDbLocal(ITEM, text)))
                .isEqualTo(expected);
    }

    @Property
    void random_condition_has_the_result_of_dynamodb_local(@ForAll long seed) {
        RandomExpressions random = new RandomExpressions(new Random(seed));
        assertSameCondition(random.item(), random.condition(3));
    }

    @Property
    void random_update_has_the_result_of_dynamodb_local(@ForAll long seed) {
        RandomExpressions random = new RandomExpressions(new Random(seed));
        assertSameUpdate(random.item(), random.update());
    }

    private static void assertSameCondition(Map<String, AttributeValue> attributes, String text) {
        Map<String, AttributeValue> item = ExpressionCases.withKey(attributes);
        assertThat(ExpressionCases.condition(item, text))
                .as(text)
                .isEqualTo(ExpressionCases.result(() -> conditionInDynamoDbLocal(item, text)));
    }

    private static void assertSameUpdate(Map<String, AttributeValue> attributes, String text) {
        Map<String, AttributeValue> item = ExpressionCases.withKey(attributes);
        assertThat(ExpressionCases.update(item, text))
                .as(text)
                .isEqualTo(ExpressionCases.result(() -> updateInDynamoDbLocal(item, text)));
    }

    private static String conditionInDynamoDbLocal(Map<String, AttributeValue> item, String text) {
        client.putItem(r -> r.tableName(TABLE).item(item));
        try {
            client.putItem(r -> r.tableName(TABLE)
                    .item(item)
                    .conditionExpression(text)
                    .expressionAttributeNames(orNull(SampleValues.names(text)))
                    .expressionAttributeValues(orNull(Values.normalized(SampleValues.values(text)))));
            return "true";
        } catch (ConditionalCheckFailedException e) {
            return "false";
        }
    }

    private static String updateInDynamoDbLocal(Map<String, AttributeValue> item, String text) {
        client.putItem(r -> r.tableName(TABLE).item(item));
        return ExpressionCases.describe(
                item,
                Values.normalized(client.updateItem(r -> r.tableName(TABLE)
                                .key(ExpressionCases.KEY)
                                .updateExpression(text)
                                .expressionAttributeNames(orNull(SampleValues.names(text)))
                                .expressionAttributeValues(orNull(Values.normalized(SampleValues.values(text))))
                                .returnValues(ReturnValue.ALL_NEW))
                        .attributes()));
    }

    private static <T> Map<String, T> orNull(Map<String, T> map) {
        return map.isEmpty() ? null : map;
    }
}
