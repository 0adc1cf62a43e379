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
import dev.agenthealth.model.operations.notification.ReceivedEvent;
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

/** Stores the last reading of each subject during a silence, until the rules get it. Thread-safe. */
public final class DeferredStore {

    /** The maximum number of subjects in a transaction. Each subject takes one write, and the note of the silence takes one more. */
    private static final int MAX_SUBJECTS = 90;

    /** The time for which readings are kept, which is longer than any silence. */
    private static final Duration RETENTION = Duration.ofDays(60);

    private static final BinaryOperator<ReceivedEvent> LATER =
            (one, other) -> ReceivedEvent.LATER.compare(one.order(), other.order()) >= 0 ? one : other;

    /** A mark that changes each time that a reading is deferred. */
    private static final Attribute<String> MARK = new Attribute<>("mark", AttributeType.TEXT);

    private final Database database;
    private final Table registry;

    public DeferredStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * A silence with readings that may wait.
     *
     * @param silenceId the id of the silence
     * @param mark the mark of the last deferred reading
     */
    public record Deferring(String silenceId, String mark) {}

    /** Returns the silences with readings that may wait, as of now, including deleted silences. Costs one query. */
    public List<Deferring> deferring() {
        Query query = Query.partition(ItemKind.DEFERRING_SILENCE.partition()).consistent();
        return registry.all(query)
                .map(item -> new Deferring(ItemKind.DEFERRING_SILENCE.afterPrefix(item), MARK.of(item)))
                .toList();
    }

    /**
     * Keeps the last reading of each subject until the silence is over.
     *
     * @throws StorageBusyException if other writers are faster too often; some readings may be kept nevertheless
     */
    public void defer(String silenceId, Collection<ReceivedEvent> readings) {
        List<ReceivedEvent> last = List.copyOf(readings.stream()
                .collect(Collectors.toMap(DeferredStore::subject, Function.identity(), LATER))
                .values());
        for (int from = 0; from < last.size(); from += MAX_SUBJECTS) {
            List<ReceivedEvent> some = last.subList(from, Math.min(from + MAX_SUBJECTS, last.size()));
            OptimisticUpdates.untilDone(() -> deferTogether(silenceId, some));
        }
    }

    /** Returns {@code false} if an item was no longer as it was read. */
    private boolean deferTogether(String silenceId, List<ReceivedEvent> readings) {
        Map<String, String> orders = orders(silenceId, readings);
        List<ReceivedEvent> later = readings.stream()
                .filter(reading ->
                        ReceivedEvent.LATER.compare(reading.order(), orders.getOrDefault(subject(reading), "")) > 0)
                .toList();
        if (later.isEmpty()) {
            return true;
        }
        Instant expiry = database.now().plus(RETENTION);
        // The note is written together with the readings: if it is removed at the same time, no reading is left
        // without it.
        Transaction transaction = database.transaction()
                .put(
                        registry,
                        MARK.put(
                                Attributes.item(ItemKind.DEFERRING_SILENCE.key(silenceId), expiry),
                                UlidCreator.getUlid().toString()));
        for (ReceivedEvent reading : later) {
            String order = orders.get(subject(reading));
            transaction.put(
                    registry,
                    ReceivedEventItem.put(Attributes.item(key(silenceId, reading), expiry), reading),
                    order == null ? Condition.absentOrExpired(database.now()) : ReceivedEventItem.ORDER.is(order));
        }
        return transaction.commit();
    }

    /** Returns the stored order of each subject of these readings, by subject. */
    private Map<String, String> orders(String silenceId, List<ReceivedEvent> readings) {
        List<Map<String, AttributeValue>> keys =
                readings.stream().map(reading -> key(silenceId, reading)).toList();
        Map<String, String> orders = new HashMap<>();
        registry.getAll(keys, true).stream()
                .filter(item -> !Attributes.isExpired(item, database.now()))
                .forEach(item ->
                        orders.put(ItemKind.DEFERRED_READING.afterPrefix(item), ReceivedEventItem.ORDER.of(item)));
        return orders;
    }

    /** Returns up to {@code limit} readings of a silence, as of now; empty if none waits. */
    public List<ReceivedEvent> first(String silenceId, int limit) {
        Query query =
                Query.partition(ItemKind.DEFERRED_READING.partition(silenceId)).consistent();
        return registry.first(limit, query).stream()
                .map(ReceivedEventItem::read)
                .toList();
    }

    /** Removes readings that the rules got. A later reading of the same subject stays. */
    public void remove(String silenceId, List<ReceivedEvent> readings) {
        database.writeEach(
                readings,
                1,
                (transaction, reading) -> transaction.delete(
                        registry, key(silenceId, reading), ReceivedEventItem.ORDER.is(reading.order())),
                () -> true);
    }

    /** Removes the readings about an agent. Reads all waiting readings, whose number is bounded by the events during silences. */
    public void removeOf(String agentId) {
        for (Deferring silence : deferring()) {
            Query query = Query.partition(ItemKind.DEFERRED_READING.partition(silence.silenceId()))
                    .consistent();
            registry.deleteAll(registry.all(query)
                    .filter(item ->
                            ReceivedEventItem.read(item).entry().agentId().equals(agentId))
                    .map(Attributes::keyOf)
                    .toList());
        }
    }

    /** Removes the note of a silence without waiting readings, unless a reading was deferred since the note was read. */
    public void end(Deferring deferring) {
        registry.delete(ItemKind.DEFERRING_SILENCE.key(deferring.silenceId()), MARK.is(deferring.mark()));
    }

    private static Map<String, AttributeValue> key(String silenceId, ReceivedEvent reading) {
        return ItemKind.DEFERRED_READING.key(silenceId, subject(reading));
    }

    private static String subject(ReceivedEvent reading) {
        return reading.entry().subject();
    }
}
