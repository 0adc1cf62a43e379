package dev.agenthealth.functions.api.identity;

import dev.agenthealth.functions.runtime.http.ApiError;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Tokens of identity providers, before their signature is verified. */
public final class TokenFuzzer {

    private TokenFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        try {
            Token token = Token.of(text);
            token.signature();
            token.signed();
            token.period().refusal(false, Instant.EPOCH);
            token.claims().values("aud");
            token.claims().shownName(false);
        } catch (ApiError refused) {
            // Says why.
        }
    }
}
