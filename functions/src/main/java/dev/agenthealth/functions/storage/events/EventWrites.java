package dev.agenthealth.functions.storage.events;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.model.event.Event;
import java.util.List;

/** The writes of events in the transaction of the change that they report. */
public final class EventWrites {

    private EventWrites() {}

    /** Adds events, of which none may be stored yet, to a transaction, which is returned. */
    public static Transaction add(Transaction transaction, Database database, List<Event> events) {
        for (Event event : events) {
            transaction.put(
                    database.registry(),
                    EventItem.of(event, database.now(), database.eventRetention()),
                    Condition.absent(Attributes.PK));
        }
        return transaction;
    }
}
