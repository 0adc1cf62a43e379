package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.b;
import static dev.agenthealth.dynamodb.contract.Values.bs;
import static dev.agenthealth.dynamodb.contract.Values.flag;
import static dev.agenthealth.dynamodb.contract.Values.key;
import static dev.agenthealth.dynamodb.contract.Values.l;
import static dev.agenthealth.dynamodb.contract.Values.m;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.s;
import static dev.agenthealth.dynamodb.contract.Values.with;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
    static final List<String> PARTITIONS = List.of("p", "q");
    static final List<String> SORT_KEYS = List.of("E#1", "E#2", "a", "\uffee", "\uD83D\uDE00");

    private static final List<String> ATTRIBUTES = List.of("v", "w", "count", "u");
    private static final List<String> INDEX_KEYS = List.of("fp", "fs", "dp", "ds");

    private RandomRequests() {}

    /** An expression, and the values of its placeholders. */
    private record Expression(String text, Map<String, AttributeValue> values) {

        static Expression of(String text, AttributeValue... values) {
            Map<String, AttributeValue> named = new HashMap<>();
            String renamed = text;
            for (int i = 0; i < values.length; i++) {
                String name = ":h" + Integer.toHexString(values[i].hashCode());
                renamed = renamed.replace("?" + i, name);
                named.put(name, values[i]);
            }
            return new Expression(renamed, named);
        }

        Expression and(String separator, Expression other) {
            Map<String, AttributeValue> all = new HashMap<>(values);
            all.putAll(other.values);
            return new Expression(text + separator + other.text, all);
        }

        Expression map(Function<String, String> change) {
            return new Expression(change.apply(text), values);
        }

        Map<String, AttributeValue> valuesOrNull() {
            return values.isEmpty() ? null : values;
        }

        Map<String, String> namesOrNull() {
            return text.contains("#c") ? Map.of("#c", "count") : null;
        }
    }

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

    private static Arbitrary<Map<String, AttributeValue>> keys() {
        return Combinators.combine(Arbitraries.of(PARTITIONS), Arbitraries.of(SORT_KEYS))
                .as(Values::key);
    }

    private static Arbitrary<String> numbers() {
        return Arbitraries.oneOf(
                Arbitraries.integers().between(-2, 12).map(String::valueOf),
                Arbitraries.of(
                        "1.50",
                        "1e1",
                        "-0.0",
                        "0.1",
                        "99999999999999999999999999999999999999",
                        "1E-130",
                        "x",
                        "1E126"));
    }

    private static Arbitrary<String> texts() {
        return Arbitraries.of("", "a", "ab", "b", "\u00e9", "\uffee", "\uD83D\uDE00");
    }

    private static Arbitrary<AttributeValue> scalars() {
        return Arbitraries.oneOf(
                numbers().map(Values::n),
                texts().map(Values::s),
                Arbitraries.of(b("a"), b("ab"), b(0x80), flag(true), flag(false)));
    }

    /** Without empty lists and maps: DynamoDB Local omits their values from its streams. */
    private static Arbitrary<AttributeValue> values() {
        return Arbitraries.frequencyOf(
                Tuple.of(6, scalars()),
                Tuple.of(1, Arbitraries.of(bs("a"), bs("a", "b"), bs("b", "c"), l(n(1), s("a")), m("k", n(2)))));
    }

    /** Values for the keys of indexes, seldom invalid ones. */
    private static Arbitrary<AttributeValue> indexKeys() {
        return Arbitraries.frequency(
                Tuple.of(8, s("p")),
                Tuple.of(8, s("q")),
                Tuple.of(8, s("\uffee")),
                Tuple.of(8, s("\uD83D\uDE00")),
                Tuple.of(1, s("")),
                Tuple.of(1, n(1)));
    }

    private static Arbitrary<String> names() {
        return Arbitraries.of(ATTRIBUTES);
    }

    /** As an expression names an attribute; {@code count} is a reserved word. */
    private static String named(String attribute) {
        return attribute.equals("count") ? "#c" : attribute;
    }

    private static Arbitrary<Map<String, AttributeValue>> attributes() {
        Arbitrary<Map<String, AttributeValue>> plain =
                Arbitraries.maps(names(), values()).ofMaxSize(3);
        Arbitrary<Map<String, AttributeValue>> indexed =
                Arbitraries.maps(Arbitraries.of(INDEX_KEYS), indexKeys()).ofMaxSize(4);
        return Combinators.combine(plain, indexed).as((some, more) -> {
            Map<String, AttributeValue> all = new HashMap<>(some);
            all.putAll(more);
            return all;
        });
    }

    private static Arbitrary<Map<String, AttributeValue>> items() {
        return Combinators.combine(keys(), attributes()).as((key, attributes) -> {
            Map<String, AttributeValue> item = with(key);
            item.putAll(attributes);
            return item;
        });
    }

    private static Arbitrary<Expression> comparisons() {
        Arbitrary<String> names = Arbitraries.of("v", "w", "count", "u", "sk").map(RandomRequests::named);
        return Arbitraries.oneOf(
                names.map(name -> Expression.of("attribute_exists(" + name + ")")),
                names.map(name -> Expression.of("attribute_not_exists(" + name + ")")),
                Combinators.combine(names, Arbitraries.of("=", "<", "<=", ">", ">="), values())
                        .as((name, operator, value) -> Expression.of(name + " " + operator + " ?0", value)),
                Combinators.combine(names, scalars(), scalars())
                        .as((name, first, second) -> Expression.of(name + " IN (?0, ?1)", first, second)),
                Combinators.combine(names, scalars())
                        .as((name, value) -> Expression.of("contains(" + name + ", ?0)", value)),
                Combinators.combine(
                                names,
                                Arbitraries.of("=", "<"),
                                Arbitraries.integers().between(0, 3))
                        .as((name, operator, size) ->
                                Expression.of("size(" + name + ") " + operator + " ?0", n(size))));
    }

    private static Arbitrary<Expression> conditions() {
        Arbitrary<Expression> atoms = comparisons();
        Arbitrary<Expression> nots = atoms.map(atom -> atom.map(text -> "NOT " + text));
        Arbitrary<Expression> simple = Arbitraries.oneOf(atoms, atoms, nots);
        Arbitrary<Expression> pairs = Combinators.combine(simple, Arbitraries.of(" AND ", " OR "), simple)
                .as((left, operator, right) -> left.and(operator, right));
        Arbitrary<Expression> nested = Combinators.combine(
                        pairs.map(pair -> pair.map(text -> "(" + text + ")")), Arbitraries.of(" AND ", " OR "), simple)
                .as((left, operator, right) -> left.and(operator, right));
        return Arbitraries.oneOf(
                simple, simple, pairs, nested, pairs.map(pair -> pair.map(text -> "NOT (" + text + ")")));
    }

    /** A condition, or none: null. */
    private static Arbitrary<Expression> optionalConditions() {
        return conditions().injectNull(0.5);
    }

    private static Arbitrary<Expression> updateExpressions() {
        Arbitrary<Expression> sets = Arbitraries.oneOf(
                Combinators.combine(names(), values()).as((name, value) -> Expression.of(named(name) + " = ?0", value)),
                Combinators.combine(Arbitraries.of(INDEX_KEYS), indexKeys())
                        .as((name, value) -> Expression.of(name + " = ?0", value)),
                Combinators.combine(names(), names(), values())
                        .as((name, other, value) ->
                                Expression.of(named(name) + " = if_not_exists(" + named(other) + ", ?0)", value)));
        Arbitrary<Expression> removes =
                Arbitraries.of("v", "w", "count", "u", "fp", "fs", "dp", "ds").map(name -> Expression.of(named(name)));
        Arbitrary<Expression> adds = Combinators.combine(
                        names(),
                        Arbitraries.oneOf(numbers().map(Values::n), Arbitraries.of(bs("a"), bs("b", "d"), s("a"))))
                .as((name, value) -> Expression.of(named(name) + " ?0", value));
        return Combinators.combine(
                        sets.list().ofMaxSize(2),
                        removes.list().ofMaxSize(2),
                        adds.list().ofMaxSize(1))
                .as((set, remove, add) -> {
                    List<Expression> clauses = new ArrayList<>();
                    clause("SET ", set, clauses);
                    clause("REMOVE ", remove, clauses);
                    clause("ADD ", add, clauses);
                    return clauses.stream()
                            .reduce((left, right) -> left.and(" ", right))
                            .orElse(Expression.of(""));
                });
    }

    private static void clause(String word, List<Expression> parts, List<Expression> clauses) {
        parts.stream()
                .reduce((left, right) -> left.and(", ", right))
                .ifPresent(all -> clauses.add(all.map(text -> word + text)));
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
                request.conditionExpression(condition.text)
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
                            .updateExpression(update.text.isEmpty() ? null : update.text)
                            .conditionExpression(condition == null ? null : condition.text)
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
                request.conditionExpression(condition.text)
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
                                .conditionExpression(condition.text)
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
                            .keyConditionExpression(whole.text)
                            .expressionAttributeValues(whole.values)
                            .scanIndexForward(forward)
                            .limit(limit)
                            .filterExpression("due".equals(index) ? null : filter)
                            .exclusiveStartKey(
                                    start == null || index != null || includesItsBounds(whole.text)
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
                        .filterExpression(filter == null ? null : filter.text)
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
