package dev.agenthealth.functions.storage.audit;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.events.EventItem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.identity.Author;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An entry of the audit log. It has at most 1 KB, and therefore costs two write units. */
final class AuditItem {

    /** The number of partitions per day, over which a burst of changes spreads. The changes of one object share a partition. */
    static final int SHARDS = 16;

    private static final String TYPE = EventType.AUDIT_RECORDED.wireName();

    /** The maximum size of the detail, in bytes: the part of 1 KB that the other attributes and all names leave. */
    private static final int MAX_DETAIL_BYTES = 896;

    private static final int MAX_TEXT = 64;
    private static final int MILLIS_DIGITS = 13;

    private AuditItem() {}

    static Map<String, AttributeValue> of(AuditEntry entry, Author author, Database database) {
        Instant now = database.now();
        String id = UlidCreator.getUlid(now.toEpochMilli()).toString();
        Map<String, AttributeValue> item = Attributes.item(
                ItemKind.AUDIT_ENTRY.key(
                        Long.toString(dayOf(now)), Integer.toString(shardOf(entry.object())), place(now), id),
                now.plus(database.auditRetention()));
        item.put(EventItem.TYPE, s(TYPE));
        item.put(EventItem.AT, moment(now));
        item.put(EventItem.DETAIL, s(detail(entry, author, id, now)));
        return item;
    }

    static String partition(long day, int shard) {
        return ItemKind.AUDIT_ENTRY.partition(Long.toString(day), Integer.toString(shard));
    }

    static long dayOf(Instant moment) {
        return Math.floorDiv(moment.getEpochSecond(), 86_400L);
    }

    static int shardOf(AuditObject object) {
        return Math.floorMod((object.type() + "/" + object.id()).hashCode(), SHARDS);
    }

    /** Returns the position of a moment among sort keys, after their prefix. It sorts before every entry of the moment. */
    static String place(Instant moment) {
        return Attributes.padded(moment.toEpochMilli(), MILLIS_DIGITS);
    }

    private static String detail(AuditEntry entry, Author author, String id, Instant now) {
        ObjectNode detail = Json.object().put("type", TYPE).put("event_id", "audit_" + id);
        detail.put("timestamp", Timestamps.text(now)).put("severity", "info");
        detail.put("action", entry.action());
        if (entry.action().equals(AuditEntry.REFUSED)) {
            detail.put("outcome", "refused");
        }
        ObjectNode by = detail.putObject("author").put("id", author.id());
        if (author.isKnown()) {
            by.put("kind", author.caller().kind().wireName())
                    .put("role", author.caller().role().wireName());
        }
        if (!author.caller().name().isEmpty()) {
            by.set("name", shortened(TextNode.valueOf(author.caller().name())));
        }
        detail.putObject("object")
                .put("type", entry.object().type())
                .put("id", entry.object().id());
        if (entry.object().isAgent()) {
            detail.put("agent_id", entry.object().id());
        }
        detail.put("address", author.address()).put("request_id", author.requestId());
        ObjectNode before = shortened(entry.before());
        ObjectNode after = shortened(entry.after());
        detail.set("before", before);
        detail.set("after", after);
        String text = Json.text(detail);
        while (bytes(text) > MAX_DETAIL_BYTES && before.size() + after.size() > 0) {
            ObjectNode larger = before.size() > after.size() ? before : after;
            List<String> names = new ArrayList<>();
            larger.fieldNames().forEachRemaining(names::add);
            larger.remove(names.get(names.size() - 1));
            detail.put("shortened", true);
            text = Json.text(detail);
        }
        return text;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static ObjectNode shortened(ObjectNode fields) {
        ObjectNode shortened = Json.object();
        fields.properties().forEach(field -> shortened.set(field.getKey(), shortened(field.getValue())));
        return shortened;
    }

    private static JsonNode shortened(JsonNode value) {
        if (value.isBoolean() || value.isNull() || value.isInt() || value.isLong()) {
            return value;
        }
        String text = value.isTextual() ? value.textValue() : Json.text(value);
        if (text.length() <= MAX_TEXT) {
            return value;
        }
        int end = Character.isHighSurrogate(text.charAt(MAX_TEXT - 2)) ? MAX_TEXT - 2 : MAX_TEXT - 1;
        return TextNode.valueOf(text.substring(0, end) + "…");
    }
}
