package dev.agenthealth.client;

import java.time.Instant;
import java.util.Optional;

/**
 * Thrown on 409 {@code agent_already_running}: the agent runs elsewhere. Another instance takes over when the running instance ends or
 * sends no heartbeats for two intervals. {@link #retryAfter} returns the time until the next attempt.
 */
public final class AgentAlreadyRunningException extends ConflictException {

    private static final long serialVersionUID = 1L;

    AgentAlreadyRunningException(Refusal refusal) {
        super(refusal);
    }

    /** Returns the instance in which the agent runs. */
    public String instance() {
        return Json.text(document(), "running_instance");
    }

    /** Returns the time of its last heartbeat. */
    public Optional<Instant> lastHeartbeatAt() {
        return Json.moment(document(), "last_heartbeat_at");
    }
}
