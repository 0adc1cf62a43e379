package dev.agenthealth.local.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** The answers of one system so far, by the names of the steps. Not thread-safe. */
final class Answers {

    private final Map<String, JsonNode> byStep = new HashMap<>();

    void add(String step, JsonNode answer) {
        byStep.put(step, answer);
    }

    /** The whole answer; a missing node where there was none. */
    JsonNode of(String step) {
        return byStep.getOrDefault(step, MissingNode.getInstance());
    }

    /** The JSON in the answer's body; a missing node where there was none. */
    JsonNode body(String step) {
        return body(of(step));
    }

    /** The JSON in an answer's body; a missing node where it has none. */
    static JsonNode body(JsonNode answer) {
        try {
            return Json.read(answer.path("body").asText());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
