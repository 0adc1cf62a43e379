package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.gateway.Receipt;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Idempotency records: the receipt of each request with an idempotency key, written with the receipt and kept as long. Thread-safe.
 */
public final class IdempotencyStore {

    private static final String FINGERPRINT = "sha";
    private static final String RECEIPT = "rcpt";

    private final Database database;
    private final Table registry;

    public IdempotencyStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * The request that was processed first.
     *
     * @param fingerprint hash of what it requested
     * @param receiptId its receipt
     */
    public record Earlier(String fingerprint, String receiptId) {}

    /** The request that was processed first under the same key, strongly consistent; empty where there was none, or it has expired. */
    public Optional<Earlier> earlier(IdempotentRequest request) {
        return database.findUnexpired(key(request))
                .map(item -> new Earlier(text(item, FINGERPRINT), text(item, RECEIPT)));
    }

    /**
     * Writes a new receipt and the idempotency record of its request in one transaction.
     *
     * @return {@code false} where another request came first
     */
    public boolean create(Receipt receipt, IdempotentRequest request) {
        Map<String, AttributeValue> item = Attributes.item(key(request), receipt.expiresAt());
        item.put(FINGERPRINT, s(request.fingerprint()));
        item.put(RECEIPT, s(receipt.id()));
        return database.transaction()
                .put(registry, item, Condition.absentOrExpired(database.now()))
                .put(registry, ReceiptItem.of(receipt))
                .commit();
    }

    /** Makes the next request under the same key a new one, unless the record belongs to another receipt by now. */
    public void release(String receiptId, IdempotentRequest request) {
        registry.update(Update.of(key(request))
                .set(Attributes.EXPIRES, seconds(database.now()))
                .when(Condition.equal(RECEIPT, s(receiptId))));
    }

    private static Map<String, AttributeValue> key(IdempotentRequest request) {
        return ItemKind.IDEMPOTENT_REQUEST.key(request.place());
    }
}
