package dev.agenthealth.functions.storage.events;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.putText;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.health.availability.StatusChange;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An event in the outbox. The event is written in the same transaction as the change it reports, and the publisher sends it to the bus.
 * Until it expires, it can be read in the agent's log and in the system-wide feed. This class owns its attribute names.
 */
public final class EventItem {

    public static final String TYPE = "type";
    public static final String DETAIL = "detail";

    /** The attribute with the event's timestamp in epoch milliseconds. */
    public static final String AT = "at";

    /** The id of the key that owned the agent, on events in an intent's log. */
    private static final String OWNER_KEY = "owner_key";

    private EventItem() {}

    /** Returns the item of an event that is written now. */
    public static Map<String, AttributeValue> of(Event event, Database database) {
        return of(event, database.now(), database.eventRetention(), database.feedShards());
    }

    /**
     * Returns the item of an event.
     *
     * @param writtenAt the moment of writing, which is the event's position in the feed. An event that is detected earlier but
     *     written later must not appear before the position of a reader. The position of a lease event also has its id, because many
     *     lease events may be written at one moment
     * @param retention the time for which the event can be read
     * @param shards the number of shards of the feed
     */
    static Map<String, AttributeValue> of(Event event, Instant writtenAt, Duration retention, int shards) {
        Map<String, AttributeValue> item = Attributes.item(key(event, writtenAt));
        item.put(TYPE, s(event.type().wireName()));
        item.put(DETAIL, s(Json.text(json(event.detail()))));
        item.put(AT, moment(event.at()));
        item.put(
                Attributes.FEED_PK,
                s(FeedPosition.partition(writtenAt, FeedPosition.shardOf(event.agentId(), shards))));
        item.put(Attributes.FEED_SK, s(FeedPosition.place(writtenAt, event)));
        item.put(Attributes.EXPIRES, n(writtenAt.plus(retention).getEpochSecond()));
        return item;
    }

    /** Adds the owner of the event's agent to an item. */
    public static void putOwner(Map<String, AttributeValue> item, Owner owner) {
        putText(item, OWNER_KEY, owner.keyId());
    }

    /** Returns the condition that the caller owns the event's agent. */
    static Condition isOwnedBy(Caller caller) {
        return Condition.equal(OWNER_KEY, s(caller.keyId()));
    }

    public static JsonNode detail(Map<String, AttributeValue> item) {
        return Json.stored(text(item, DETAIL));
    }

    /** Returns the name of the type of an event. */
    static String type(Map<String, AttributeValue> item) {
        return text(item, TYPE);
    }

    /** Returns the change of status that an item reports; empty for an event of another type. */
    static Optional<StatusChange> statusChange(Map<String, AttributeValue> item) {
        if (!text(item, TYPE).equals(EventType.AGENT_LIFECYCLE.wireName())) {
            return Optional.empty();
        }
        JsonNode detail = detail(item);
        return Optional.of(new StatusChange(
                moment(item, AT, Instant.EPOCH),
                status(detail.path("previous_status")),
                status(detail.path("new_status")),
                WireNamed.find(LifecycleReason.class, detail.path("reason").asText())));
    }

    private static LifecycleStatus status(JsonNode name) {
        return WireNamed.find(LifecycleStatus.class, name.asText()).orElseThrow();
    }

    /** Returns an item as it is sent to the bus. */
    static LoggedEvent logged(Map<String, AttributeValue> item) {
        return new LoggedEvent(Feed.place(item), text(item, TYPE), text(item, DETAIL), moment(item, AT, Instant.EPOCH));
    }

    private static Map<String, AttributeValue> key(Event event, Instant writtenAt) {
        if (event.isOfIntent()) {
            return ItemKind.LEASE_EVENT.key(event.intentId(), FeedPosition.beginningOf(writtenAt), event.eventId());
        }
        return event.isOfRegistry()
                ? ItemKind.REGISTRY_EVENT.key(event.eventId())
                : ItemKind.AGENT_EVENT.key(event.agentId(), Attributes.padded(event.sequence(), 12));
    }

    private static ObjectNode json(Map<?, ?> detail) {
        ObjectNode json = Json.object();
        detail.forEach((name, value) -> put(json, (String) name, value));
        return json;
    }

    /** Puts a value into a detail. A detail holds only values of these types. */
    private static void put(ObjectNode json, String name, Object value) {
        if (value instanceof Map<?, ?> nested) {
            json.set(name, json(nested));
        } else if (value instanceof List<?> texts) {
            ArrayNode array = json.putArray(name);
            texts.forEach(t -> array.add((String) t));
        } else if (value instanceof Long number) {
            json.put(name, number);
        } else if (value instanceof BigDecimal number) {
            json.put(name, number);
        } else if (value instanceof Boolean flag) {
            json.put(name, flag);
        } else {
            json.put(name, (String) value);
        }
    }
}
