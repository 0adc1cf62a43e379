package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.gateway.a2a.A2aCall.Operation;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.model.registry.profile.A2aBinding;
import dev.agenthealth.model.registry.profile.A2aProtocol;
import dev.agenthealth.model.registry.profile.A2aVersion;

/** Answers of agents to calls of A2A. */
public final class A2aAnswerFuzzer {

    private A2aAnswerFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        for (A2aVersion version : A2aVersion.values()) {
            try {
                JsonNode result = A2aAnswer.result("1", input);
                JsonNode answer = A2aAnswer.ofMessage(version, result);
                A2aResult.taskId(answer);
                for (A2aVersion shown : A2aVersion.values()) {
                    A2aResult.of(answer, shown);
                    A2aResult.task(answer, shown);
                }
            } catch (CallFailedException refused) {
                // Says why.
            }
            for (Operation operation : Operation.values()) {
                A2aWire wire = A2aWire.of(
                        new A2aRequest(version, "1", operation, Json.object()),
                        new A2aProtocol(version, A2aBinding.HTTP_JSON, ""));
                try {
                    JsonNode answer = wire.read(input);
                    A2aResult.of(answer, version);
                    A2aResult.task(answer, version);
                } catch (CallFailedException refused) {
                    wire.failure(refused);
                }
            }
        }
    }
}
