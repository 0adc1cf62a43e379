package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.item;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.s;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** What requests that are refused say. */
abstract class RefusalContract extends Contract {

    private static final Map<String, String> UNUSED_NAME = names("#unused", "v");
    private static final Map<String, AttributeValue> UNUSED_VALUE = item(":unused", n(1));

    RefusalContract(Backend backend) {
        super(backend);
    }

    private static void assertRefused(String message, ThrowingCallable request) {
        assertThatThrownBy(request).isInstanceOfSatisfying(DynamoDbException.class, e -> assertThat(
                        e.awsErrorDetails().errorMessage())
                .contains(message));
    }

    /** DynamoDB Local refuses the request in other words than DynamoDB. */
    private void assertRefusedInOtherWords(String message, ThrowingCallable request) {
        assertRefused(backend.name().equals(DynamoDbLocal.NAME) ? "" : message, request);
    }

    private void scan(Consumer<ScanRequest.Builder> request) {
        client.scan(r -> r.tableName(registry).applyMutation(request));
    }

    private void query(Consumer<QueryRequest.Builder> request) {
        client.query(r -> r.tableName(registry)
                .keyConditionExpression("pk = :p")
                .expressionAttributeValues(item(":p", s(pk)))
                .applyMutation(request));
    }

    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "0 | 0 | '0' at 'totalSegments' failed to satisfy constraint: Member must have value greater than or equal to 1",
                "0 | 1000001 | '1000001' at 'totalSegments' failed to satisfy constraint: Member must have value less than or equal to 1000000",
                "2 | 2 | The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 2 is not less than TotalSegments: 2",
                "0 | - | The TotalSegments parameter is required but was not present in the request when Segment parameter is present",
            })
    void segments_that_are_not_valid(Integer segment, Integer total, String message) {
        assertRefusedInOtherWords(message, () -> scan(r -> r.segment(segment).totalSegments(total)));
    }

    @Test
    void the_largest_number_of_segments_is_accepted() {
        scan(r -> r.segment(999_999).totalSegments(1_000_000));
    }

    @Test
    void a_limit_of_zero() {
        String message =
                "'0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1";
        assertRefusedInOtherWords(message, () -> scan(r -> r.limit(0)));
        assertRefusedInOtherWords(message, () -> query(r -> r.limit(0)));
    }

    @Test
    void an_unused_name() {
        String message = "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}";
        assertRefused(message, () -> scan(r -> r.projectionExpression("pk").expressionAttributeNames(UNUSED_NAME)));
        assertRefused(message, () -> query(r -> r.expressionAttributeNames(UNUSED_NAME)));
        assertRefused(
                message,
                () -> client.getItem(r -> r.tableName(registry)
                        .key(key())
                        .projectionExpression("pk")
                        .expressionAttributeNames(UNUSED_NAME)));
        assertRefused(
                message,
                () -> client.deleteItem(r -> r.tableName(registry)
                        .key(key())
                        .conditionExpression("attribute_exists(pk)")
                        .expressionAttributeNames(UNUSED_NAME)));
    }

    @Test
    void an_unused_name_of_a_batch() {
        assertRefused(
                "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}",
                () -> client.batchGetItem(r -> r.requestItems(Map.of(
                        registry,
                        KeysAndAttributes.builder()
                                .keys(List.of(key()))
                                .projectionExpression("pk")
                                .expressionAttributeNames(UNUSED_NAME)
                                .build()))));
    }

    @Test
    void an_unused_value() {
        String message = "Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}";
        assertRefused(
                message,
                () -> scan(r -> r.filterExpression("attribute_exists(v)").expressionAttributeValues(UNUSED_VALUE)));
        assertRefused(message, () -> query(r -> r.expressionAttributeValues(item(":p", s(pk), ":unused", n(1)))));
        assertRefused(
                message,
                () -> putWith(r ->
                        r.conditionExpression("attribute_not_exists(pk)").expressionAttributeValues(UNUSED_VALUE)));
        assertRefused(
                message, () -> update(r -> r.updateExpression("REMOVE v").expressionAttributeValues(UNUSED_VALUE)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"put", "update", "delete", "check"})
    void an_unused_value_in_a_transaction(String kind) {
        String condition = "attribute_not_exists(pk)";
        TransactWriteItem.Builder write = TransactWriteItem.builder();
        switch (kind) {
            case "put" ->
                write.put(w -> w.tableName(registry)
                        .item(key())
                        .conditionExpression(condition)
                        .expressionAttributeValues(UNUSED_VALUE));
            case "update" ->
                write.update(w -> w.tableName(registry)
                        .key(key())
                        .updateExpression("REMOVE v")
                        .expressionAttributeValues(UNUSED_VALUE));
            case "delete" ->
                write.delete(w -> w.tableName(registry)
                        .key(key())
                        .conditionExpression(condition)
                        .expressionAttributeValues(UNUSED_VALUE));
            default ->
                write.conditionCheck(w -> w.tableName(registry)
                        .key(key())
                        .conditionExpression(condition)
                        .expressionAttributeValues(UNUSED_VALUE));
        }

        assertRefused(
                "Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}",
                () -> client.transactWriteItems(r -> r.transactItems(write.build())));
    }

    @Test
    void a_scan_of_an_index_for_attributes_that_it_lacks() {
        String message = "One or more parameter values were invalid: Global secondary index due does not project [v]";
        assertRefused(message, () -> scan(r -> r.indexName("due").projectionExpression("v")));
        assertRefused(message, () -> scan(r -> r.indexName("due").filterExpression("attribute_exists(v)")));
        scan(r -> r.indexName("due").projectionExpression("pk, ds"));
        scan(r -> r.indexName("feed").projectionExpression("v"));
    }

    @Test
    void a_transaction_with_too_few_or_too_many_items() {
        String message = "at 'transactItems' failed to satisfy constraint: Member must have length ";
        assertRefusedInOtherWords(
                message + "greater than or equal to 1",
                () -> client.transactWriteItems(r -> r.transactItems(List.of())));
        List<TransactWriteItem> many =
                IntStream.range(0, 101).mapToObj(i -> putting(key("k" + i))).toList();
        assertRefusedInOtherWords(
                message + "less than or equal to 100", () -> client.transactWriteItems(r -> r.transactItems(many)));
    }

    @Test
    void a_batch_with_too_few_or_too_many_writes() {
        assertRefusedInOtherWords(
                "Value at 'requestItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
                () -> client.batchWriteItem(r -> r.requestItems(Map.of())));
        List<WriteRequest> many = IntStream.range(0, 26)
                .mapToObj(i -> WriteRequest.builder()
                        .putRequest(w -> w.item(key("k" + i)))
                        .build())
                .toList();
        assertRefused(
                "Too many items requested for the BatchWriteItem call",
                () -> client.batchWriteItem(r -> r.requestItems(Map.of(registry, many))));
    }

    @Test
    void return_values_that_a_request_has_not() {
        String message = "Return values set to invalid value";
        assertRefused(message, () -> putWith(r -> r.returnValues(ReturnValue.ALL_NEW)));
        assertRefused(
                message,
                () -> client.deleteItem(r -> r.tableName(registry).key(key()).returnValues(ReturnValue.ALL_NEW)));
    }

    @Test
    void time_to_live_that_is_already_so() {
        String table = ContractTables.createPulses(backend);
        assertRefused("TimeToLive is already disabled", () -> enable(table, false));
        enable(table, true);
        assertRefused("TimeToLive is already enabled", () -> enable(table, true));
    }

    private void enable(String table, boolean enabled) {
        client.updateTimeToLive(r -> r.tableName(table)
                .timeToLiveSpecification(t -> t.attributeName("ttl").enabled(enabled)));
    }

    @Test
    void a_key_condition_that_is_missing() {
        assertRefused(
                "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.",
                () -> client.query(r -> r.tableName(registry)));
    }

    @Test
    void a_filter_on_the_key() {
        assertRefused(
                "Filter Expression can only contain non-primary key attributes",
                () -> query(r -> r.filterExpression("attribute_exists(sk)")));
    }

    @Test
    void an_index_that_is_unknown() {
        assertRefused("The table does not have the specified index: unknown", () -> scan(r -> r.indexName("unknown")));
    }

    @Test
    void a_start_key_outside_of_the_condition() {
        assertRefusedInOtherWords(
                "The provided starting key is outside query boundaries based on provided conditions",
                () -> query(r -> r.exclusiveStartKey(Values.key("another", "a"))));
    }

    @Test
    void a_key_of_other_attributes() {
        String message = "The provided key element does not match the schema";
        for (Map<String, AttributeValue> key : List.of(
                item("pk", s(pk), "other", s("a")),
                item("pk", s(pk)),
                item("pk", s(pk), "sk", n(1)),
                item("pk", s(pk), "sk", s("a"), "v", s("1")))) {
            assertRefusedInOtherWords(
                    message, () -> client.getItem(r -> r.tableName(registry).key(key)));
            assertRefusedInOtherWords(
                    message, () -> client.deleteItem(r -> r.tableName(registry).key(key)));
        }
    }
}
