package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
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
 * Stores idempotency records: the receipt of each request with an idempotency key. A record is written with the receipt and kept as long as
 * the receipt. Thread-safe.
 */
public final class IdempotencyStore {

    private static final Codec<Earlier> EARLIER = new Codec<>();
    private static final Attribute<String> FINGERPRINT = EARLIER.always("sha", TEXT, Earlier::fingerprint);
    private static final Attribute<String> RECEIPT = EARLIER.always("rcpt", TEXT, Earlier::receiptId);

    private final Database database;
    private final Table registry;

    public IdempotencyStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * The request that was processed first.
     *
     * @param fingerprint hash of the request's content
     * @param receiptId its receipt
     */
    public record Earlier(String fingerprint, String receiptId) {}

    /** Returns the request that was processed first under the same key, strongly consistent; empty if there was none, or it has expired. */
    public Optional<Earlier> earlier(IdempotentRequest request) {
        return database.findUnexpired(key(request)).map(item -> new Earlier(FINGERPRINT.of(item), RECEIPT.of(item)));
    }

    /**
     * Writes a new receipt and the idempotency record of its request in one transaction.
     *
     * @return {@code false} if another request came first
     */
    public boolean create(Receipt receipt, IdempotentRequest request) {
        Map<String, AttributeValue> item = Attributes.item(key(request), receipt.expiresAt());
        EARLIER.put(item, new Earlier(request.fingerprint(), receipt.id()));
        return database.transaction()
                .put(registry, item, Condition.absentOrExpired(database.now()))
                .put(registry, ReceiptItem.of(receipt))
                .commit();
    }

    /**
     * Removes the record, so that the next request under the same key is a new request. Does nothing if the record belongs to another
     * receipt by now.
     */
    public void release(String receiptId, IdempotentRequest request) {
        registry.update(Update.of(key(request))
                .set(Attributes.EXPIRES, seconds(database.now()))
                .when(RECEIPT.is(receiptId)));
    }

    private static Map<String, AttributeValue> key(IdempotentRequest request) {
        return ItemKind.IDEMPOTENT_REQUEST.key(request.place());
    }
}
