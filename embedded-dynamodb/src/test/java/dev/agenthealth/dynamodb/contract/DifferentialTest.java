package dev.agenthealth.dynamodb.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The embedded engine and DynamoDB Local give the same results for random requests. */
@Tag("exhaustive")
@Tag("long")
class DifferentialTest {

    private static Backend engine;
    private static Backend local;
    private static StreamReader engineStream;
    private static StreamReader localStream;

    @BeforeContainer
    static void open() {
        engine = new EmbeddedEngine();
        local = new DynamoDbLocal();
        engineStream = createTable(engine);
        localStream = createTable(local);
    }

    private static StreamReader createTable(Backend backend) {
        return new StreamReader(
                backend.streams(),
                backend.client()
                        .createTable(
                                ContractTables.registry(RandomRequests.TABLE).build())
                        .tableDescription()
                        .latestStreamArn());
    }

    @AfterContainer
    static void close() {
        engine.close();
        local.close();
    }

    @Provide
    Arbitrary<List<DynamoDbRequest>> requests() {
        return RandomRequests.requests().list().ofMinSize(1).ofMaxSize(20);
    }

    @Property(tries = 1500)
    void random_requests_have_the_same_results(@ForAll("requests") List<DynamoDbRequest> requests) {
        clear(engine.client());
        clear(local.client());
        engineStream.next();
        localStream.next();
        for (DynamoDbRequest request : requests) {
            assertThat(send(engine.client(), request)).as("%s", request).isEqualTo(send(local.client(), request));
        }
        assertThat(records(engineStream)).isEqualTo(records(localStream));
    }

    private static void clear(DynamoDbClient client) {
        RandomRequests.allKeys()
                .forEach(key ->
                        client.deleteItem(r -> r.tableName(RandomRequests.TABLE).key(key)));
    }

    /** The records of each item, in their order. */
    private static Map<Object, List<Object>> records(StreamReader stream) {
        Map<Object, List<Object>> records = new HashMap<>();
        stream.next().forEach(record -> records.computeIfAbsent(
                        record.dynamodb().keys(), key -> new ArrayList<>())
                .add(List.of(record.eventName(), normalized(record.dynamodb().newImage()))));
        return records;
    }

    /** The result of a request, or the type and code of its exception, comparable. */
    private static Object send(DynamoDbClient client, DynamoDbRequest request) {
        try {
            return result(client, request);
        } catch (TransactionCanceledException e) {
            // See KnownDifference.LOCAL_REFUSES_WHOLE_TRANSACTIONS.
            if (e.cancellationReasons().stream().anyMatch(reason -> "ValidationError".equals(reason.code()))) {
                return "DynamoDbException ValidationException";
            }
            return e.cancellationReasons().stream()
                    .map(DifferentialTest::reason)
                    .toList();
        } catch (ConditionalCheckFailedException e) {
            return List.of(e.awsErrorDetails().errorCode(), normalized(e.item()));
        } catch (DynamoDbException e) {
            return e.getClass().getSimpleName() + " " + e.awsErrorDetails().errorCode();
        }
    }

    private static Object reason(CancellationReason reason) {
        return List.of(reason.code(), reason.hasItem(), normalized(reason.item()));
    }

    private static Object result(DynamoDbClient client, DynamoDbRequest request) {
        if (request instanceof PutItemRequest put) {
            return normalized(client.putItem(put).attributes());
        } else if (request instanceof UpdateItemRequest update) {
            return normalized(client.updateItem(update).attributes());
        } else if (request instanceof DeleteItemRequest delete) {
            return normalized(client.deleteItem(delete).attributes());
        } else if (request instanceof GetItemRequest get) {
            GetItemResponse response = client.getItem(get);
            return List.of(response.hasItem(), normalized(response.item()));
        } else if (request instanceof TransactWriteItemsRequest transaction) {
            client.transactWriteItems(transaction);
            return "written";
        } else if (request instanceof QueryRequest query) {
            return pages(client, query);
        } else if (request instanceof ScanRequest scan) {
            return items(client, scan);
        }
        throw new IllegalArgumentException(request.toString());
    }

    /** All pages of a query. Items with equal keys of an index have no order, so pages of an index are joined and sorted. */
    private static Object pages(DynamoDbClient client, QueryRequest query) {
        List<Object> pages = new ArrayList<>();
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        Map<String, AttributeValue> start = query.hasExclusiveStartKey() ? query.exclusiveStartKey() : null;
        do {
            Map<String, AttributeValue> from = start;
            QueryResponse page =
                    client.query(query.toBuilder().exclusiveStartKey(from).build());
            pages.add(List.of(
                    page.items().stream().map(DifferentialTest::normalized).toList(),
                    page.count(),
                    page.scannedCount(),
                    page.lastEvaluatedKey()));
            items.addAll(page.items());
            start = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : null;
        } while (start != null);
        if (query.indexName() != null) {
            return List.of(sorted(items), order(query, items));
        }
        return RandomRequests.includesItsBounds(query.keyConditionExpression())
                ? items.stream().map(DifferentialTest::normalized).toList()
                : pages;
    }

    /** The values of an index's sort key in the order of the items. */
    private static List<AttributeValue> order(QueryRequest query, List<Map<String, AttributeValue>> items) {
        String sortKey = query.indexName().equals("feed") ? "fs" : "ds";
        return items.stream().map(item -> item.get(sortKey)).toList();
    }

    /** All items of a scan, sorted. */
    private static Object items(DynamoDbClient client, ScanRequest scan) {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        int scanned = 0;
        Map<String, AttributeValue> start = null;
        do {
            Map<String, AttributeValue> from = start;
            ScanResponse page =
                    client.scan(scan.toBuilder().exclusiveStartKey(from).build());
            items.addAll(page.items());
            scanned += page.scannedCount();
            start = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : null;
        } while (start != null);
        return List.of(sorted(items), scanned);
    }

    private static List<Object> sorted(List<Map<String, AttributeValue>> items) {
        return items.stream()
                .sorted(Comparator.comparing(
                        item -> item.get("pk").s() + item.get("sk").s()))
                .map(DifferentialTest::normalized)
                .toList();
    }

    /** Numbers by value: DynamoDB Local returns what it was sent, see {@link KnownDifference#LOCAL_KEEPS_ZEROES}. */
    private static Object normalized(Map<String, AttributeValue> item) {
        Map<String, Object> result = Values.normalized(item);
        result.replaceAll((name, value) -> value instanceof AttributeValue scalar && scalar.n() != null
                ? new BigDecimal(scalar.n()).stripTrailingZeros()
                : value);
        return result;
    }
}
