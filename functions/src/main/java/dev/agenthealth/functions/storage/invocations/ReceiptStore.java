package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.functions.storage.trust.InvocationWrites;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import dev.agenthealth.model.trust.Invocation;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Receipts of invocations (ServiceNet, {@code /invoke} and {@code /invoke-async}), and what invocations that nobody waits for send and
 * get. Every step of a receipt is conditional on the one before, so that of several workers with the same message one calls the agent,
 * and of several endings one holds. A receipt that is not at its end, or whose outcome is not counted, is found by its deadline.
 * Thread-safe.
 */
public final class ReceiptStore {

    /** The deadlines are spread over so many partitions of the index. */
    public static final int SHARDS = ReceiptItem.shards();

    private static final String TEXT = "json";
    private static final String AS_SEEN = "#st = :seenSt AND #n = :seenN";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final Transactions transactions;
    private final Clock clock;

    public ReceiptStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.transactions = new Transactions(dynamoDb, retries);
        this.clock = clock;
    }

    /** Writes a new receipt. */
    public void create(Receipt receipt) {
        PutItemRequest request = PutItemRequest.builder()
                .tableName(tables.registry())
                .item(ReceiptItem.of(receipt))
                .conditionExpression("attribute_not_exists(#pk)")
                .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK))
                .build();
        try {
            retries.call("receipt", () -> dynamoDb.putItem(request));
        } catch (ConditionalCheckFailedException e) {
            // Written by a try whose answer was lost. Without the condition, one that is late could undo what came
            // after.
        }
    }

    /** The receipt as of now; empty where there is none, or none any more. */
    public Optional<Receipt> find(String receiptId) {
        Map<String, AttributeValue> item = item(RegistryKeys.receipt(receiptId));
        return item.isEmpty() ? Optional.empty() : Optional.of(ReceiptItem.read(receiptId, item));
    }

    /** Keeps what is to be sent to the agent. */
    public void putMessage(String receiptId, String json, Instant expiry) {
        putText(RegistryKeys.message(receiptId), json, expiry);
    }

    /** What is to be sent to the agent; empty where it is not kept any more. */
    public Optional<String> message(String receiptId) {
        return Optional.of(text(item(RegistryKeys.message(receiptId)), TEXT)).filter(json -> !json.isEmpty());
    }

    /** Keeps what the agent answered. It counts for nothing until the receipt says that the invocation succeeded. */
    public void putOutput(Receipt receipt, String json) {
        putText(RegistryKeys.output(receipt.id()), json, receipt.expiresAt());
    }

    /** What the agent answered; empty where nobody kept it. */
    public Optional<String> output(String receiptId) {
        return Optional.of(text(item(RegistryKeys.output(receiptId)), TEXT)).filter(json -> !json.isEmpty());
    }

    /**
     * Takes up an invocation that is waiting.
     *
     * @return the receipt as it is now; empty where somebody else was faster, or it is over
     */
    public Optional<Receipt> start(Receipt accepted, Duration longestRun) {
        Receipt running = accepted.started(clock.instant(), longestRun);
        String claim = UUID.randomUUID().toString();
        boolean mine =
                step(accepted, running, Map.of(ReceiptItem.CLAIM, s(claim)), found -> text(found, ReceiptItem.CLAIM)
                        .equals(claim));
        return mine ? Optional.of(running) : Optional.empty();
    }

    /**
     * Gives back an invocation of which the agent got nothing.
     *
     * @return whether it waits for another try; {@code false} where it is not running any more
     */
    public boolean postpone(Receipt running) {
        Receipt waiting = running.postponed(clock.instant());
        return step(running, waiting, Map.of(), found -> number(found, ReceiptItem.ATTEMPT, 0) == waiting.attempt());
    }

    /**
     * Ends an invocation that was the agent's doing, and records it in the figures, in one transaction. Its outcome is then to be counted,
     * and {@link #settle} called.
     *
     * @return {@code false} where it was over already
     */
    public boolean finish(Receipt seen, ReceiptState.Finished end, Invocation invocation) {
        Transactions.Items items = new Transactions.Items();
        items.update(ending(seen, end, ""));
        InvocationWrites.add(items, tables, invocation);
        return transactions.write("end of an invocation", items.list());
    }

    /**
     * Ends an invocation that was not the agent's doing; nothing is to be counted.
     *
     * @return {@code false} where it was over already, or went on
     */
    public boolean abandon(Receipt seen, ReceiptState.Finished end) {
        Transactions.Items items = new Transactions.Items();
        items.update(ending(seen, end, " REMOVE #dp, #ds"));
        return transactions.write("abandoned invocation", items.list());
    }

    /** Notes that the outcome of an invocation that is over is counted. */
    public void settle(String receiptId) {
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.receipt(receiptId))
                .updateExpression("REMOVE #dp, #ds")
                .conditionExpression("attribute_exists(#end)")
                .expressionAttributeNames(
                        Map.of("#dp", RegistryKeys.DUE_PK, "#ds", RegistryKeys.DUE_SK, "#end", ReceiptItem.FINISHED_AT))
                .build();
        try {
            retries.call("settled receipt", () -> dynamoDb.updateItem(request));
        } catch (ConditionalCheckFailedException e) {
            // Its time had come.
        }
    }

    /**
     * The receipts of a shard whose deadline has passed, the oldest first.
     *
     * @param shard from 0 to {@link #SHARDS} - 1
     */
    public List<String> due(int shard, Instant now, int limit) {
        List<String> receipts = new ArrayList<>();
        Map<String, AttributeValue> start = Map.of();
        do {
            QueryRequest request = QueryRequest.builder()
                    .tableName(tables.registry())
                    .indexName("due")
                    .keyConditionExpression("#dp = :dp AND #ds < :now")
                    .expressionAttributeNames(Map.of("#dp", RegistryKeys.DUE_PK, "#ds", RegistryKeys.DUE_SK))
                    .expressionAttributeValues(
                            Map.of(":dp", s(ReceiptItem.partition(shard)), ":now", s(ReceiptItem.dueAt(now))))
                    .limit(limit - receipts.size())
                    .exclusiveStartKey(start.isEmpty() ? null : start)
                    .build();
            QueryResponse response = retries.call("due receipts", () -> dynamoDb.query(request));
            response.items().forEach(item -> receipts.add(ReceiptItem.receiptId(item)));
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty() && receipts.size() < limit);
        return receipts;
    }

    /**
     * Moves a receipt on that is not at its end.
     *
     * @param mine tells, of an item that is not as it was seen, whether it is what this very step made of it: its answer was lost
     */
    private boolean step(
            Receipt seen, Receipt next, Map<String, AttributeValue> more, Predicate<Map<String, AttributeValue>> mine) {
        Map<String, AttributeValue> values = seenValues(seen);
        Map<String, String> names = seenNames();
        values.put(":st", s(next.state().word()));
        values.put(":n", n(next.attempt()));
        values.put(":dl", n(next.deadline().toEpochMilli()));
        values.put(":ds", s(ReceiptItem.dueAt(next.deadline())));
        names.put("#dl", ReceiptItem.DEADLINE);
        names.put("#ds", RegistryKeys.DUE_SK);
        StringBuilder set = new StringBuilder("SET #st = :st, #n = :n, #dl = :dl, #ds = :ds");
        more.forEach((name, value) -> {
            names.put("#" + name, name);
            values.put(":" + name, value);
            set.append(", #").append(name).append(" = :").append(name);
        });
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.receipt(seen.id()))
                .updateExpression(set.toString())
                .conditionExpression(AS_SEEN)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
        try {
            retries.call("receipt", () -> dynamoDb.updateItem(request));
            return true;
        } catch (ConditionalCheckFailedException e) {
            return text(e.item(), ReceiptItem.STATE).equals(next.state().word()) && mine.test(e.item());
        }
    }

    private Update.Builder ending(Receipt seen, ReceiptState.Finished end, String more) {
        Map<String, AttributeValue> values = seenValues(seen);
        Map<String, String> names = seenNames();
        values.put(":st", s(end.word()));
        values.put(":end", n(end.at().toEpochMilli()));
        values.put(":ms", n(end.latencyMs()));
        names.put("#end", ReceiptItem.FINISHED_AT);
        names.put("#ms", ReceiptItem.LATENCY);
        String set = "SET #st = :st, #end = :end, #ms = :ms";
        if (end instanceof ReceiptState.Failed failed) {
            set += ", #why = :why";
            names.put("#why", ReceiptItem.FAILURE);
            values.put(":why", s(failed.failure().word()));
        }
        if (!more.isEmpty()) {
            names.put("#dp", RegistryKeys.DUE_PK);
            names.put("#ds", RegistryKeys.DUE_SK);
        }
        return Update.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.receipt(seen.id()))
                .updateExpression(set + more)
                .conditionExpression(AS_SEEN)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values);
    }

    private static Map<String, String> seenNames() {
        return new HashMap<>(Map.of("#st", ReceiptItem.STATE, "#n", ReceiptItem.ATTEMPT));
    }

    private static Map<String, AttributeValue> seenValues(Receipt seen) {
        return new HashMap<>(Map.of(":seenSt", s(seen.state().word()), ":seenN", n(seen.attempt())));
    }

    private void putText(Map<String, AttributeValue> key, String json, Instant expiry) {
        Map<String, AttributeValue> item = new HashMap<>(key);
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put(RegistryKeys.EXPIRES, n(expiry.getEpochSecond()));
        item.put(TEXT, s(json));
        retries.call(
                "text of an invocation",
                () -> dynamoDb.putItem(r -> r.tableName(tables.registry()).item(item)));
    }

    private Map<String, AttributeValue> item(Map<String, AttributeValue> key) {
        Map<String, AttributeValue> item = retries.call(
                        "read of a receipt",
                        () -> dynamoDb.getItem(
                                r -> r.tableName(tables.registry()).key(key).consistentRead(true)))
                .item();
        return RegistryKeys.isExpired(item, clock.instant()) ? Map.of() : item;
    }
}
