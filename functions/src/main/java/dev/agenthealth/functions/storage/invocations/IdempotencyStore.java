package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.model.gateway.Receipt;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Which receipt belongs to a request that may come again: an item of hashes beside the receipt, written with it and kept as long as it is.
 * Thread-safe.
 */
public final class IdempotencyStore {

    private static final String FINGERPRINT = "sha";
    private static final String RECEIPT = "rcpt";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final Transactions transactions;
    private final Clock clock;

    public IdempotencyStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.transactions = new Transactions(dynamoDb, retries);
        this.clock = clock;
    }

    /**
     * A request that came before.
     *
     * @param fingerprint of what was asked for
     * @param receiptId the receipt that was given for it
     */
    public record Earlier(String fingerprint, String receiptId) {}

    /** The request that came first to the same place, as of now; empty where none did, or none that is still kept. */
    public Optional<Earlier> earlier(IdempotentRequest request) {
        Map<String, AttributeValue> item = retries.call(
                        "read of an idempotent request",
                        () -> dynamoDb.getItem(r -> r.tableName(tables.registry())
                                .key(RegistryKeys.idempotentRequest(request.place()))
                                .consistentRead(true)))
                .item();
        return item.isEmpty() || RegistryKeys.isExpired(item, clock.instant())
                ? Optional.empty()
                : Optional.of(new Earlier(text(item, FINGERPRINT), text(item, RECEIPT)));
    }

    /**
     * Writes a new receipt, and that it belongs to the request, in one transaction.
     *
     * @return {@code false} where another request came first
     */
    public boolean create(Receipt receipt, IdempotentRequest request) {
        Map<String, AttributeValue> item = new HashMap<>(RegistryKeys.idempotentRequest(request.place()));
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put(RegistryKeys.EXPIRES, n(receipt.expiresAt().getEpochSecond()));
        item.put(FINGERPRINT, s(request.fingerprint()));
        item.put(RECEIPT, s(receipt.id()));
        Transactions.Items items = new Transactions.Items();
        items.putNew(tables.registry(), item, clock.instant());
        items.put(tables.registry(), ReceiptItem.of(receipt));
        return transactions.write("receipt of an idempotent request", items.list());
    }

    /** Lets the request be a new one when it comes again: nothing came of this receipt. */
    public void release(String receiptId, IdempotentRequest request) {
        UpdateItemRequest update = UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.idempotentRequest(request.place()))
                .updateExpression("SET #ttl = :now")
                .conditionExpression("#receipt = :receipt")
                .expressionAttributeNames(Map.of("#ttl", RegistryKeys.EXPIRES, "#receipt", RECEIPT))
                .expressionAttributeValues(
                        Map.of(":now", n(clock.instant().getEpochSecond()), ":receipt", s(receiptId)))
                .build();
        try {
            retries.call("release of an idempotent request", () -> dynamoDb.updateItem(update));
        } catch (ConditionalCheckFailedException e) {
            // It is another receipt's by now.
        }
    }
}
