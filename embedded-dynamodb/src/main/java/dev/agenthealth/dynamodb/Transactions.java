package dev.agenthealth.dynamodb;

import static dev.agenthealth.dynamodb.value.DynamoDbErrors.invalid;

import dev.agenthealth.dynamodb.expression.Arguments;
import dev.agenthealth.dynamodb.sqlite.Rows;
import dev.agenthealth.dynamodb.sqlite.Session;
import dev.agenthealth.dynamodb.sqlite.SeveralItems;
import dev.agenthealth.dynamodb.sqlite.Writer;
import dev.agenthealth.dynamodb.table.ItemBytes;
import dev.agenthealth.dynamodb.table.Table;
import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import dev.agenthealth.dynamodb.value.Sizes;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

/** Applies writes together or not at all. Thread-safe. */
final class Transactions {

    private static final int WRITE_FACTOR = 2;

    private static final CancellationReason NO_REASON =
            CancellationReason.builder().code("None").build();

    private final Engine engine;
    private final Tokens tokens;

    Transactions(Engine engine, Tokens tokens) {
        this.engine = engine;
        this.tokens = tokens;
    }

    /** An element of a transaction. */
    private record Element(ItemWrite write, int requestBytes, boolean returnsItem) {}

    TransactWriteItemsResponse write(TransactWriteItemsRequest request) {
        List<TransactWriteItem> items = request.transactItems();
        if (items.isEmpty() || items.size() > Limits.MAX_ITEMS) {
            throw invalid(
                    "1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have"
                            + " length "
                            + (items.isEmpty()
                                    ? "greater than or equal to 1"
                                    : "less than or equal to " + Limits.MAX_ITEMS));
        }
        if (request.clientRequestToken() != null
                && (request.clientRequestToken().isEmpty()
                        || request.clientRequestToken().length() > Limits.MAX_TOKEN)) {
            throw invalid("1 validation error detected: Value at 'clientRequestToken' failed to satisfy constraint:"
                    + " Member must have length between 1 and " + Limits.MAX_TOKEN);
        }
        List<Element> elements = new ArrayList<>(items.size());
        for (TransactWriteItem item : items) {
            elements.add(element(item));
        }
        check(elements);
        String token = request.clientRequestToken();
        String content = token == null ? "" : fingerprint(items, elements);
        List<ItemWrite.Outcome> outcomes = engine.write(
                (session, effect) -> {
                    if (token != null && tokens.isKnown(token, content)) {
                        return List.of();
                    }
                    List<ItemWrite.Outcome> decided = decide(session, elements);
                    apply(session, effect, elements, decided);
                    if (token != null) {
                        // Added before the commit, because the next change of the group may have the same token.
                        tokens.add(token, content);
                        effect.afterRollback(() -> tokens.remove(token));
                    }
                    return decided;
                },
                true);
        TransactWriteItemsResponse.Builder response = TransactWriteItemsResponse.builder();
        if (Capacities.isWanted(request.returnConsumedCapacity())) {
            response.consumedCapacity(consumed(request, elements, outcomes));
        }
        return response.build();
    }

    private static String fingerprint(List<TransactWriteItem> items, List<Element> elements) {
        Fingerprint fingerprint = new Fingerprint();
        for (int i = 0; i < items.size(); i++) {
            fingerprint.add(items.get(i), elements.get(i).write().encoded());
        }
        return fingerprint.text();
    }

    private Element element(TransactWriteItem item) {
        int parts = (item.put() == null ? 0 : 1)
                + (item.update() == null ? 0 : 1)
                + (item.delete() == null ? 0 : 1)
                + (item.conditionCheck() == null ? 0 : 1);
        if (parts != 1) {
            throw invalid("TransactItems can only contain one of Check, Put, Update or Delete");
        }
        if (item.put() != null) {
            return element(item.put());
        }
        if (item.update() != null) {
            return element(item.update());
        }
        return item.delete() != null ? element(item.delete()) : element(item.conditionCheck());
    }

    private Element element(Put put) {
        Arguments arguments = Arguments.of(put.expressionAttributeNames(), put.expressionAttributeValues());
        ItemWrite write = ItemWrite.put(
                table(put.tableName()), put.item(), ItemWrite.condition(put.conditionExpression(), arguments));
        arguments.checkAllUsed();
        return element(write, ItemBytes.size(write.encoded()), put.returnValuesOnConditionCheckFailure());
    }

    private Element element(Update update) {
        Arguments arguments = Arguments.of(update.expressionAttributeNames(), update.expressionAttributeValues());
        ItemWrite write = ItemWrite.update(
                table(update.tableName()),
                update.key(),
                ItemWrite.updateExpression(update.updateExpression()),
                arguments,
                ItemWrite.condition(update.conditionExpression(), arguments));
        arguments.checkAllUsed();
        int bytes = Sizes.item(update.key()) + Sizes.item(update.expressionAttributeValues());
        return element(write, bytes, update.returnValuesOnConditionCheckFailure());
    }

    private Element element(Delete delete) {
        Arguments arguments = Arguments.of(delete.expressionAttributeNames(), delete.expressionAttributeValues());
        ItemWrite write = ItemWrite.delete(
                table(delete.tableName()), delete.key(), ItemWrite.condition(delete.conditionExpression(), arguments));
        arguments.checkAllUsed();
        return element(write, Sizes.item(delete.key()), delete.returnValuesOnConditionCheckFailure());
    }

    private Element element(ConditionCheck check) {
        if (check.conditionExpression() == null) {
            throw invalid("The ConditionExpression parameter is required for ConditionCheck");
        }
        Arguments arguments = Arguments.of(check.expressionAttributeNames(), check.expressionAttributeValues());
        ItemWrite write = ItemWrite.check(
                table(check.tableName()), check.key(), ItemWrite.condition(check.conditionExpression(), arguments));
        arguments.checkAllUsed();
        return element(write, Sizes.item(check.key()), check.returnValuesOnConditionCheckFailure());
    }

    private static Element element(ItemWrite write, int bytes, ReturnValuesOnConditionCheckFailure onFailure) {
        return new Element(write, bytes, onFailure == ReturnValuesOnConditionCheckFailure.ALL_OLD);
    }

    private Table table(String name) {
        return engine.catalogue().table(name);
    }

    private static void check(List<Element> elements) {
        Set<ItemKey> seen = new HashSet<>();
        long bytes = 0;
        for (Element element : elements) {
            if (!seen.add(new ItemKey(element.write().table(), element.write().key()))) {
                throw invalid("Transaction request cannot include multiple operations on one item");
            }
            bytes += element.requestBytes();
        }
        if (bytes > Limits.MAX_TRANSACTION) {
            throw invalid("Item collection size limit of 4 MB for transactional requests exceeded");
        }
    }

    /** Evaluates all elements; throws if an element's condition fails or the element cannot be applied. */
    private List<ItemWrite.Outcome> decide(Session session, List<Element> elements) throws SQLException {
        List<ItemWrite.Outcome> outcomes = new ArrayList<>(elements.size());
        List<CancellationReason> reasons = new ArrayList<>(elements.size());
        Map<Long, Iterator<byte[]>> stored = new HashMap<>();
        boolean cancelled = false;
        for (Element element : elements) {
            CancellationReason reason = NO_REASON;
            try {
                Table table = engine.catalogue().current(element.write().table());
                if (!stored.containsKey(table.id())) {
                    stored.put(table.id(), stored(session, table, elements));
                }
                ItemWrite.Outcome outcome =
                        element.write().evaluate(table, stored.get(table.id()).next());
                outcomes.add(outcome);
                if (!outcome.holds()) {
                    reason = failed(element, outcome.before());
                    cancelled = true;
                }
            } catch (DynamoDbException e) {
                reason = CancellationReason.builder()
                        .code("ValidationError")
                        .message(e.awsErrorDetails().errorMessage())
                        .build();
                cancelled = true;
            }
            reasons.add(reason);
        }
        if (cancelled) {
            throw cancelled(reasons);
        }
        return outcomes;
    }

    /** Returns the stored items of all elements of a table, in the order of the elements. */
    private static Iterator<byte[]> stored(Session session, Table table, List<Element> elements) throws SQLException {
        List<byte[]> keys = new ArrayList<>(elements.size());
        for (Element element : elements) {
            if (element.write().table().id() == table.id()) {
                keys.add(element.write().key());
            }
        }
        return SeveralItems.find(session, table, keys).iterator();
    }

    private static CancellationReason failed(Element element, Map<String, AttributeValue> item) {
        CancellationReason.Builder reason =
                CancellationReason.builder().code("ConditionalCheckFailed").message("The conditional request failed");
        if (element.returnsItem() && !item.isEmpty()) {
            reason.item(item);
        }
        return reason.build();
    }

    private static TransactionCanceledException cancelled(List<CancellationReason> reasons) {
        String codes = reasons.stream().map(CancellationReason::code).collect(Collectors.joining(", ", "[", "]"));
        return DynamoDbErrors.as(
                        "TransactionCanceledException",
                        "Transaction cancelled, please refer cancellation reasons for specific reasons " + codes,
                        TransactionCanceledException.builder())
                .cancellationReasons(reasons)
                .build();
    }

    private void apply(Session session, Writer.Effect effect, List<Element> elements, List<ItemWrite.Outcome> outcomes)
            throws SQLException {
        Rows.Origin origin = engine.origin();
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i).write().apply(session, outcomes.get(i), origin)) {
                effect.wrote();
            }
        }
    }

    private static List<ConsumedCapacity> consumed(
            TransactWriteItemsRequest request, List<Element> elements, List<ItemWrite.Outcome> outcomes) {
        Map<String, Capacities.Units> byTable = new LinkedHashMap<>();
        for (int i = 0; i < elements.size(); i++) {
            Table table = elements.get(i).write().table();
            Capacities.Units units = byTable.computeIfAbsent(table.name(), name -> new Capacities.Units(table));
            if (outcomes.isEmpty()) {
                // A repeated token is charged as a read of each item.
                units.add(2);
            } else {
                units.addWrite(outcomes.get(i).before(), outcomes.get(i).now(), WRITE_FACTOR);
            }
        }
        return byTable.values().stream()
                .map(units -> units.consumed(request.returnConsumedCapacity()))
                .toList();
    }
}
