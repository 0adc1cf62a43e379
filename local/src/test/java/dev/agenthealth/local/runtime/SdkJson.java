package dev.agenthealth.local.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.core.protocol.MarshallingType;
import software.amazon.awssdk.core.traits.ListTrait;
import software.amazon.awssdk.core.traits.MapTrait;
import software.amazon.awssdk.utils.builder.Buildable;

/** Reads requests and writes answers of the SDK's model in AWS's JSON protocol: the other side of what a client does. */
final class SdkJson {

    private SdkJson() {}

    /** The request that a builder makes of this JSON. */
    static Object read(JsonNode json, SdkPojo builder) {
        for (SdkField<?> field : builder.sdkFields()) {
            JsonNode value = json.path(field.locationName());
            if (!value.isMissingNode() && !value.isNull()) {
                field.set(builder, value(field, value));
            }
        }
        return ((Buildable) builder).build();
    }

    private static Object value(SdkField<?> field, JsonNode json) {
        MarshallingType<?> type = field.marshallingType();
        if (type == MarshallingType.SDK_POJO) {
            return read(json, field.constructor().get());
        }
        if (type == MarshallingType.LIST) {
            SdkField<?> member = field.getTrait(ListTrait.class).memberFieldInfo();
            List<Object> list = new ArrayList<>();
            json.forEach(element -> list.add(value(member, element)));
            return list;
        }
        if (type == MarshallingType.MAP) {
            SdkField<?> member = field.getTrait(MapTrait.class).valueFieldInfo();
            Map<String, Object> map = new LinkedHashMap<>();
            json.properties().forEach(entry -> map.put(entry.getKey(), value(member, entry.getValue())));
            return map;
        }
        if (type == MarshallingType.SDK_BYTES) {
            return bytes(json);
        }
        if (type == MarshallingType.INSTANT) {
            BigDecimal millis = json.decimalValue().movePointRight(3);
            return Instant.ofEpochMilli(millis.toBigInteger().longValueExact());
        }
        if (type == MarshallingType.INTEGER) {
            return json.asInt();
        }
        return type == MarshallingType.BOOLEAN ? (Object) json.asBoolean() : json.asText();
    }

    private static SdkBytes bytes(JsonNode json) {
        try {
            return SdkBytes.fromByteArrayUnsafe(json.binaryValue());
        } catch (IOException e) {
            throw new IllegalArgumentException("not Base64", e);
        }
    }

    /** An answer as JSON. */
    static ObjectNode write(SdkPojo pojo) {
        ObjectNode json = Json.object();
        for (SdkField<?> field : pojo.sdkFields()) {
            Object value = field.getValueOrDefault(pojo);
            if (value instanceof List<?> list) {
                ArrayNode array = json.putArray(field.locationName());
                list.forEach(element -> array.add(write((SdkPojo) element)));
            } else if (value instanceof SdkBytes bytes) {
                json.put(field.locationName(), Base64.getEncoder().encodeToString(bytes.asByteArrayUnsafe()));
            } else if (value instanceof Integer number) {
                json.put(field.locationName(), number);
            } else if (value instanceof String text) {
                json.put(field.locationName(), text);
            }
        }
        return json;
    }
}
