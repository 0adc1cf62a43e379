package dev.agenthealth.functions.runtime.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;

/** JSON that callers send: what is read can be written, and is the same then. */
public final class JsonFuzzer {

    private JsonFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        JsonNode tree;
        try {
            tree = Json.received(new String(input, StandardCharsets.UTF_8));
        } catch (UnreadableJsonException refused) {
            return;
        }
        if (!tree.isMissingNode()) {
            String text = Json.text(tree);
            assertThat(Json.text(Json.received(text))).isEqualTo(text);
            Json.sorted(tree);
        }
    }
}
