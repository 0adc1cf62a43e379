package dev.agenthealth.functions.sweep.probes;

import dev.agenthealth.functions.registry.declarations.DeclaredDocuments;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.functions.runtime.outbound.HttpAnswer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Answers of MCP servers to a probe, one a line. */
public final class McpProbeFuzzer {

    private McpProbeFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Iterator<String> answers =
                new String(input, StandardCharsets.UTF_8).lines().iterator();
        McpProbe probe = new McpProbe(new McpProbe.Connection() {

            @Override
            public HttpAnswer post(String message, Map<String, String> headers, Predicate<String> isAnswer) {
                String answer = answers.hasNext() ? answers.next() : "";
                isAnswer.test(answer);
                return new HttpAnswer(200, "session", false, answer, Optional.empty());
            }

            @Override
            public boolean hasCredential() {
                return false;
            }

            @Override
            public void delete(Map<String, String> headers) {}
        });
        try {
            probe.failure();
            probe.tools().ifPresent(DeclaredDocuments::ofTools);
            probe.end();
        } catch (UnreadableJsonException refused) {
            // The server does not count as alive.
        }
    }
}
