package dev.agenthealth.client;

import java.lang.System.Logger.Level;
import java.time.Duration;

/** Logs what changes for one agent, and nothing twice. Guarded by its own lock. */
final class SessionLog {

    private static final System.Logger LOG = System.getLogger("dev.agenthealth.client");

    private String agentId;
    private String reported = "";
    private boolean drifting;

    SessionLog(String agentId) {
        this.agentId = agentId;
    }

    synchronized void registered(AgentRecord record) {
        agentId = record.agentId();
        log(Level.INFO, "is registered with incarnation " + record.incarnation());
        reported = "";
    }

    /** @param drift between this machine's clock and the registry's */
    synchronized void answered(Duration drift, Duration maxDrift) {
        if (!reported.isEmpty()) {
            log(Level.INFO, "is connected again");
            reported = "";
        }
        boolean drifts = drift.compareTo(maxDrift) > 0;
        if (drifts && !drifting) {
            log(Level.WARNING, "has a clock that differs from the registry's by " + drift + "; nothing depends on it");
        }
        drifting = drifts;
    }

    synchronized void failed(AgentHealthException failure) {
        String kind = failure instanceof ProblemException problem
                ? problem.status() + problem.code()
                : failure.getClass().getSimpleName();
        if (!kind.equals(reported)) {
            log(Level.WARNING, "gets no heartbeat through and goes on trying: " + failure.getMessage());
            reported = kind;
        }
    }

    synchronized void outcomesRefused(String detail) {
        log(Level.WARNING, "loses outcomes that the registry refuses: " + detail);
    }

    synchronized void dead(Death death) {
        log(Level.WARNING, "is dead at the registry; incarnation " + death.incarnation() + " holds no leases any more");
    }

    synchronized void ended(AgentEnd end) {
        Level level = end == AgentEnd.DRAINED || end == AgentEnd.CLOSED ? Level.INFO : Level.WARNING;
        log(level, "sends no more heartbeats: " + end);
    }

    private void log(Level level, String message) {
        LOG.log(level, "agent " + agentId + " " + message);
    }
}
