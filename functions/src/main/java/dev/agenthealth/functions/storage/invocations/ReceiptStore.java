package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.UpdateResult;
import dev.agenthealth.functions.storage.trust.InvocationWrites;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import dev.agenthealth.model.health.trust.Invocation;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores receipts of invocations (ServiceNet, {@code /invoke} and {@code /invoke-async}), with the messages and outputs of asynchronous
 * invocations. Every step of a receipt is conditional on the previous step. Of several workers with the same message, only one calls the
 * agent; of several results, only one is stored. A receipt without a counted outcome is found by its deadline. Thread-safe.
 */
public final class ReceiptStore {

    /** The number of shards of the index of deadlines. */
    public static final int SHARDS = ReceiptItem.SHARDS;

    private static final Attribute<String> JSON = new Attribute<>("json", TEXT);

    private final Database database;
    private final Table registry;

    public ReceiptStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** Writes a new receipt. Does nothing if the receipt exists: a late retry must not undo later steps. */
    public void create(Receipt receipt) {
        registry.put(ReceiptItem.of(receipt), Condition.absent(Attributes.PK));
    }

    /** Returns the receipt, strongly consistent; empty if there is none, or it has expired. */
    public Optional<Receipt> find(String receiptId) {
        return database.findUnexpired(ItemKind.RECEIPT.key(receiptId)).map(item -> ReceiptItem.read(receiptId, item));
    }

    /** Returns the receipts with these ids that exist and have not expired, strongly consistent. */
    public List<Receipt> findAll(Collection<String> receiptIds) {
        List<Map<String, AttributeValue>> keys =
                receiptIds.stream().distinct().map(ItemKind.RECEIPT::key).toList();
        return registry.getAll(keys, true).stream()
                .filter(item -> !Attributes.isExpired(item, database.now()))
                .map(item -> ReceiptItem.read(ReceiptItem.receiptId(item), item))
                .toList();
    }

    /** Stores the message to the agent. */
    public void putMessage(String receiptId, String json, Instant expiry) {
        putText(ItemKind.MESSAGE.key(receiptId), json, expiry);
    }

    /** Returns the message to the agent; empty if it has expired. */
    public Optional<String> message(String receiptId) {
        return readText(ItemKind.MESSAGE.key(receiptId));
    }

    /** Stores the output of the agent. It is valid only after the receipt has succeeded. */
    public void putOutput(Receipt receipt, String json) {
        putText(ItemKind.OUTPUT.key(receipt.id()), json, receipt.expiresAt());
    }

    /** Returns the output of the agent; empty if it was not stored. */
    public Optional<String> output(String receiptId) {
        return readText(ItemKind.OUTPUT.key(receiptId));
    }

    /**
     * Starts a waiting invocation.
     *
     * @return the running receipt; empty if a concurrent write started it, or it has ended
     */
    public Optional<Receipt> start(Receipt accepted, Duration longestRun) {
        Receipt running = accepted.started(database.now(), longestRun);
        String claim = UUID.randomUUID().toString();
        boolean started = step(
                step(accepted, running).set(ReceiptItem.CLAIM, claim),
                running,
                found -> claim.equals(ReceiptItem.CLAIM.of(found)));
        return started ? Optional.of(running) : Optional.empty();
    }

    /**
     * Makes an invocation wait again, because it did not reach the agent.
     *
     * @return {@code false} if the invocation is no longer running
     */
    public boolean postpone(Receipt running) {
        Receipt waiting = running.postponed(database.now());
        return step(step(running, waiting), waiting, found -> ReceiptItem.ATTEMPT.of(found) == waiting.attempt());
    }

    /**
     * Ends an invocation for which the agent was called, and adds it to the track records, in one transaction. If the invocation is
     * evidence, the caller then counts its outcome and calls {@link #settle}.
     *
     * @return {@code false} if the invocation had already ended
     */
    public boolean finish(Receipt seen, CallResult result, Invocation invocation) {
        Update ending = ending(seen, result);
        Transaction transaction =
                database.transaction().update(registry, invocation.evidence() ? ending : uncounted(ending));
        InvocationWrites.add(transaction, registry, invocation);
        return transaction.commit();
    }

    /**
     * Ends an invocation for which the agent was not called; nothing is counted.
     *
     * @return {@code false} if the invocation had already ended, or is no longer in the seen state
     */
    public boolean abandon(Receipt seen, CallResult result) {
        return database.transaction()
                .update(registry, uncounted(ending(seen, result)))
                .commit();
    }

    /** Records that the outcome of an ended invocation is counted; does nothing if the receipt has expired. */
    public void settle(String receiptId) {
        registry.update(Update.of(ItemKind.RECEIPT.key(receiptId))
                .removeDue()
                .when(Condition.exists(ReceiptItem.FINISHED_AT.name())));
    }

    /**
     * Returns the receipts of a shard whose deadline has passed, the oldest first.
     *
     * @param shard from 0 to {@link #SHARDS} - 1
     */
    public List<String> due(int shard, Instant now, int limit) {
        Query query = Query.due(ReceiptItem.partition(shard)).before(DueEntry.dueAt(now));
        return registry.first(limit, query).stream().map(ReceiptItem::receiptId).toList();
    }

    /** Returns the update from a receipt that has not ended to its next state. */
    private static Update step(Receipt seen, Receipt next) {
        return changing(seen, next.state())
                .set(ReceiptItem.ATTEMPT, next.attempt())
                .set(ReceiptItem.DEADLINE, next.deadline())
                .set(Attributes.DUE_SK, s(DueEntry.dueAt(next.deadline())));
    }

    /**
     * Writes a step.
     *
     * @param isOwn whether an unexpected item results from this same step, whose response was lost
     */
    private boolean step(Update step, Receipt next, Predicate<Map<String, AttributeValue>> isOwn) {
        UpdateResult result = registry.updateAndGet(step);
        return result.applied() || ReceiptItem.STATE.of(result.item()) == next.state() && isOwn.test(result.item());
    }

    private static Update ending(Receipt seen, CallResult result) {
        Update update = changing(seen, seen.ended(result, true).state())
                .set(ReceiptItem.FINISHED_AT, result.at())
                .set(ReceiptItem.LATENCY, result.latencyMs());
        return result.failure()
                .map(failure -> update.set(ReceiptItem.FAILURE, failure))
                .orElse(update);
    }

    private static Update uncounted(Update ending) {
        return ending.removeDue().set(ReceiptItem.COUNTED, false);
    }

    /** Returns a change of the state of a receipt, if the receipt is as seen. */
    private static Update changing(Receipt seen, ReceiptState state) {
        return Update.of(ItemKind.RECEIPT.key(seen.id()))
                .set(ReceiptItem.STATE, state)
                .when(ReceiptItem.STATE.is(seen.state()))
                .when(ReceiptItem.ATTEMPT.is(seen.attempt()));
    }

    private void putText(Map<String, AttributeValue> key, String json, Instant expiry) {
        Map<String, AttributeValue> item = Attributes.item(key, expiry);
        JSON.put(item, json);
        registry.put(item);
    }

    private Optional<String> readText(Map<String, AttributeValue> key) {
        return database.findUnexpired(key).map(JSON::of).filter(json -> !json.isEmpty());
    }
}
