package dev.agenthealth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

class RandomTroublesTest {

    private static final int MANY = 50;

    @AutoClose
    private final TestTables tables = TestTables.create();

    private final MutableClock clock = MutableClock.atExampleTime();

    private final TestDynamoDb dynamoDb = new TestDynamoDb(tables.dynamoDb());

    @AutoClose
    private final RandomTroubles troubles = dynamoDb.troubles(clock);

    @Test
    void it_causes_no_trouble_before_it_is_started_and_after_it_is_stopped() {
        put(1);
        troubles.start(1, Trouble.all(1));
        troubles.stop();
        put(2);
        assertThat(read(false)).isEqualTo(2);
    }

    @Test
    void a_conflict_refuses_writes_and_not_reads() {
        put(1);
        troubles.start(1, Map.of(Trouble.CONFLICT, 1.0));
        assertThatThrownBy(() -> put(2)).isInstanceOf(TransactionConflictException.class);
        assertThatThrownBy(() -> transact(2))
                .isInstanceOfSatisfying(TransactionCanceledException.class, e -> assertThat(e.cancellationReasons())
                        .extracting(reason -> reason.code())
                        .containsExactly("TransactionConflict"));
        assertThat(read(true)).isEqualTo(1);
    }

    @Test
    void throttling_refuses_every_request() {
        troubles.start(1, Map.of(Trouble.THROTTLING, 1.0));
        Set<Class<?>> thrown = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            thrown.add(failure(() -> put(1)).getClass());
            thrown.add(failure(() -> read(true)).getClass());
        }
        assertThat(thrown)
                .containsExactlyInAnyOrder(ProvisionedThroughputExceededException.class, ThrottlingException.class);
        assertThatThrownBy(() -> transact(1)).isInstanceOf(TransactionCanceledException.class);
        troubles.stop();
        assertThat(read(true)).as("nothing was written").isZero();
    }

    @Test
    void an_outage_refuses_more_requests_than_are_retried_and_ends() {
        troubles.start(1, Map.of(Trouble.OUTAGE, 0.1));
        List<Integer> refused = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            try {
                put(i);
                refused.add(0);
            } catch (ProvisionedThroughputExceededException | ThrottlingException e) {
                refused.add(1);
            }
        }
        assertThat(refused).contains(0);
        assertThat(IntStream.range(0, 900)
                        .filter(i -> refused.get(i) == 0 && refused.get(i + 1) == 1)
                        .allMatch(i -> refused.subList(i + 1, i + 41).stream().allMatch(r -> r == 1)))
                .isTrue();
    }

    @Test
    void a_lost_response_is_one_of_a_write_that_was_applied() {
        troubles.start(1, Map.of(Trouble.LOST_RESPONSE, 1.0));
        Set<Class<?>> thrown = new HashSet<>();
        for (int i = 1; i <= MANY; i++) {
            int value = i;
            thrown.add(failure(() -> put(value)).getClass());
        }
        assertThat(thrown).containsExactlyInAnyOrder(ApiCallTimeoutException.class, InternalServerErrorException.class);
        troubles.stop();
        assertThat(read(true)).isEqualTo(MANY);
    }

    @Test
    void a_stale_read_returns_an_earlier_version_for_a_second_at_most() {
        put(1);
        troubles.start(1, Map.of(Trouble.STALE_READ, 1.0));
        put(2);
        transact(3);
        Set<Integer> read = new TreeSet<>();
        int latest = 0;
        for (int i = 0; i < MANY; i++) {
            int version = read(false);
            assertThat(version).as("versions arrive in their order").isGreaterThanOrEqualTo(latest);
            latest = version;
            assertThat(read(true)).isEqualTo(3);
        }
        for (int i = 4; i < MANY; i++) {
            put(i);
            read.add(i - read(false));
        }
        assertThat(read).contains(0, 1, 2);
        put(MANY);
        clock.advanceSeconds(2);
        assertThat(read(false)).isEqualTo(MANY);
    }

    @Test
    void queries_of_an_index_and_batches_are_stale_too_and_deletions_arrive_late() {
        troubles.start(1, Map.of(Trouble.STALE_READ, 1.0));
        Set<Integer> sizes = new TreeSet<>();
        for (int i = 0; i < MANY; i++) {
            put(i);
            sizes.add(dynamoDb.query(r -> r.tableName(TestTables.REGISTRY)
                            .indexName("feed")
                            .keyConditionExpression("fp = :p")
                            .expressionAttributeValues(Map.of(":p", s("feed"))))
                    .count());
            sizes.add(10 + batch().responses().get(TestTables.REGISTRY).size());
            dynamoDb.deleteItem(r -> r.tableName(TestTables.REGISTRY).key(key(0)));
            sizes.add(20 + dynamoDb.scan(r -> r.tableName(TestTables.REGISTRY)).count());
        }
        assertThat(sizes).containsExactly(0, 1, 10, 11, 20, 21);
    }

    @Test
    void short_pages_hold_everything_once_and_some_are_empty() {
        fill();
        troubles.start(1, Map.of(Trouble.SHORT_PAGE, 0.8));
        List<Integer> sizes = new ArrayList<>();
        List<String> found = new ArrayList<>();
        Map<String, AttributeValue> start = null;
        do {
            Map<String, AttributeValue> from = start;
            QueryResponse page = dynamoDb.query(r -> r.tableName(TestTables.REGISTRY)
                    .keyConditionExpression("pk = :p")
                    .expressionAttributeValues(Map.of(":p", s("p")))
                    .limit(5)
                    .exclusiveStartKey(from));
            page.items().forEach(item -> found.add(item.get("sk").s()));
            sizes.add(page.count());
            start = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : null;
        } while (start != null);
        assertThat(found).hasSize(MANY).doesNotHaveDuplicates();
        assertThat(sizes).contains(0, 1, 5);
        List<String> scanned = dynamoDb.scanPaginator(r -> r.tableName(TestTables.REGISTRY)).items().stream()
                .map(item -> item.get("sk").s())
                .toList();
        assertThat(scanned).containsExactlyInAnyOrderElementsOf(found);
    }

    @Test
    void a_batch_leaves_keys_and_writes_unprocessed() {
        fill();
        troubles.start(1, Map.of(Trouble.UNPROCESSED, 1.0));
        BatchGetItemResponse read = batch();
        int found = read.responses().get(TestTables.REGISTRY).size();
        assertThat(found).isBetween(1, 3);
        assertThat(read.unprocessedKeys().get(TestTables.REGISTRY).keys()).hasSize(10 - found);
        List<WriteRequest> deletions = IntStream.range(0, 10)
                .mapToObj(i ->
                        WriteRequest.builder().deleteRequest(d -> d.key(key(i))).build())
                .toList();
        BatchWriteItemResponse written =
                dynamoDb.batchWriteItem(r -> r.requestItems(Map.of(TestTables.REGISTRY, deletions)));
        int left = written.unprocessedItems().get(TestTables.REGISTRY).size();
        assertThat(left).isBetween(7, 9);
        troubles.stop();
        assertThat(dynamoDb.scan(r -> r.tableName(TestTables.REGISTRY)).count()).isEqualTo(MANY - 10 + left);
    }

    private static Throwable failure(Runnable request) {
        try {
            request.run();
            throw new AssertionError("the request succeeded");
        } catch (RuntimeException e) {
            return e;
        }
    }

    private void fill() {
        for (int i = 0; i < MANY; i++) {
            int number = i;
            dynamoDb.putItem(r -> r.tableName(TestTables.REGISTRY).item(key(number)));
        }
    }

    private BatchGetItemResponse batch() {
        List<Map<String, AttributeValue>> keys =
                IntStream.range(0, 10).mapToObj(RandomTroublesTest::key).toList();
        return dynamoDb.batchGetItem(r -> r.requestItems(Map.of(
                TestTables.REGISTRY, KeysAndAttributes.builder().keys(keys).build())));
    }

    private void put(int value) {
        dynamoDb.putItem(r -> r.tableName(TestTables.REGISTRY).item(item(value)));
    }

    private void transact(int value) {
        TransactWriteItem write = TransactWriteItem.builder()
                .put(put -> put.tableName(TestTables.REGISTRY).item(item(value)))
                .build();
        dynamoDb.transactWriteItems(r -> r.transactItems(List.of(write)));
    }

    private int read(boolean consistent) {
        AttributeValue value = dynamoDb.getItem(
                        r -> r.tableName(TestTables.REGISTRY).key(key(0)).consistentRead(consistent))
                .item()
                .get("v");
        return value == null ? 0 : Integer.parseInt(value.n());
    }

    private static Map<String, AttributeValue> item(int value) {
        return Map.of(
                "pk", s("p"),
                "sk", s("s-0"),
                "v", AttributeValue.fromN(Integer.toString(value)),
                "fp", s("feed"),
                "fs", s("place"));
    }

    private static Map<String, AttributeValue> key(int number) {
        return Map.of("pk", s("p"), "sk", s("s-" + number));
    }

    private static AttributeValue s(String text) {
        return AttributeValue.fromS(text);
    }
}
