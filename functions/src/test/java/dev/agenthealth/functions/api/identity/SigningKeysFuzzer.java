package dev.agenthealth.functions.api.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Key sets and metadata of identity providers. */
public final class SigningKeysFuzzer {

    private static final String[] ALGORITHMS = {"RS256", "PS256", "ES256", "ES384", "EdDSA"};

    private static Token token(String algorithm) {
        String header = encoded("{\"alg\":\"" + algorithm + "\",\"kid\":\"1\"}");
        return Token.of(header + "."
                + encoded(
                        """
                        {"iss":"i","sub":"s","exp":4000000000,"iat":1}\
                        """)
                + ".c2lnbmF0dXJl");
    }

    private static String encoded(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    private SigningKeysFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        SigningKeys.of(text).ifPresent(keys -> {
            String kept = keys.json();
            assertThat(SigningKeys.of(kept).orElseThrow().json()).isEqualTo(kept);
            keys.find("1").forEach(key -> {
                for (String algorithm : ALGORITHMS) {
                    SigningKeys.verifies(key, token(algorithm));
                }
            });
        });
        try {
            JsonNode document = Json.received(text);
            ProviderMetadata.of(document.path("issuer").asText(), document);
        } catch (UnreadableJsonException refused) {
            // Not a document.
        }
    }
}
