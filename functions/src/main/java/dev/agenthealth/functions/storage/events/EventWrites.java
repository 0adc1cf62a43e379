package dev.agenthealth.functions.storage.events;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.model.event.Event;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.Put;

/** The writes of events that are told with a change, in its transaction; only if none of them is there already. */
public final class EventWrites {

    private EventWrites() {}

    public static void add(Transaction transaction, Database database, List<Event> events) {
        for (Event event : events) {
            transaction.put(database.registry(), EventItem.of(event, database.now()), Condition.absent(Attributes.PK));
        }
    }

    public static void add(Transactions.Items items, String table, List<Event> events, Instant now) {
        for (Event event : events) {
            items.put(Put.builder()
                    .tableName(table)
                    .item(EventItem.of(event, now))
                    .conditionExpression("attribute_not_exists(#pk)")
                    .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK)));
        }
    }
}
