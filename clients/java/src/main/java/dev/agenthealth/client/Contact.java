package dev.agenthealth.client;

import java.time.Instant;
import java.util.Optional;

/** When the registry last answered an agent, and why it did not since. Thread-safe. */
final class Contact {

    private Optional<Instant> answeredAt = Optional.empty();
    private Optional<AgentHealthException> failure = Optional.empty();

    synchronized void answered(Instant now) {
        answeredAt = Optional.of(now);
        failure = Optional.empty();
    }

    synchronized void failed(AgentHealthException newFailure) {
        failure = Optional.of(newFailure);
    }

    synchronized Optional<Instant> answeredAt() {
        return answeredAt;
    }

    /** Why the last request failed; empty where it did not. */
    synchronized Optional<AgentHealthException> failure() {
        return failure;
    }
}
