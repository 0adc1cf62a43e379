package dev.agenthealth.functions.api.signing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** Signed cards, with the key set of their host in the field {@code keySet}. */
public final class CardVerifierFuzzer {

    private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

    private CardVerifierFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        JsonNode read;
        try {
            read = Json.received(new String(input, StandardCharsets.UTF_8));
        } catch (UnreadableJsonException refused) {
            return;
        }
        if (read instanceof ObjectNode card) {
            String served = Json.text(card.path("keySet"));
            CardKeys keys = new CardKeys(() -> List.of(served), address -> Optional.of(served), CLOCK);
            new CardVerifier(keys).verify(card.without("keySet"), "https://agent.example.com/card.json");
        }
    }
}
