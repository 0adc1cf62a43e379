package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/** A lease as the registry shows it. */
public final class LeaseRecord extends Document {

    LeaseRecord(JsonNode json) {
        super(json);
    }

    public String id() {
        return Json.text(node(), "id");
    }

    public String intentId() {
        return Json.text(node(), "intent_id");
    }

    public String scope() {
        return Json.text(node(), "scope");
    }

    /** Returns the agent that holds or held the lease. */
    public String agentId() {
        return Json.text(node(), "agent_id");
    }

    /** Returns {@code active}, {@code released}, {@code expired} or {@code revoked}. */
    public String status() {
        return Json.text(node(), "status");
    }

    public long fencingToken() {
        return node().path("fencing_token").asLong();
    }

    public Optional<Instant> expiresAt() {
        return Json.moment(node(), "expires_at");
    }

    /** Returns why the lease ended, such as {@code agent_dead}; empty if it is active or was released. */
    public String reason() {
        return Json.text(node(), "reason");
    }
}
