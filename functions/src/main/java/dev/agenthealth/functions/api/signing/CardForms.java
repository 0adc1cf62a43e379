package dev.agenthealth.functions.api.signing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Returns the bytes of a card that a signature may cover. The specification keeps required fields that are empty (§8.4.1); the official
 * SDKs drop all empty fields. Both drop fields that A2A does not have, such as fields of version 0.3 that an SDK adds when it serves a
 * card.
 */
final class CardForms {

    private static final String SIGNATURES = "signatures";

    private CardForms() {}

    /**
     * Returns the forms that the registry signs, without repeats. The form of the SDKs is first, and is nearly always the only form.
     *
     * @throws IllegalArgumentException if the card has no canonical form
     */
    static List<byte[]> toSign(ObjectNode card) {
        ObjectNode known = CardFields.known(card);
        return distinct(List.of(withoutEmpty(known), known));
    }

    /**
     * Returns the forms by which a signature is verified: the forms of {@link #toSign}, and the card as it was received. The received card
     * covers fields that A2A adds after 1.0.
     *
     * @throws IllegalArgumentException if the card has no canonical form
     */
    static List<byte[]> toVerify(ObjectNode card) {
        ObjectNode known = CardFields.known(card);
        ObjectNode received = card.deepCopy();
        received.remove(SIGNATURES);
        return distinct(List.of(withoutEmpty(known), known, received));
    }

    private static List<byte[]> distinct(List<? extends JsonNode> trees) {
        Set<ByteBuffer> forms = new LinkedHashSet<>();
        trees.forEach(tree -> forms.add(ByteBuffer.wrap(CanonicalJson.of(tree))));
        List<byte[]> bytes = new ArrayList<>();
        forms.forEach(form -> bytes.add(form.array()));
        return bytes;
    }

    private static JsonNode withoutEmpty(JsonNode node) {
        if (node.isObject()) {
            ObjectNode kept = Json.object();
            node.properties().forEach(field -> {
                JsonNode value = withoutEmpty(field.getValue());
                if (!isEmpty(value)) {
                    kept.set(field.getKey(), value);
                }
            });
            return kept;
        }
        if (node.isArray()) {
            ArrayNode kept = JsonNodeFactory.instance.arrayNode();
            node.forEach(element -> {
                JsonNode value = withoutEmpty(element);
                if (!isEmpty(value)) {
                    kept.add(value);
                }
            });
            return kept;
        }
        return node;
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isNull()
                || value.isContainerNode() && value.isEmpty()
                || value.isTextual() && value.textValue().isEmpty();
    }
}
