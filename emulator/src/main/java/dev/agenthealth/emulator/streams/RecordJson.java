package dev.agenthealth.emulator.streams;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.agenthealth.emulator.support.EmulatedAccount;
import dev.agenthealth.emulator.support.Json;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;

/** Writes stream records as the JSON that Lambda filters and passes to functions. */
final class RecordJson {

    static final String EVENT_SOURCE = "aws:dynamodb";

    private RecordJson() {}

    /** @param streamArn ARN of the stream that the record was read from */
    static ObjectNode of(Record source, String streamArn) {
        return of(source, streamArn, field -> true);
    }

    /** @param wanted accepts the names of the fields that are written, of the record and of its {@code dynamodb} */
    static ObjectNode of(Record source, String streamArn, Predicate<String> wanted) {
        Fields fields = new Fields(Json.object(), wanted);
        fields.text("eventID", source.eventID());
        fields.text("eventName", source.eventNameAsString());
        fields.text("eventVersion", source.eventVersion());
        fields.text("eventSource", EVENT_SOURCE);
        fields.text("awsRegion", EmulatedAccount.REGION);
        fields.text("eventSourceARN", streamArn);
        fields.put("dynamodb", () -> change(source.dynamodb(), wanted));
        if (source.userIdentity() != null) {
            fields.put("userIdentity", () -> Json.object()
                    .put("type", source.userIdentity().type())
                    .put("principalId", source.userIdentity().principalId()));
        }
        return fields.json();
    }

    private static ObjectNode change(StreamRecord source, Predicate<String> wanted) {
        Fields fields = new Fields(Json.object(), wanted);
        if (source.approximateCreationDateTime() != null) {
            fields.put(
                    "ApproximateCreationDateTime",
                    () -> LongNode.valueOf(source.approximateCreationDateTime().getEpochSecond()));
        }
        fields.put("Keys", () -> item(source.keys()));
        if (source.hasNewImage()) {
            fields.put("NewImage", () -> item(source.newImage()));
        }
        if (source.hasOldImage()) {
            fields.put("OldImage", () -> item(source.oldImage()));
        }
        fields.text("SequenceNumber", source.sequenceNumber());
        if (source.sizeBytes() != null) {
            fields.put("SizeBytes", () -> LongNode.valueOf(source.sizeBytes()));
        }
        fields.text("StreamViewType", source.streamViewTypeAsString());
        return fields.json();
    }

    /** The fields of an object, without the fields that nobody wants. */
    private record Fields(ObjectNode json, Predicate<String> wanted) {

        void text(String name, String value) {
            put(name, () -> TextNode.valueOf(value));
        }

        void put(String name, Supplier<JsonNode> value) {
            if (wanted.test(name)) {
                json.set(name, value.get());
            }
        }
    }

    private static ObjectNode item(Map<String, AttributeValue> attributes) {
        ObjectNode json = Json.object();
        attributes.forEach((name, value) -> json.set(name, value(value)));
        return json;
    }

    private static ObjectNode value(AttributeValue value) {
        ObjectNode json = Json.object();
        switch (value.type()) {
            case S -> json.put("S", value.s());
            case N -> json.put("N", value.n());
            case B -> json.put("B", base64(value.b()));
            case BOOL -> json.put("BOOL", value.bool());
            case NUL -> json.put("NULL", true);
            case M -> json.set("M", item(value.m()));
            case L -> addAll(json.putArray("L"), value.l(), (array, element) -> array.add(value(element)));
            case SS -> addAll(json.putArray("SS"), value.ss(), ArrayNode::add);
            case NS -> addAll(json.putArray("NS"), value.ns(), ArrayNode::add);
            case BS -> addAll(json.putArray("BS"), value.bs(), (array, bytes) -> array.add(base64(bytes)));
            default -> throw new IllegalArgumentException("a stream record has a value of type " + value.type());
        }
        return json;
    }

    private static <T> void addAll(ArrayNode array, Collection<T> elements, BiConsumer<ArrayNode, T> add) {
        elements.forEach(element -> add.accept(array, element));
    }

    private static String base64(SdkBytes bytes) {
        return Base64.getEncoder().encodeToString(bytes.asByteArrayUnsafe());
    }
}
