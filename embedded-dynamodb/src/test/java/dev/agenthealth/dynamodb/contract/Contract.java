package dev.agenthealth.dynamodb.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** A topic of the contract. Its cases share two tables, and each has a partition of its own, {@link #pk}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(KnownDifferenceCheck.class)
abstract class Contract {

    private static final AtomicInteger PARTITIONS = new AtomicInteger();

    final Backend backend;
    final DynamoDbClient client;

    /** A table with a partition key {@code id} and the index {@code by-status}. */
    String pulses;

    /** A table with the keys {@code pk} and {@code sk}, the indexes {@code feed} and {@code due}, and a stream. */
    String registry;

    /** A partition of {@link #registry} that is empty. */
    String pk;

    Contract(Backend backend) {
        this.backend = backend;
        this.client = backend.client();
    }

    @BeforeAll
    final void createTables() {
        pulses = ContractTables.createPulses(backend);
        registry = ContractTables.createRegistry(backend);
    }

    @BeforeEach
    final void choosePartition() {
        pk = "p" + PARTITIONS.incrementAndGet();
    }

    /** The key of an item of this case's partition. */
    final Map<String, AttributeValue> key(String sk) {
        return Values.key(pk, sk);
    }

    /** The key of the item {@code a} of this case's partition. */
    final Map<String, AttributeValue> key() {
        return key("a");
    }

    /** Puts an item with the key {@link #key()} and these attributes, and returns it. */
    final Map<String, AttributeValue> put(Object... namesAndValues) {
        return putAt("a", namesAndValues);
    }

    final Map<String, AttributeValue> putAt(String sk, Object... namesAndValues) {
        Map<String, AttributeValue> item = Values.with(key(sk), namesAndValues);
        client.putItem(r -> r.tableName(registry).item(item));
        return item;
    }

    final void putAll(String... sks) {
        for (String sk : sks) {
            putAt(sk);
        }
    }

    /** The item with the key {@link #key()}; empty where there is none. */
    final Map<String, AttributeValue> get() {
        return get(key());
    }

    final Map<String, AttributeValue> get(Map<String, AttributeValue> key) {
        return client.getItem(r -> r.tableName(registry).key(key).consistentRead(true))
                .item();
    }

    final Map<String, AttributeValue> pulse(String id) {
        return client.getItem(r -> r.tableName(pulses).key(Values.id(id)).consistentRead(true))
                .item();
    }

    final void putPulse(String id, Object... namesAndValues) {
        client.putItem(r -> r.tableName(pulses).item(Values.with(Values.id(id), namesAndValues)));
    }

    /** Updates the item with the key {@link #key()}. */
    final Map<String, AttributeValue> update(Consumer<UpdateItemRequest.Builder> request) {
        return client.updateItem(r -> r.tableName(registry).key(key()).applyMutation(request))
                .attributes();
    }

    final Map<String, AttributeValue> update(String expression, Object... placeholdersAndValues) {
        Map<String, AttributeValue> values = Values.item(placeholdersAndValues);
        return update(r -> r.updateExpression(expression).expressionAttributeValues(values.isEmpty() ? null : values));
    }

    /** Returns true where a condition holds for an item with the key {@link #key()}, which is left as it is. */
    final boolean holds(String condition, Object... placeholdersAndValues) {
        Map<String, AttributeValue> values = Values.item(placeholdersAndValues);
        try {
            client.transactWriteItems(r -> r.transactItems(TransactWriteItem.builder()
                    .conditionCheck(c -> c.tableName(registry)
                            .key(key())
                            .conditionExpression(condition)
                            .expressionAttributeValues(values.isEmpty() ? null : values))
                    .build()));
            return true;
        } catch (TransactionCanceledException e) {
            assertThat(codes(e)).containsExactly("ConditionalCheckFailed");
            return false;
        }
    }

    final void putWhere(String condition, Object... placeholdersAndValues) {
        Map<String, AttributeValue> values = Values.item(placeholdersAndValues);
        putWith(r -> r.conditionExpression(condition).expressionAttributeValues(values.isEmpty() ? null : values));
    }

    final void putWith(Consumer<PutItemRequest.Builder> request) {
        client.putItem(r -> r.tableName(registry).item(key()).applyMutation(request));
    }

    final List<String> codes(TransactionCanceledException e) {
        return e.cancellationReasons().stream().map(CancellationReason::code).toList();
    }

    final TransactWriteItem putting(Map<String, AttributeValue> item) {
        return TransactWriteItem.builder()
                .put(p -> p.tableName(registry).item(item))
                .build();
    }

    /** Requires that the request is refused as invalid. */
    static void assertInvalid(ThrowingCallable request) {
        assertCode("ValidationException", request);
    }

    static void assertCode(String code, ThrowingCallable request) {
        assertThatThrownBy(request).isInstanceOfSatisfying(DynamoDbException.class, e -> assertThat(
                        e.awsErrorDetails().errorCode())
                .isEqualTo(code));
    }

    static void assertConditionFails(ThrowingCallable request) {
        assertThatThrownBy(request).isInstanceOfSatisfying(ConditionalCheckFailedException.class, e -> assertThat(
                        e.awsErrorDetails().errorCode())
                .isEqualTo("ConditionalCheckFailedException"));
    }

    static TransactionCanceledException assertCancelled(ThrowingCallable request) {
        List<TransactionCanceledException> caught = new ArrayList<>();
        assertThatThrownBy(request).isInstanceOfSatisfying(TransactionCanceledException.class, caught::add);
        return caught.get(0);
    }

    static void assertSame(Map<String, AttributeValue> actual, Map<String, AttributeValue> expected) {
        assertThat(Values.normalized(actual)).isEqualTo(Values.normalized(expected));
    }

    /** The sort keys of items, in their order. */
    static List<String> sortKeys(List<Map<String, AttributeValue>> items) {
        return items.stream().map(item -> item.get("sk").s()).toList();
    }

    static Map<String, String> names(String... placeholdersAndNames) {
        Map<String, String> names = new HashMap<>();
        for (int i = 0; i < placeholdersAndNames.length; i += 2) {
            names.put(placeholdersAndNames[i], placeholdersAndNames[i + 1]);
        }
        return names;
    }

    final void assumeExpires() {
        assumeThat(backend.expire())
                .as("%s removes expired items in its own time", backend.name())
                .isTrue();
    }
}
