package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What the registry tells of an agent's health.
 *
 * @param shown the health status that everybody is shown
 * @param status the health status that those see who have to do with the agent
 * @param scoreState the state of its score
 */
record FoundHealth(String shown, String status, String scoreState) {

    /** Asks the registry, once without a key and once with one. */
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
