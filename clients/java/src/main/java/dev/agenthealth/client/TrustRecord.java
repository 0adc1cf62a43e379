package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/** The reputation of an agent or a provider, and whether it is blocked (ServiceNet). */
public final class TrustRecord extends Document {

    TrustRecord(JsonNode json) {
        super(json);
    }

    /** The id of the agent, or of the provider. */
    public String id() {
        String agentId = Json.text(node(), "agent_id");
        return agentId.isEmpty() ? Json.text(node(), "provider_id") : agentId;
    }

    /** From 0 to 1. */
    public double reputation() {
        return node().path("reputation_score").asDouble();
    }

    public boolean blocked() {
        return node().path("blocked").asBoolean();
    }

    /** Why it is blocked; empty where no reason is given, or the key may not see it. */
    public String blockReason() {
        return Json.text(node(), "block_reason");
    }

    /** The time at which the block ends; empty where it has no end. */
    public Optional<Instant> blockedUntil() {
        return Json.moment(node(), "blocked_until");
    }
}
