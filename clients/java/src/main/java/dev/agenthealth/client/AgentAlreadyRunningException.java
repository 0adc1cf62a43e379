package dev.agenthealth.client;

import java.time.Instant;
import java.util.Optional;

/**
 * 409 {@code agent_already_running}: the agent runs elsewhere. Another instance takes over when that one has ended or has been silent for two
 * intervals; {@link #retryAfter} says when to try again.
 */
public final class AgentAlreadyRunningException extends ConflictException {

    private static final long serialVersionUID = 1L;

    AgentAlreadyRunningException(Refusal refusal) {
        super(refusal);
    }

    /** Where it runs. */
    public String instance() {
        return Json.text(document(), "running_instance");
    }

    /** Returns when its last heartbeat came. */
    public Optional<Instant> lastHeartbeatAt() {
        return Json.moment(document(), "last_heartbeat_at");
    }
}
