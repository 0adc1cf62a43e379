package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.table.ItemBytes;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * Computes a hash of 64 bits over the parameters of a transaction. It finds out whether a retry has other parameters than the first attempt.
 * Both are of this process, so that the hash need not withstand an attack. Not thread-safe.
 *
 * <p>Most bytes of a transaction are in the items that it puts. Their stored form is hashed, because each of them is encoded anyway.
 */
final class Fingerprint {

    private static final long PRIME = 0x9e3779b97f4a7c15L;

    private long hash;

    /**
     * Adds an element, whose values are valid.
     *
     * @param stored the stored form of the item that the element puts; empty for other elements
     */
    void add(TransactWriteItem element, byte[] stored) {
        if (element.put() != null) {
            Put put = element.put();
            text("Put").text(put.tableName()).next(ItemBytes.hash(stored));
            arguments(put.conditionExpression(), put.expressionAttributeNames(), put.expressionAttributeValues())
                    .text(put.returnValuesOnConditionCheckFailureAsString());
        } else if (element.update() != null) {
            Update update = element.update();
            text("Update").text(update.tableName()).values(update.key()).text(update.updateExpression());
            arguments(
                            update.conditionExpression(),
                            update.expressionAttributeNames(),
                            update.expressionAttributeValues())
                    .text(update.returnValuesOnConditionCheckFailureAsString());
        } else if (element.delete() != null) {
            Delete delete = element.delete();
            text("Delete").text(delete.tableName()).values(delete.key());
            arguments(
                            delete.conditionExpression(),
                            delete.expressionAttributeNames(),
                            delete.expressionAttributeValues())
                    .text(delete.returnValuesOnConditionCheckFailureAsString());
        } else {
            ConditionCheck check = element.conditionCheck();
            text("Check").text(check.tableName()).values(check.key());
            arguments(check.conditionExpression(), check.expressionAttributeNames(), check.expressionAttributeValues())
                    .text(check.returnValuesOnConditionCheckFailureAsString());
        }
    }

    /** Returns the fingerprint, which does not depend on the order of maps. */
    String text() {
        return Long.toHexString(hash);
    }

    private Fingerprint arguments(String condition, Map<String, String> names, Map<String, AttributeValue> values) {
        long sum = 0;
        for (Map.Entry<String, String> name : names.entrySet()) {
            // A sum has no order.
            sum += mixed(hash(name.getKey()) * PRIME + hash(name.getValue()));
        }
        return text(condition).next(names.size()).next(sum).values(values);
    }

    /** @param text null if the request has none */
    private Fingerprint text(String text) {
        return next(text == null ? 0 : hash(text));
    }

    private Fingerprint values(Map<String, AttributeValue> values) {
        return next(values.isEmpty() ? 0 : ItemBytes.hash(ItemBytes.write(values)));
    }

    private static long hash(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return mixed(bytes.length + ItemBytes.hash(bytes, 0, bytes.length));
    }

    private Fingerprint next(long part) {
        hash = mixed(hash * PRIME + part);
        return this;
    }

    /** Lets each bit depend on all bits. */
    private static long mixed(long bits) {
        long mixed = (bits ^ (bits >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }
}
