package dev.agenthealth.functions.health;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agenthealth.functions.registry.declarations.DeclaredDocuments;
import dev.agenthealth.functions.runtime.json.Json;
import java.nio.charset.StandardCharsets;

/** The card of an agent, of which cards of the gateway repeat parts, and whose changes are noticed. */
public final class OwnCardFuzzer {

    private static final JsonMapper MAPPER = new JsonMapper();

    private OwnCardFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        try {
            JsonNode card = MAPPER.readTree(new String(input, StandardCharsets.UTF_8));
            Json.received(Json.text(OwnCard.of(card).shown()));
            DeclaredDocuments.ofCard(card).digest();
        } catch (JsonProcessingException refused) {
            // Not a card.
        }
    }
}
