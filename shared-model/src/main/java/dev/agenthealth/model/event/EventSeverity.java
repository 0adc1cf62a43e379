package dev.agenthealth.model.event;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.StallLevel;
import dev.agenthealth.model.registry.usage.UsageLevel;

/** Decides the severity of events whose type has several. It is {@link Severity#INFO} if an event reports no problem. */
final class EventSeverity {

    private EventSeverity() {}

    /**
     * Returns the severity of a change of the lifecycle status (RFC-0016 §2.1). An unhealthy agent may be about to be lost, and a dead agent is
     * lost.
     */
    static Severity of(LifecycleStatus after, LifecycleReason reason) {
        return switch (after) {
            case UNHEALTHY -> Severity.WARNING;
            case DEAD -> reason == LifecycleReason.DRAIN_COMPLETED ? Severity.INFO : Severity.ERROR;
            case REGISTERING, ACTIVE, DRAINING, DEREGISTERED -> Severity.INFO;
        };
    }

    static Severity of(HealthStatus after) {
        return switch (after) {
            case UNHEALTHY -> Severity.ERROR;
            case DEGRADED -> Severity.WARNING;
            case HEALTHY, UNKNOWN -> Severity.INFO;
        };
    }

    static Severity of(ScoreState after) {
        return switch (after) {
            case DEGRADED, UNHEALTHY -> Severity.WARNING;
            case HEALTHY, INACTIVE -> Severity.INFO;
        };
    }

    /** Returns the severity of a stall or a loop. */
    static Severity of(StallLevel level) {
        return switch (level) {
            case ERROR -> Severity.ERROR;
            case WARNING -> Severity.WARNING;
            case NONE -> Severity.INFO;
        };
    }

    /** Returns the severity of the used part of a limit. */
    static Severity of(UsageLevel level) {
        return switch (level) {
            case EXCEEDED -> Severity.ERROR;
            case WARNING -> Severity.WARNING;
            case NONE -> Severity.INFO;
        };
    }

    /** Returns the severity of activity of an agent that is gone, superseded, blocked or stopped. */
    static Severity ofGhost(boolean error) {
        return error ? Severity.ERROR : Severity.WARNING;
    }

    /** Returns the severity of an expiring certificate. */
    static Severity ofCertificate(boolean urgent) {
        return urgent ? Severity.ERROR : Severity.WARNING;
    }

    /** Returns the severity of a changed declaration. */
    static Severity ofDeclaration(boolean changed) {
        return changed ? Severity.WARNING : Severity.INFO;
    }

    /** Returns the severity of a decision about an agent or a provider. */
    static Severity ofTrust(boolean blocked) {
        return blocked ? Severity.WARNING : Severity.INFO;
    }

    /** Returns the severity of a pool below its minimum. */
    static Severity ofPool(long activeInstances) {
        return activeInstances == 0 ? Severity.CRITICAL : Severity.ERROR;
    }
}
