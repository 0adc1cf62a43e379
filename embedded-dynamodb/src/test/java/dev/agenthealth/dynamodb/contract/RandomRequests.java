package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.RandomExpressions.conditions;
import static dev.agenthealth.dynamodb.contract.RandomExpressions.optionalConditions;
import static dev.agenthealth.dynamodb.contract.RandomExpressions.updateExpressions;
import static dev.agenthealth.dynamodb.contract.RandomValues.PARTITIONS;
import static dev.agenthealth.dynamodb.contract.RandomValues.SORT_KEYS;
import static dev.agenthealth.dynamodb.contract.RandomValues.items;
import static dev.agenthealth.dynamodb.contract.RandomValues.keys;
import static dev.agenthealth.dynamodb.contract.Values.key;
import static dev.agenthealth.dynamodb.contract.Values.s;

import dev.agenthealth.dynamodb.contract.RandomExpressions.Expression;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Random requests to a table like RegistryTable: few keys and few values, so that they meet. */
final class RandomRequests {

    static final String TABLE = "registry";

    private RandomRequests() {}

    static Arbitrary<DynamoDbRequest> requests() {
        return Arbitraries.frequencyOf(
                Tuple.of(5, puts()),
                Tuple.of(6, updates()),
                Tuple.of(2, deletes()),
                Tuple.of(2, gets()),
                Tuple.of(3, transactions()),
                Tuple.of(3, queries()),
                Tuple.of(1, scans()));
    }

    private static ReturnValuesOnConditionCheckFailure failing() {
        return ReturnValuesOnConditionCheckFailure.ALL_OLD;
    }

    private static Arbitrary<PutItemRequest> puts() {
        return Combinators.combine(items(), optionalConditions()).as((item, condition) -> {
            PutItemRequest.Builder request = PutItemRequest.builder()
                    .tableName(TABLE)
                    .item(item)
                    .returnValues(ReturnValue.ALL_OLD)
                    .returnValuesOnConditionCheckFailure(failing());
            if (condition != null) {
                request.conditionExpression(condition.text())
                        .expressionAttributeNames(condition.namesOrNull())
                        .expressionAttributeValues(condition.valuesOrNull());
            }
            return request.build();
        });
    }

    private static Arbitrary<UpdateItemRequest> updates() {
        return Combinators.combine(
                        keys(),
                        updateExpressions(),
                        optionalConditions(),
                        Arbitraries.of(ReturnValue.ALL_NEW, ReturnValue.ALL_OLD))
                .as((key, update, condition, values) -> {
                    Expression both = condition == null ? update : update.and(" ", condition);
                    return UpdateItemRequest.builder()
                            .tableName(TABLE)
                            .key(key)
                            .updateExpression(update.text().isEmpty() ? null : update.text())
                            .conditionExpression(condition == null ? null : condition.text())
                            .expressionAttributeNames(both.namesOrNull())
                            .expressionAttributeValues(both.valuesOrNull())
                            .returnValues(values)
                            .returnValuesOnConditionCheckFailure(failing())
                            .build();
                });
    }

    private static Arbitrary<DeleteItemRequest> deletes() {
        return Combinators.combine(keys(), optionalConditions()).as((key, condition) -> {
            DeleteItemRequest.Builder request =
                    DeleteItemRequest.builder().tableName(TABLE).key(key).returnValues(ReturnValue.ALL_OLD);
            if (condition != null) {
                request.conditionExpression(condition.text())
                        .expressionAttributeNames(condition.namesOrNull())
                        .expressionAttributeValues(condition.valuesOrNull());
            }
            return request.build();
        });
    }

    private static Arbitrary<GetItemRequest> gets() {
        return Combinators.combine(keys(), Arbitraries.of("v, sk", "u").injectNull(0.7))
                .as((key, projection) -> GetItemRequest.builder()
                        .tableName(TABLE)
                        .key(key)
                        .projectionExpression(projection)
                        .consistentRead(true)
                        .build());
    }

    private static Arbitrary<TransactWriteItemsRequest> transactions() {
        Arbitrary<TransactWriteItem> writes = Arbitraries.oneOf(
                puts().map(put -> TransactWriteItem.builder()
                        .put(p -> p.tableName(TABLE)
                                .item(put.item())
                                .conditionExpression(put.conditionExpression())
                                .expressionAttributeNames(
                                        put.hasExpressionAttributeNames() ? put.expressionAttributeNames() : null)
                                .expressionAttributeValues(
                                        put.hasExpressionAttributeValues() ? put.expressionAttributeValues() : null)
                                .returnValuesOnConditionCheckFailure(failing()))
                        .build()),
                updates().filter(update -> update.updateExpression() != null).map(update -> TransactWriteItem.builder()
                        .update(u -> u.tableName(TABLE)
                                .key(update.key())
                                .updateExpression(update.updateExpression())
                                .conditionExpression(update.conditionExpression())
                                .expressionAttributeNames(
                                        update.hasExpressionAttributeNames() ? update.expressionAttributeNames() : null)
                                .expressionAttributeValues(
                                        update.hasExpressionAttributeValues()
                                                ? update.expressionAttributeValues()
                                                : null)
                                .returnValuesOnConditionCheckFailure(failing()))
                        .build()),
                keys().map(key -> TransactWriteItem.builder()
                        .delete(d -> d.tableName(TABLE).key(key))
                        .build()),
                Combinators.combine(keys(), conditions()).as((key, condition) -> TransactWriteItem.builder()
                        .conditionCheck(c -> c.tableName(TABLE)
                                .key(key)
                                .conditionExpression(condition.text())
                                .expressionAttributeNames(condition.namesOrNull())
                                .expressionAttributeValues(condition.valuesOrNull())
                                .returnValuesOnConditionCheckFailure(failing()))
                        .build()));
        // Of different items: DynamoDB Local checks conditions before it refuses the same item twice.
        return writes.list()
                .uniqueElements(RandomRequests::keyOf)
                .ofMinSize(1)
                .ofMaxSize(4)
                .map(some ->
                        TransactWriteItemsRequest.builder().transactItems(some).build());
    }

    private static Object keyOf(TransactWriteItem write) {
        Map<String, AttributeValue> all = write.put() != null
                ? write.put().item()
                : write.update() != null
                        ? write.update().key()
                        : write.delete() != null
                                ? write.delete().key()
                                : write.conditionCheck().key();
        return Values.only(all, "pk", "sk");
    }

    private static Arbitrary<QueryRequest> queries() {
        Arbitrary<String> sortKeys = Arbitraries.of(SORT_KEYS);
        Arbitrary<Expression> conditions = Arbitraries.oneOf(
                Arbitraries.just(Expression.of("")),
                Combinators.combine(Arbitraries.of("=", "<", "<=", ">", ">="), sortKeys)
                        .as((operator, sk) -> Expression.of(" AND SORT " + operator + " ?0", s(sk))),
                Arbitraries.of("E#", "a", "\uD83D\uDE00")
                        .map(prefix -> Expression.of(" AND begins_with(SORT, ?0)", s(prefix))),
                Combinators.combine(sortKeys, sortKeys)
                        .as((from, to) -> Expression.of(" AND SORT BETWEEN ?0 AND ?1", s(from), s(to))));
        return Combinators.combine(
                        Arbitraries.of(PARTITIONS),
                        conditions,
                        Arbitraries.of("feed", "due").injectNull(0.5),
                        Arbitraries.of(true, false),
                        Arbitraries.integers().between(1, 6).injectNull(0.4),
                        sortKeys.injectNull(0.7),
                        Arbitraries.of("attribute_exists(v)", "attribute_not_exists(v)")
                                .injectNull(0.7))
                .as((partition, condition, index, forward, limit, start, filter) -> {
                    String[] keys = index == null
                            ? new String[] {"pk", "sk"}
                            : index.equals("feed") ? new String[] {"fp", "fs"} : new String[] {"dp", "ds"};
                    Expression whole = Expression.of(keys[0] + " = ?0", s(partition))
                            .and("", condition.map(text -> text.replace("SORT", keys[1])));
                    return QueryRequest.builder()
                            .tableName(TABLE)
                            .indexName(index)
                            .keyConditionExpression(whole.text())
                            .expressionAttributeValues(whole.values())
                            .scanIndexForward(forward)
                            .limit(limit)
                            .filterExpression("due".equals(index) ? null : filter)
                            .exclusiveStartKey(
                                    start == null || index != null || includesItsBounds(whole.text())
                                            ? null
                                            : key(partition, start))
                            .build();
                });
    }

    /**
     * Returns true where a condition on the sort key of the table holds for its bound. DynamoDB returns no last key where a page ends there, and refuses it
     * as a start key. That is not documented, and the engine is less strict.
     */
    static boolean includesItsBounds(String keyCondition) {
        return keyCondition.matches(".* AND sk (=|<=|>=|BETWEEN) .*");
    }

    private static Arbitrary<ScanRequest> scans() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 4).injectNull(0.5),
                        conditions().injectNull(0.6))
                .as((limit, filter) -> ScanRequest.builder()
                        .tableName(TABLE)
                        .limit(limit)
                        .filterExpression(filter == null ? null : filter.text())
                        .expressionAttributeNames(filter == null ? null : filter.namesOrNull())
                        .expressionAttributeValues(filter == null ? null : filter.valuesOrNull())
                        .build());
    }

    /** The keys of all items that the requests can write. */
    static List<Map<String, AttributeValue>> allKeys() {
        return PARTITIONS.stream()
                .flatMap(pk -> SORT_KEYS.stream().map(sk -> key(pk, sk)))
                .collect(Collectors.toList());
    }
}
