package dev.agenthealth.dynamodb.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.dynamodb.value.Values;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
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
    private static final Map<String, AttributeValue> KEY = Map.of("pk", AttributeValue.fromS("p"));

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
    @ValueSource(
            strings = {
                "",
                "  ",
                "as_n = :n",
                "_n = :n",
                "1a = :n",
                "a-b = :n",
                "as_n = :n AND",
                "as_n =",
                "as_n == :n",
                "as_n = :n)",
                "(as_n = :n",
                "((as_n = :n))",
                "((as_n = :n) AND as_s = :s)",
                "((as_n = :n) AND (as_s = :s))",
                "(((as_n = :n)) AND (as_s = :s))",
                "(as_n) = :n",
                "((as_n)) = :n",
                "as_n = (:n)",
                "as_n = ((:n))",
                "(as_n) BETWEEN :n0 AND :n5",
                "((as_n) = :n)",
                "(as_n = :n) AND (as_s = :s)",
                "NOT (as_n = :n)",
                "NOT ((as_n = :n))",
                "NOT NOT as_n = :n",
                "NOT NOT NOT as_n = :n",
                "NOT as_n = :n5 AND as_n = :n",
                "not(as_n=:n)",
                "NOTas_n=:n",
                "NOT gone < :n",
                "as_n=:nANDas_s=:s",
                "as_n=:n AND as_s=:s",
                "as_n=:n and(as_s=:s)",
                "as_n = as_n",
                "as_n = #as_n",
                "as_n < as_n",
                "as_n = gone",
                ":n = as_n",
                ":n = :n",
                ":n = :n5",
                "as_n = :undefined",
                "#undefined = :n",
                "as_n5 = :n5",
                "as_s = :n",
                "as_l = :l",
                "as_l = :m",
                "as_bs = :bs",
                "as_m = :m",
                "as_flag = :flag",
                "as_flag = :no1",
                "as_emoji > :wide",
                "as_emoji < :wide",
                "as_n7 < :n",
                "as_n7 < :n0",
                "as_b > :bx",
                "as_l < :n",
                "as_n < :flag",
                "as_n <= :l",
                "as_n > :m",
                "as_n >= :bs",
                "gone < :flag",
                "size(as_s) = :n",
                "(size(as_s)) = :n",
                "size((as_s)) = :n",
                "size (as_s) = :n",
                "size(as_emoji) < :n",
                "size(as_n) = :n",
                "size(as_flag) = :n",
                "size(as_bs) < :n",
                "size(as_l) < :n",
                "size(as_m) < :n",
                "size(as_b) < :n",
                "size(as_s) < :s",
                "size(as_s) = size(as_s2)",
                "size(as_s) = size(as_s)",
                "size(:s) = :n",
                "size(:n) = :n",
                "size(:flag) = :n",
                "size(gone) < :n",
                "size(size(as_s)) < :n",
                "size(as_s)",
                "size(as_s, as_n) = :n",
                "size() = :n",
                "size(as_s) IN (:n, :n5)",
                "size(as_s) BETWEEN :n AND :n5",
                ":n IN (as_n)",
                "as_n IN (:n, :n5)",
                "as_n IN (:n5, :s)",
                "as_n IN(:n)",
                "as_n IN ()",
                "as_n IN (:n",
                "as_n IN :n",
                "as_n IN (as_n)",
                "as_n IN (:n, as_n)",
                "as_n IN (:bs, :m)",
                "as_n IN ((:n))",
                "gone IN (:n)",
                "begins_with(as_s, :sx)",
                "begins_with(as_s, :s)",
                "begins_with(as_s, :s2)",
                "begins_with(as_s, :n)",
                "begins_with(as_s, :flag)",
                "begins_with(as_b, :bx)",
                "begins_with(as_b, :s)",
                "begins_with(as_n, :s)",
                "begins_with(:s, :sx)",
                "begins_with(:n, as_s)",
                "begins_with(as_s, as_s)",
                "begins_with(as_s, as_sx)",
                "begins_with(as_s)",
                "begins_with(as_s, :s, :s)",
                "begins_with(as_s, size(as_s))",
                "begins_with(gone, :s)",
                "contains(as_s, :sx)",
                "contains(as_sx, :s)",
                "contains(as_bs, :b)",
                "contains(as_bs, :bx)",
                "contains(as_bs, :s)",
                "contains(as_l, :n)",
                "contains(as_l, :sx)",
                "contains(as_l, :flag)",
                "contains(as_s, :n)",
                "contains(as_s, :m)",
                "contains(as_s, :bs)",
                "contains(as_s, :l)",
                "contains(as_b, :bx)",
                "contains(as_n, :n)",
                "contains(as_m, :s)",
                "contains(as_s, as_s)",
                "contains(as_s, as_sx)",
                "contains(:s, :sx)",
                "contains(:n, as_n)",
                "contains(:l, as_n)",
                "contains(:m, as_n)",
                "contains(:flag, as_n)",
                "contains((as_s), :sx)",
                "contains(as_s, size(as_s))",
                "NOT contains(as_bs, :b)",
                "as_n BETWEEN :n AND :s",
                "as_n BETWEEN :n5 AND :n",
                "as_s BETWEEN :s2 AND :s",
                "as_b BETWEEN :b AND :bx",
                "as_b BETWEEN :b AND :s",
                "as_n BETWEEN :n AND :n5",
                "as_n BETWEEN :flag AND :flag",
                "as_n BETWEEN :n AND :flag",
                "as_n BETWEEN as_n7 AND as_n5",
                "as_n BETWEEN as_n AND :n5",
                "as_n BETWEEN :n AND as_n",
                "as_n between :n and :n5 or as_n = :n",
                "as_n BETWEEN :n AND :n5 AND as_s = :s",
                ":n BETWEEN as_n7 AND as_n5",
                "gone BETWEEN :n AND :n5",
                "attribute_exists(as_n)",
                "attribute_exists(gone)",
                "attribute_not_exists(gone)",
                "attribute_exists(:n)",
                "attribute_exists(size(as_n))",
                "attribute_exists(attribute_exists(as_n))",
                "attribute_exists((as_n))",
                "attribute_exists as_n",
                "attribute_exists(as_n, as_s)",
                "attribute_exists()",
                "ATTRIBUTE_EXISTS(as_n)",
                "attribute_foo(as_n)",
                "if_not_exists(as_n, :n)",
                "list_append(as_n, :n)",
                "attribute_exists(as_n) = :n",
                "contains(as_s, :s) = :n",
                ":n = attribute_exists(as_n)",
                "(as_n = :n) = :n",
                "as_n AND as_n = :n",
                "as_n",
                ":n",
                "(as_n)",
                "NOT as_n",
                "status = :n",
                "Status = :n",
                "attribute_exists(status)",
                "as_n = 5",
                "as_n = 'x'",
                "as_n ! :n",
                "as_n = :n + :n5",
                "as_n = :n AND AND as_s = :s",
                "# = :n",
                "as_n = :",
                "as_n = : n",
                "as_n = :n;",
                "AND",
                "or = :n",
                "as_n < = :n",
                "as_n = :n OR as_s = :n AND gone = :n",
                "(as_n = :n OR as_s = :n) AND gone = :n",
            })
    void condition_has_the_result_or_the_message_of_dynamodb_local(String text) {
        assertSameCondition(SampleValues.item(), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET as_n = :n5",
                "SET as_n = :n5, as_s = :s2",
                "SET as_n = as_s, as_s = as_n",
                "SET as_n = gone",
                "SET as_n = as_n",
                "SET gone = if_not_exists(gone, :n)",
                "SET as_n = if_not_exists(as_n, :n5)",
                "SET as_n = if_not_exists(gone, as_s)",
                "SET as_n = if_not_exists(gone, gone2)",
                "SET as_n = if_not_exists(gone, if_not_exists(gone2, :n5))",
                "SET as_n = if_not_exists(:n, :n5)",
                "SET as_n = if_not_exists(as_n)",
                "SET as_n = if_not_exists(as_n, :n, :n5)",
                "SET as_n = IF_NOT_EXISTS(as_n, :n5)",
                "SET as_n = :n5 SET as_s = :s2",
                "REMOVE as_n REMOVE as_s",
                "ADD as_n :n ADD as_n5 :n",
                "SET as_n = :n5, as_n = :n",
                "SET as_n = :n5 REMOVE #as_n",
                "SET as_n = :n5 ADD as_n :n",
                "REMOVE as_n, gone",
                "ADD as_n :n5",
                "ADD as_n7 :n7",
                "ADD as_n5 :n7",
                "ADD gone :n5",
                "ADD as_s :n",
                "ADD as_n :bs",
                "ADD as_bs :bs2",
                "ADD gone :bs2",
                "ADD as_bs :n",
                "ADD as_n :s",
                "ADD as_n :flag",
                "ADD as_n :l",
                "ADD as_n :m",
                "ADD as_n :b",
                "ADD as_n as_n5",
                "ADD as_n = :n",
                "set as_n = :n5 remove as_s add gone :n",
                "ADD as_n :n SET as_s = :s2",
                "SET as_n :n",
                "SET as_n = :n,",
                "SET as_n = ",
                "SET",
                "SET SET",
                "SET , as_n = :n",
                "as_n = :n",
                "FOO as_n = :n",
                "",
                "SET status = :n",
                "REMOVE status",
                "ADD status :n",
                "SET as_n = status",
                "SET #undefined = :n",
                "SET as_n = :undefined",
                "SET as_n = size(as_s)",
                "SET as_n = foo(as_s)",
                "SET as_n = :n5 as_s = :s2",
                "SET as_n = :n5)",
                "SET :n = :n5",
                "SET as_n5 = :n5",
            })
    void update_has_the_result_or_the_message_of_dynamodb_local(String text) {
        assertSameUpdate(SampleValues.item(), text);
    }

    @Property(tries = 300)
    void random_condition_has_the_result_of_dynamodb_local(@ForAll long seed) {
        RandomExpressions random = new RandomExpressions(new Random(seed));
        assertSameCondition(random.item(), random.condition(3));
    }

    @Property(tries = 200)
    void random_update_has_the_result_of_dynamodb_local(@ForAll long seed) {
        RandomExpressions random = new RandomExpressions(new Random(seed));
        assertSameUpdate(random.item(), random.update());
    }

    private static void assertSameCondition(Map<String, AttributeValue> attributes, String text) {
        Map<String, AttributeValue> item = withKey(attributes);
        String here = result(() -> {
            Arguments arguments = SampleValues.arguments(text);
            boolean holds = Expressions.condition(text, "ConditionExpression", arguments)
                    .holds(item);
            arguments.checkAllUsed();
            return String.valueOf(holds);
        });
        assertThat(here).as(text).isEqualTo(result(() -> conditionInDynamoDbLocal(item, text)));
    }

    private static void assertSameUpdate(Map<String, AttributeValue> attributes, String text) {
        Map<String, AttributeValue> item = withKey(attributes);
        String here = result(() -> {
            Arguments arguments = SampleValues.arguments(text);
            Map<String, AttributeValue> updated =
                    Expressions.update(text, arguments).applied(item);
            arguments.checkAllUsed();
            return describe(updated);
        });
        assertThat(here).as(text).isEqualTo(result(() -> updateInDynamoDbLocal(item, text)));
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
        return describe(Values.normalized(client.updateItem(r -> r.tableName(TABLE)
                        .key(KEY)
                        .updateExpression(text)
                        .expressionAttributeNames(orNull(SampleValues.names(text)))
                        .expressionAttributeValues(orNull(Values.normalized(SampleValues.values(text))))
                        .returnValues(ReturnValue.ALL_NEW))
                .attributes()));
    }

    /** With numbers in normal form, which DynamoDB Local does not always bring about. */
    private static Map<String, AttributeValue> withKey(Map<String, AttributeValue> attributes) {
        Map<String, AttributeValue> item = new HashMap<>(attributes);
        item.putAll(KEY);
        return Values.normalized(item);
    }

    private static <T> Map<String, T> orNull(Map<String, T> map) {
        return map.isEmpty() ? null : map;
    }

    /** With sets in one order. */
    private static String describe(Map<String, AttributeValue> item) {
        Map<String, String> described = new TreeMap<>();
        item.forEach((name, value) -> described.put(
                name,
                value.hasBs()
                        ? value.bs().stream()
                                .map(b -> b.asUtf8String())
                                .sorted()
                                .toList()
                                .toString()
                        : value.toString()));
        return described.toString();
    }

    private static String result(Supplier<String> evaluation) {
        try {
            return evaluation.get();
        } catch (DynamoDbException e) {
            // DynamoDB Local shows the buffers of binary values.
            return e.awsErrorDetails().errorMessage().replaceAll("\\{B:[^}]*}", "{B}");
        }
    }
}
