package dev.agenthealth.functions.storage.events;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.model.event.Event;
import java.util.List;

/**
 * Adds events to the transaction of the change that they report (transactional outbox).
 *
 * <p>An event is an item of the registry table. If a change and its event were two writes, a failure between them would lose the event or
 * publish an event without a change. A transaction writes both or neither. The publisher then reads the event from the table's stream and
 * sends it to the event bus, with retries. Therefore no code that changes a status calls the event bus itself.
 *
 * <p>The number of an agent's event is part of its key, and each event must be new. If a concurrent writer has already stored an event with
 * the same number, the whole transaction fails and {@link Transaction#commit} returns {@code false}. The caller then reads the agent again
 * and decides again:
 *
 * <pre>{@code
 * Transaction transaction = database.transaction().update(pulses, update);
 * boolean written = EventWrites.add(transaction, database, events).commit();
 * }</pre>
 */
public final class EventWrites {

    private EventWrites() {}

    /** Adds new events to a transaction, and returns the transaction. The transaction fails if one of the events is already stored. */
    public static Transaction add(Transaction transaction, Database database, List<Event> events) {
        for (Event event : events) {
            transaction.put(database.registry(), EventItem.of(event, database), Condition.absent(Attributes.PK));
        }
        return transaction;
    }
}
