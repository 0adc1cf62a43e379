package dev.agenthealth.functions.storage.notifications;

import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.model.operations.notification.EventReading;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The last reading of each subject that came in during a silence, until the rules get it. Thread-safe. */
public final class DeferredStore {

    /** Each takes a write of a transaction, of which the note of the silence takes one more. */
    private static final int MAX_SUBJECTS = 90;

    /** Longer than any silence. */
    private static final Duration RETENTION = Duration.ofDays(60);

    private static final BinaryOperator<EventReading> LATER =
            (one, other) -> EventReading.LATER.compare(one.order(), other.order()) >= 0 ? one : other;

    /** Differs each time that something is deferred. */
    private static final Attribute<String> MARK = new Attribute<>("mark", AttributeType.TEXT);

    private final Database database;
    private final Table registry;

    public DeferredStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * A silence of which readings may wait.
     *
     * @param silenceId the id of the silence
     * @param mark of the time when something was deferred last
     */
    public record Deferring(String silenceId, String mark) {}

    /** The silences of which readings may wait, as of now, also those that are deleted. One query. */
    public List<Deferring> deferring() {
        Query query = Query.partition(ItemKind.DEFERRING_SILENCE.partition()).consistent();
        return registry.all(query)
                .map(item -> new Deferring(ItemKind.DEFERRING_SILENCE.afterPrefix(item), MARK.of(item)))
                .toList();
    }

    /**
     * Keeps the last reading of each subject until the silence is over.
     *
     * @throws StorageBusyException where other writers are faster too often; some may be kept then
     */
    public void defer(String silenceId, Collection<EventReading> readings) {
        List<EventReading> last = List.copyOf(readings.stream()
                .collect(Collectors.toMap(DeferredStore::subject, Function.identity(), LATER))
                .values());
        for (int from = 0; from < last.size(); from += MAX_SUBJECTS) {
            List<EventReading> some = last.subList(from, Math.min(from + MAX_SUBJECTS, last.size()));
            OptimisticUpdates.untilDone(() -> deferTogether(silenceId, some));
        }
    }

    /** Returns {@code false} where something was no longer as read. */
    private boolean deferTogether(String silenceId, List<EventReading> readings) {
        Map<String, String> orders = orders(silenceId, readings);
        List<EventReading> later = readings.stream()
                .filter(reading ->
                        EventReading.LATER.compare(reading.order(), orders.getOrDefault(subject(reading), "")) > 0)
                .toList();
        if (later.isEmpty()) {
            return true;
        }
        Instant expiry = database.now().plus(RETENTION);
        // Together with the readings, so that none is left where the note of the silence is removed meanwhile.
        Transaction transaction = database.transaction()
                .put(
                        registry,
                        MARK.put(
                                Attributes.item(ItemKind.DEFERRING_SILENCE.key(silenceId), expiry),
                                UlidCreator.getUlid().toString()));
        for (EventReading reading : later) {
            String order = orders.get(subject(reading));
            transaction.put(
                    registry,
                    ReadingItem.put(Attributes.item(key(silenceId, reading), expiry), reading),
                    order == null ? Condition.absentOrExpired(database.now()) : ReadingItem.ORDER.is(order));
        }
        return transaction.commit();
    }

    /** Returns the stored order of each subject of these readings, by subject. */
    private Map<String, String> orders(String silenceId, List<EventReading> readings) {
        List<Map<String, AttributeValue>> keys =
                readings.stream().map(reading -> key(silenceId, reading)).toList();
        Map<String, String> orders = new HashMap<>();
        registry.getAll(keys, true).stream()
                .filter(item -> !Attributes.isExpired(item, database.now()))
                .forEach(item -> orders.put(ItemKind.DEFERRED_READING.afterPrefix(item), ReadingItem.ORDER.of(item)));
        return orders;
    }

    /** Some readings of a silence, as of now; empty where none waits. */
    public List<EventReading> first(String silenceId, int limit) {
        Query query =
                Query.partition(ItemKind.DEFERRED_READING.partition(silenceId)).consistent();
        return registry.first(limit, query).stream().map(ReadingItem::read).toList();
    }

    /** Removes readings that the rules got; those of subjects of which a later one came in stay. */
    public void remove(String silenceId, List<EventReading> readings) {
        database.writeEach(
                readings,
                1,
                (transaction, reading) ->
                        transaction.delete(registry, key(silenceId, reading), ReadingItem.ORDER.is(reading.order())),
                () -> true);
    }

    /** Removes the readings about an agent. Reads all that wait, which is bounded by what comes in during silences. */
    public void removeOf(String agentId) {
        for (Deferring silence : deferring()) {
            Query query = Query.partition(ItemKind.DEFERRED_READING.partition(silence.silenceId()))
                    .consistent();
            registry.deleteAll(registry.all(query)
                    .filter(item -> ReadingItem.read(item).entry().agentId().equals(agentId))
                    .map(Attributes::keyOf)
                    .toList());
        }
    }

    /** Removes the note of a silence of which no reading waits, unless something was deferred since it was read. */
    public void end(Deferring deferring) {
        registry.delete(ItemKind.DEFERRING_SILENCE.key(deferring.silenceId()), MARK.is(deferring.mark()));
    }

    private static Map<String, AttributeValue> key(String silenceId, EventReading reading) {
        return ItemKind.DEFERRED_READING.key(silenceId, subject(reading));
    }

    private static String subject(EventReading reading) {
        return reading.entry().subject();
    }
}
