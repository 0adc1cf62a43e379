package dev.agenthealth.client;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The last answer to an agent, and the reason of a later failure. It logs each change once. The session's lock guards it. */
final class ConnectionState {

    private static final System.Logger LOG = System.getLogger("dev.agenthealth.client");

    private Optional<Instant> answeredAt = Optional.empty();
    private Optional<AgentHealthException> failure = Optional.empty();
    private String logged = "";
    private boolean drifting;

    Optional<Instant> answeredAt() {
        return answeredAt;
    }

    /** Returns the failure of the last request; empty if it succeeded. */
    Optional<AgentHealthException> failure() {
        return failure;
    }

    void registered(AgentRecord record, Instant now) {
        answeredAt = Optional.of(now);
        failure = Optional.empty();
        logged = "";
        log(Level.INFO, record.agentId(), "is registered with incarnation " + record.incarnation());
    }

    /** @param drift the difference between this machine's clock and the registry's clock */
    void answered(String agentId, Instant now, Duration drift, Duration maxDrift) {
        answeredAt = Optional.of(now);
        failure = Optional.empty();
        if (!logged.isEmpty()) {
            log(Level.INFO, agentId, "is connected again");
            logged = "";
        }
        boolean drifts = drift.compareTo(maxDrift) > 0;
        if (drifts && !drifting) {
            log(Level.WARNING, agentId, "has a clock that differs from the registry's by " + drift);
        }
        drifting = drifts;
    }

    /** Keeps a failure; returns true if it is of another kind than the failure before. */
    boolean failed(String agentId, AgentHealthException newFailure) {
        failure = Optional.of(newFailure);
        String kind = newFailure instanceof ProblemException problem
                ? problem.status() + problem.code()
                : newFailure.getClass().getSimpleName();
        if (kind.equals(logged)) {
            return false;
        }
        log(Level.WARNING, agentId, meaning(newFailure) + ": " + newFailure.getMessage());
        logged = kind;
        return true;
    }

    private static String meaning(AgentHealthException failure) {
        if (failure instanceof AgentAlreadyRunningException) {
            return "waits to take over";
        }
        if (failure instanceof UnauthenticatedException) {
            return "is refused and retries (is the key right?)";
        }
        return failure.isRefusedKey() ? "is refused and retries" : "cannot reach the registry and retries";
    }

    static void log(Level level, String agentId, String message) {
        LOG.log(level, "agent " + agentId + " " + message);
    }
}
