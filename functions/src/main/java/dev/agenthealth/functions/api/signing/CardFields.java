package dev.agenthealth.functions.api.signing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.util.HashMap;
import java.util.Map;

/** The fields of a card of A2A 1.0 ({@code specification/a2a.proto}), except for its signatures. */
final class CardFields {

    private static final String ROOT = "card";

    /**
     * The types, one per line, each with its fields. A field marked {@code !} stays at its default because it is required, a field marked
     * {@code ?} stays because it was set. {@code =} names the type of the value or of its elements, {@code *} the type of the values of a
     * map.
     */
    private static final Map<String, Map<String, Field>> TYPES = types(
            """
            card name! description! supportedInterfaces!=interface provider=provider version! documentationUrl? capabilities!=capabilities \
            securitySchemes*scheme securityRequirements=requirement defaultInputModes! defaultOutputModes! skills!=skill iconUrl?
            interface url! protocolBinding! tenant protocolVersion!
            provider url! organization!
            capabilities streaming? pushNotifications? extensions=extension extendedAgentCard?
            extension uri description required params?
            skill id! name! description! tags! examples inputModes outputModes securityRequirements=requirement
            requirement schemes*scopes
            scopes list
            scheme apiKeySecurityScheme?=apiKey httpAuthSecurityScheme?=http oauth2SecurityScheme?=oauth2 \
            openIdConnectSecurityScheme?=openIdConnect mtlsSecurityScheme?=mtls
            apiKey description location! name!
            http description scheme! bearerFormat
            oauth2 description flows!=flows oauth2MetadataUrl
            openIdConnect description openIdConnectUrl!
            mtls description
            flows authorizationCode?=code clientCredentials?=flow implicit?=deprecated password?=deprecated deviceCode?=flow
            code authorizationUrl! tokenUrl! refreshUrl scopes! pkceRequired
            flow deviceAuthorizationUrl tokenUrl! refreshUrl scopes!
            deprecated authorizationUrl tokenUrl refreshUrl scopes
            """);

    private CardFields() {}

    private record Field(boolean stays, boolean isMap, String type) {}

    private static Map<String, Map<String, Field>> types(String table) {
        Map<String, Map<String, Field>> types = new HashMap<>();
        for (String line : table.lines().toList()) {
            String[] words = line.split(" +");
            Map<String, Field> fields = new HashMap<>();
            for (int i = 1; i < words.length; i++) {
                String[] nameAndType = words[i].split("[=*]", 2);
                String name = nameAndType[0].replaceAll("[!?]", "");
                fields.put(
                        name,
                        new Field(
                                !name.equals(nameAndType[0]),
                                words[i].contains("*"),
                                nameAndType.length == 1 ? "" : nameAndType[1]));
            }
            types.put(words[0], fields);
        }
        return types;
    }

    /** Returns the card without fields that A2A does not have, and without optional fields that have their default value. */
    static ObjectNode known(ObjectNode card) {
        return known(card, ROOT);
    }

    private static ObjectNode known(JsonNode object, String type) {
        ObjectNode known = Json.object();
        Map<String, Field> fields = TYPES.get(type);
        object.properties().forEach(given -> {
            Field field = fields.get(given.getKey());
            if (field != null && !given.getValue().isNull()) {
                JsonNode value = value(given.getValue(), field);
                if (field.stays() || !isDefault(value, field)) {
                    known.set(given.getKey(), value);
                }
            }
        });
        return known;
    }

    private static JsonNode value(JsonNode value, Field field) {
        if (field.type().isEmpty()) {
            return value;
        }
        if (value.isArray()) {
            ArrayNode elements = JsonNodeFactory.instance.arrayNode();
            value.forEach(element -> elements.add(typed(element, field)));
            return elements;
        }
        if (field.isMap() && value.isObject()) {
            ObjectNode values = Json.object();
            value.properties().forEach(entry -> values.set(entry.getKey(), typed(entry.getValue(), field)));
            return values;
        }
        return typed(value, field);
    }

    private static JsonNode typed(JsonNode value, Field field) {
        return value.isObject() ? known(value, field.type()) : value;
    }

    /** Returns whether a value is the field's default. An object is a message, which is present even without a field; an empty map is not. */
    private static boolean isDefault(JsonNode value, Field field) {
        return value.isContainerNode()
                ? value.isEmpty()
                        && (value.isArray() || field.isMap() || field.type().isEmpty())
                : value.isTextual() && value.textValue().isEmpty() || value.isBoolean() && !value.booleanValue();
    }
}
