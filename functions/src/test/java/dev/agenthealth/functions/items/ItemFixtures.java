package dev.agenthealth.functions.items;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.StreamSupport;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items as DynamoDB's own JSON, in which the fixtures keep them. */
final class ItemFixtures {

    /** Where the fixtures of one released layout are. */
    static final String FOLDER = "items/1/";

    static final String ITEMS = "items.json";
    static final String ANSWERS = "answers.json";

    private ItemFixtures() {}

    static ObjectNode json(Map<String, AttributeValue> item) {
        ObjectNode json = Json.object();
        item.keySet().stream().sorted().forEach(name -> json.set(name, json(item.get(name))));
        return json;
    }

    static Map<String, AttributeValue> item(JsonNode json) {
        Map<String, AttributeValue> item = new HashMap<>();
        json.properties().forEach(field -> item.put(field.getKey(), value(field.getValue())));
        return item;
    }

    private static ObjectNode json(AttributeValue value) {
        ObjectNode json = Json.object();
        switch (value.type()) {
            case S -> json.put("S", value.s());
            case N -> json.put("N", value.n());
            case B -> json.put("B", Base64.getEncoder().encodeToString(value.b().asByteArray()));
            case BOOL -> json.put("BOOL", value.bool());
            case M -> json.set("M", json(value.m()));
            case L -> {
                ArrayNode list = json.putArray("L");
                value.l().forEach(element -> list.add(json(element)));
            }
            case SS -> {
                ArrayNode set = json.putArray("SS");
                value.ss().stream().sorted().forEach(set::add);
            }
            case BS -> {
                ArrayNode set = json.putArray("BS");
                value.bs().stream()
                        .map(bytes -> Base64.getEncoder().encodeToString(bytes.asByteArray()))
                        .sorted()
                        .forEach(set::add);
            }
            default -> throw new IllegalArgumentException("no item has an attribute of type " + value.type());
        }
        return json;
    }

    private static AttributeValue value(JsonNode json) {
        Map.Entry<String, JsonNode> typed = json.properties().iterator().next();
        JsonNode value = typed.getValue();
        return switch (typed.getKey()) {
            case "S" -> AttributeValue.fromS(value.asText());
            case "N" -> AttributeValue.fromN(value.asText());
            case "B" -> AttributeValue.fromB(bytes(value));
            case "BOOL" -> AttributeValue.fromBool(value.asBoolean());
            case "M" -> AttributeValue.fromM(item(value));
            case "L" ->
                AttributeValue.fromL(StreamSupport.stream(value.spliterator(), false)
                        .map(ItemFixtures::value)
                        .toList());
            case "SS" ->
                AttributeValue.fromSs(StreamSupport.stream(value.spliterator(), false)
                        .map(JsonNode::asText)
                        .toList());
            case "BS" ->
                AttributeValue.fromBs(StreamSupport.stream(value.spliterator(), false)
                        .map(ItemFixtures::bytes)
                        .toList());
            default -> throw new IllegalArgumentException("unknown type " + typed.getKey());
        };
    }

    private static SdkBytes bytes(JsonNode value) {
        return SdkBytes.fromByteArray(Base64.getDecoder().decode(value.asText()));
    }
}
