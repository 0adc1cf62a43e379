package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.Optional;

/**
 * The heartbeat of one agent in a request that may carry several heartbeats.
 *
 * @param url the URL of the agent's heartbeats; empty for the registry's own address
 * @param carriesOutcomes true if it carries a batch of the agent's outcomes
 */
record HeartbeatEntry(
        AgentSession session, String agentId, Optional<URI> url, ObjectNode json, boolean carriesOutcomes) {

    private static final String PATH = "/api/v1/agents/%s/heartbeat";

    /** Returns the URL for heartbeats of several agents; empty if this heartbeat has to be sent alone. */
    Optional<String> batchUrl(String registry) {
        String address = url.map(URI::toString).orElse(registry + PATH.formatted(agentId));
        String end = PATH.formatted(agentId);
        return address.endsWith(end)
                ? Optional.of(address.substring(0, address.length() - end.length()) + "/api/v1/heartbeats")
                : Optional.empty();
    }

    /** Returns the URL for this heartbeat alone. */
    URI aloneUrl(String registry) {
        return url.orElseGet(() -> URI.create(registry + PATH.formatted(agentId)));
    }
}
