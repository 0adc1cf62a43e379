package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/** The reputation of an agent or a provider, and whether it is blocked (ServiceNet). */
public final class TrustRecord extends Document {

    TrustRecord(JsonNode json) {
        super(json);
    }

    /** Returns the id of the agent or the provider. */
    public String id() {
        String agentId = Json.text(node(), "agent_id");
        return agentId.isEmpty() ? Json.text(node(), "provider_id") : agentId;
    }

    /** Returns the reputation, from 0 to 1. */
    public double reputation() {
        return node().path("reputation_score").asDouble();
    }

    public boolean blocked() {
        return node().path("blocked").asBoolean();
    }

    /** Returns whether a stop refuses the calls, and the agent has no block of its own. */
    public boolean stopped() {
        return node().path("stopped").asBoolean();
    }

    /** Returns the reason of the block; empty if no reason was given, or the key may not see it. */
    public String blockReason() {
        return Json.text(node(), "block_reason");
    }

    /** Returns the end of the block; empty if it has no end. */
    public Optional<Instant> blockedUntil() {
        return Json.moment(node(), "blocked_until");
    }
}
