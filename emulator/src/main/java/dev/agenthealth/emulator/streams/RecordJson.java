package dev.agenthealth.emulator.streams;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.EmulatedAccount;
import dev.agenthealth.emulator.support.Json;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.function.BiConsumer;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;

/** Writes stream records as the JSON that Lambda filters and passes to functions. */
final class RecordJson {

    private RecordJson() {}

    /** @param streamArn ARN of the stream that the record was read from */
    static ObjectNode of(Record source, String streamArn) {
        ObjectNode json = withoutImages(source, streamArn);
        ObjectNode change = (ObjectNode) json.get("dynamodb");
        if (source.dynamodb().hasNewImage()) {
            change.set("NewImage", item(source.dynamodb().newImage()));
        }
        if (source.dynamodb().hasOldImage()) {
            change.set("OldImage", item(source.dynamodb().oldImage()));
        }
        return json;
    }

    /** Returns everything but the item before and after the change. */
    static ObjectNode withoutImages(Record source, String streamArn) {
        ObjectNode json = Json.object();
        json.put("eventID", source.eventID())
                .put("eventName", source.eventNameAsString())
                .put("eventVersion", source.eventVersion())
                .put("eventSource", "aws:dynamodb")
                .put("awsRegion", EmulatedAccount.REGION)
                .put("eventSourceARN", streamArn);
        json.set("dynamodb", change(source.dynamodb()));
        if (source.userIdentity() != null) {
            json.putObject("userIdentity")
                    .put("type", source.userIdentity().type())
                    .put("principalId", source.userIdentity().principalId());
        }
        return json;
    }

    /** Returns the sequence number of a record written by {@link #of}. */
    static String sequenceNumber(ObjectNode json) {
        return json.path("dynamodb").path("SequenceNumber").asText();
    }

    private static ObjectNode change(StreamRecord source) {
        ObjectNode json = Json.object();
        if (source.approximateCreationDateTime() != null) {
            json.put(
                    "ApproximateCreationDateTime",
                    source.approximateCreationDateTime().getEpochSecond());
        }
        json.set("Keys", item(source.keys()));
        json.put("SequenceNumber", source.sequenceNumber());
        json.put("SizeBytes", source.sizeBytes());
        return json.put("StreamViewType", source.streamViewTypeAsString());
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
