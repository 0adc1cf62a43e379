package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.model.event.TrustEvents;
import dev.agenthealth.model.health.trust.Stop;
import dev.agenthealth.model.health.trust.StopScope;
import dev.agenthealth.model.health.trust.Stops;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the stops in force, in one item each, in the partition that lists blocks. The item alone is the stop: decisions about calls read it, and the
 * rows of agents follow it. All reads are strongly consistent. Thread-safe.
 */
public final class StopStore {

    private static final Codec<Stop> STOP = new Codec<>();
    private static final Attribute<String> REASON = STOP.always("reason", TEXT, Stop::reason);
    private static final Attribute<String> ACTOR = STOP.always("actor", TEXT, Stop::actor);
    private static final Attribute<Instant> AT = STOP.always("at", MOMENT, Stop::at);

    private final Database database;
    private final Table registry;

    public StopStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** Returns all stops in force, by scope. Costs one query. */
    public List<Stop> all() {
        Query query = Query.partition(ItemKind.STOP.partition())
                .startingWith(ItemKind.STOP.prefix())
                .consistent();
        return registry.all(query).flatMap(item -> read(item).stream()).toList();
    }

    /** Returns all stops in force, for lookups. */
    public Stops stops() {
        return Stops.of(all());
    }

    /** Returns the stop of these agents; empty if it is not in force. */
    public Optional<Stop> find(StopScope scope) {
        return registry.find(key(scope)).flatMap(StopStore::read);
    }

    /** Returns the narrowest of the stops with these scopes; empty if none is in force. Costs one request. */
    public Optional<Stop> first(List<StopScope> narrowestFirst) {
        List<Stop> found = registry
                .getAll(narrowestFirst.stream().map(StopStore::key).toList(), true)
                .stream()
                .flatMap(item -> read(item).stream())
                .toList();
        return narrowestFirst.stream()
                .flatMap(scope -> found.stream().filter(stop -> stop.scope().equals(scope)))
                .findFirst();
    }

    /**
     * Puts a stop in force with its event.
     *
     * @param before the stop as it was read; empty if there was none
     * @return {@code false} if the stop is no longer as it was read
     */
    public boolean put(Stop stop, Optional<Stop> before) {
        return EventWrites.add(
                        database.transaction().put(registry, STOP.item(key(stop.scope()), stop), asRead(before)),
                        database,
                        List.of(TrustEvents.stopped(stop)))
                .commit();
    }

    /** Lifts a stop, with its event. Returns {@code false} if the stop is no longer as it was read. */
    public boolean remove(Stop seen, String actor) {
        return EventWrites.add(
                        database.transaction().delete(registry, key(seen.scope()), asRead(Optional.of(seen))),
                        database,
                        List.of(TrustEvents.lifted(seen.scope(), actor, database.now())))
                .commit();
    }

    /** Replaces the reason of the stop of one agent, if there is one. */
    public void replaceReason(String agentId, String text) {
        registry.update(Update.of(key(new StopScope(StopScope.Kind.AGENT, agentId)))
                .set(REASON, text)
                .when(Condition.exists(Attributes.PK)));
    }

    private static Condition asRead(Optional<Stop> before) {
        return before.map(seen -> AT.is(seen.at()).and(REASON.is(seen.reason())))
                .orElse(Condition.absent(Attributes.PK));
    }

    static Map<String, AttributeValue> key(StopScope scope) {
        return ItemKind.STOP.key(scope.text());
    }

    /** Returns the stop of an item; empty for a kind of stop of a later version. */
    static Optional<Stop> read(Map<String, AttributeValue> item) {
        return StopScope.ofText(ItemKind.STOP.afterPrefix(item))
                .map(scope -> new Stop(scope, REASON.of(item), ACTOR.of(item), AT.of(item)));
    }
}
