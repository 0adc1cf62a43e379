package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The health of an agent in the registry.
 *
 * @param shown the health status in the public document
 * @param status the health status for callers with a key
 * @param scoreState the state of its score
 */
record FoundHealth(String shown, String status, String scoreState) {

    /** Reads the health without and with a key. */
    static FoundHealth of(String agentId, RegistryHttp registry) {
        RegistryHttp.Answer document = registry.withoutKey().get("/agents/" + agentId + "/.well-known/agent-health");
        RegistryHttp.Answer score = registry.get("/api/v1/agents/" + agentId + "/health");
        return new FoundHealth(
                word(document, document.json().path("health").path("status")),
                word(score, score.json().path("health_status")),
                word(score, score.json().path("state")));
    }

    private static String word(RegistryHttp.Answer answer, JsonNode word) {
        return switch (answer.status()) {
            case 200 -> word.asText();
            case 410 -> ExpectedHealth.GONE;
            default -> "refused with " + answer.status();
        };
    }
}
