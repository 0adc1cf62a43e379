package dev.agenthealth.functions.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Page tokens that this system did not make open to nothing. */
public final class TokenCipherFuzzer {

    private static final TokenCipher CIPHER = new TokenCipher(() -> new byte[32], () -> Optional.of(new byte[32]));

    private TokenCipherFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String token = new String(input, StandardCharsets.UTF_8);
        assertThat(CIPHER.open(token, "query")).isEmpty();
        String own = CIPHER.seal(token, "query");
        assertThat(CIPHER.open(own, "query"))
                .contains(new String(token.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
        assertThat(CIPHER.open(own, "other query")).isEmpty();
    }
}
