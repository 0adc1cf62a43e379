package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.event.TrustEvents;
import dev.agenthealth.model.health.trust.Stop;
import dev.agenthealth.model.health.trust.StopScope;
import dev.agenthealth.model.health.trust.Stops;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the stops in force, all in one item, in the partition that lists blocks. A decision about a call therefore costs one read unit while no stop
 * is in force. The item alone decides about calls, and the rows of agents follow it. All reads are strongly consistent. Thread-safe.
 */
public final class StopStore {

    private static final Codec<Stop> STOP = new Codec<>();
    private static final Attribute<String> SCOPE =
            STOP.always("stop", TEXT, stop -> stop.scope().text());
    private static final Attribute<String> REASON = STOP.always("reason", TEXT, Stop::reason);
    private static final Attribute<String> ACTOR = STOP.always("actor", TEXT, Stop::actor);
    private static final Attribute<Instant> AT = STOP.always("at", MOMENT, Stop::at);

    private static final Attribute<List<Stop>> STOPS = new Attribute<>(
            "stops",
            new AttributeType<>(
                    List.of(),
                    stops -> AttributeValue.fromL(stops.stream()
                            .map(stop -> AttributeValue.fromM(STOP.attributes(stop)))
                            .toList()),
                    stored -> stored.l().stream()
                            .flatMap(stop -> read(stop.m()).stream())
                            .toList()));
    private static final Attribute<Long> REVISION = new Attribute<>("rev", NUMBER);

    private final Database database;
    private final Table registry;

    public StopStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * The stops in force as they were read.
     *
     * @param stops the stops, by the text of their scope
     * @param revision the number of changes so far
     */
    public record Seen(List<Stop> stops, long revision) {

        /** Returns the stop of these agents; empty if it is not in force. */
        public Optional<Stop> find(StopScope scope) {
            return stops.stream().filter(stop -> stop.scope().equals(scope)).findFirst();
        }

        private List<Stop> without(StopScope scope) {
            return stops.stream().filter(stop -> !stop.scope().equals(scope)).toList();
        }
    }

    /** Returns all stops in force, for a change of them. */
    public Seen seen() {
        Map<String, AttributeValue> item = registry.get(key());
        return new Seen(STOPS.of(item), REVISION.of(item));
    }

    /** Returns all stops in force, for lookups. */
    public Stops stops() {
        return Stops.of(seen().stops());
    }

    /**
     * Puts a stop in force with its event, in place of an earlier stop of the same agents.
     *
     * @return {@code false} if the stops are no longer as they were read
     */
    public boolean put(Seen seen, Stop stop) {
        return write(seen, with(seen, stop), TrustEvents.stopped(stop));
    }

    /** Lifts a stop, with its event. Returns {@code false} if the stops are no longer as they were read. */
    public boolean remove(Seen seen, StopScope scope, String actor) {
        return write(seen, seen.without(scope), TrustEvents.lifted(scope, actor, database.now()));
    }

    /** Replaces the reason of the stop of one agent, if there is one. */
    public void replaceReason(String agentId, String text) {
        StopScope scope = new StopScope(StopScope.Kind.AGENT, agentId);
        OptimisticUpdates.untilDone(() -> {
            Seen seen = seen();
            Optional<Stop> stop =
                    seen.find(scope).filter(found -> !found.reason().equals(text));
            return stop.isEmpty()
                    || put(
                                    seen,
                                    with(
                                            seen,
                                            new Stop(
                                                    scope,
                                                    text,
                                                    stop.get().actor(),
                                                    stop.get().at())))
                            .commit();
        });
    }

    private static List<Stop> with(Seen seen, Stop stop) {
        return Stream.concat(seen.without(stop.scope()).stream(), Stream.of(stop))
                .sorted(Comparator.comparing(each -> each.scope().text()))
                .toList();
    }

    private boolean write(Seen seen, List<Stop> stops, Event event) {
        return EventWrites.add(put(seen, stops), database, List.of(event)).commit();
    }

    private Transaction put(Seen seen, List<Stop> stops) {
        Map<String, AttributeValue> item = Attributes.item(key());
        STOPS.put(item, stops);
        REVISION.put(item, seen.revision() + 1);
        return database.transaction().put(registry, item, Condition.numberOrAbsent(REVISION.name(), seen.revision()));
    }

    static Map<String, AttributeValue> key() {
        return ItemKind.STOPS.key();
    }

    /** Returns the stops of an item. */
    static Stops of(Map<String, AttributeValue> item) {
        return Stops.of(STOPS.of(item));
    }

    /** Returns a stop; empty for a kind of stop of a later version. */
    private static Optional<Stop> read(Map<String, AttributeValue> stop) {
        return StopScope.ofText(SCOPE.of(stop))
                .map(scope -> new Stop(scope, REASON.of(stop), ACTOR.of(stop), AT.of(stop)));
    }
}
