package dev.agenthealth.functions.storage.health;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;

import dev.agenthealth.functions.storage.agents.ProfileItem;
import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.functions.storage.outcomes.ClosedSlicesItem;
import dev.agenthealth.functions.storage.pulses.HealthAttributes;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.pulses.PulseWrites;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads the inputs and writes the results of the computation of an agent's health. Every write is conditional on the inputs. Of two
 * concurrent computations, one is stored and the other changes nothing. Thread-safe.
 */
public final class MeasurementStore {

    private final Database database;
    private final Table registry;

    public MeasurementStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * Reads the inputs of the health of an agent, strongly consistent. Costs two requests, because DynamoDB reads the items of one request
     * at different moments. The due number is read first, so that the later read contains the reason of every counted change.
     */
    public MeasurementInputs read(String agentId) {
        Map<String, AttributeValue> health = registry.get(ItemKind.HEALTH.key(agentId));
        Database.Items items = database.get(
                PulseItem.key(agentId),
                List.of(ItemKind.PROFILE.key(agentId), ItemKind.CLOSED_SLICES.key(agentId)),
                true);
        Map<String, AttributeValue> profile = items.of(ItemKind.PROFILE);
        Map<String, AttributeValue> closed = items.of(ItemKind.CLOSED_SLICES);
        Optional<Map<String, AttributeValue>> row = Optional.of(items.row()).filter(found -> !found.isEmpty());
        return new MeasurementInputs(
                agentId,
                number(health, DueEntry.NUMBER, 0),
                profile.isEmpty() ? Optional.empty() : Optional.of(ProfileItem.read(agentId, profile, Map.of())),
                row.map(PulseItem::read),
                row.map(HealthAttributes::read).orElse(HealthSummary.NONE),
                new MeasurementInputs.Revised<>(
                        HealthItem.holdsHealth(health)
                                ? Optional.of(HealthItem.read(agentId, health))
                                : Optional.empty(),
                        number(health, HealthItem.REVISION, 0)),
                new MeasurementInputs.Revised<>(
                        ClosedSlicesItem.read(closed), number(closed, ClosedSlicesItem.REVISION, 0)));
    }

    /** Stores a health as the point of its hour. */
    public void putHourOfHistory(AgentHealth health) {
        registry.put(HistoryItem.ofHour(health));
    }

    /**
     * Stores a health as a point at a change.
     *
     * @param seen the inputs of the health: a repeated computation of the same change replaces the point
     */
    public void putChangeOfHistory(AgentHealth health, MeasurementInputs seen) {
        registry.put(HistoryItem.ofChange(health, seen.revision()));
    }

    /**
     * Stores a health, and moves its due time to {@code next}. If the health became due again since it was read, it stays due.
     *
     * @param seen the inputs of the health
     * @param next the time at which the health changes by itself; {@link Instant#MAX} for never
     * @return {@code false} if a concurrent computation was stored
     */
    public boolean put(AgentHealth health, MeasurementInputs seen, Instant next) {
        return registry.update(settling(storing(health, seen), seen, next)) || registry.update(storing(health, seen));
    }

    /**
     * Stores a health together with the events that publish it. The health stays due.
     *
     * @param counted the pulse as read, but with the events counted
     * @return {@code false} if a concurrent computation was stored, or the agent had another event since it was read
     */
    public boolean publish(AgentHealth health, MeasurementInputs seen, Pulse counted, List<Event> events) {
        Transaction transaction = database.transaction()
                .update(registry, storing(health, seen))
                .update(database.pulses(), PulseWrites.events(counted, events.size()));
        return EventWrites.add(transaction, database, events).commit();
    }

    /**
     * Moves the due time of a health to {@code next}.
     *
     * @param next the time at which the health changes by itself; {@link Instant#MAX} for never
     * @return {@code false} if the health became due again since it was read and therefore stays due, or the agent was erased
     */
    public boolean settle(MeasurementInputs seen, Instant next) {
        Update update = Update.of(ItemKind.HEALTH.key(seen.agentId())).when(Condition.exists(Attributes.PK));
        return registry.update(settling(update, seen, next));
    }

    private static Update storing(AgentHealth health, MeasurementInputs seen) {
        return HealthItem.write(health)
                .set(HealthItem.REVISION, n(seen.revision() + 1))
                .when(Condition.numberOrAbsent(HealthItem.REVISION, seen.revision()));
    }

    private Update settling(Update update, MeasurementInputs seen, Instant next) {
        update.remove(DueEntry.SINCE).when(Condition.numberOrAbsent(DueEntry.NUMBER, seen.dueNumber()));
        return next.equals(Instant.MAX)
                ? update.removeDue()
                : update.setDue(DueEntry.partition(seen.agentId(), database), DueEntry.dueAt(next));
    }
}
