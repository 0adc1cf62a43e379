package dev.agenthealth.benchmarks.load;

import java.time.Instant;

/** The requests that registries have in common, in the form of each registry. */
enum Dialect {

    /** The registry of this project. */
    AGENT_HEALTH("/api/v1/agents"),

    /** The reference server of OpenIntent, the home of RFC-0016. */
    OPENINTENT("/api/v1/agents/register");

    private final String registrationPath;

    Dialect(String registrationPath) {
        this.registrationPath = registrationPath;
    }

    byte[] registration(String agentId, int number, String key) {
        return Request.post(registrationPath, key, "{" + declaration(agentId, number) + "}");
    }

    /** Returns a request that registers a live agent anew. */
    byte[] replacement(String agentId, int number, String key) {
        return Request.post(registrationPath, key, "{\"replace\":true," + declaration(agentId, number) + "}");
    }

    private static String declaration(String agentId, int number) {
        return "\"agent_id\":\"" + agentId + "\",\"role_id\":\"role-" + number % Fleet.ROLES
                + "\",\"capabilities\":[\"benchmark\",\"skill-" + number % 10
                + "\"],\"capacity\":{\"max_concurrent_tasks\":8},\"heartbeat_config\":{\"interval_seconds\":3600,"
                + "\"unhealthy_after_seconds\":7200,\"dead_after_seconds\":14400}";
    }

    byte[] heartbeat(String agentId, Instant now, String key) {
        return Request.post(
                "/api/v1/agents/" + agentId + "/heartbeat",
                key,
                "{\"status\":\"active\",\"current_load\":1,\"tasks_in_progress\":[],\"client_timestamp\":\"" + now
                        + "\"}");
    }
}
