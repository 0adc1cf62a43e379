package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.EventType;
import java.util.Optional;

/** The kind of a problem. All problems of a subject have the same kind. */
public enum ProblemKind implements WireNamed {
    /** An agent is unhealthy or dead. */
    LIFECYCLE,
    HEALTH,
    SCORE,
    STALL,
    /** The last run of a job failed. */
    RUN,
    CLOCK_DRIFT,
    DRAIN_TIMEOUT,
    CERTIFICATE,
    DECLARATION,
    /** An agent or a provider is blocked. */
    BLOCK,
    POOL,
    REGISTRY;

    /** Returns the kind of problem that events of a type are about; empty if the type is about no problem. */
    public static Optional<ProblemKind> of(EventType type) {
        return switch (type) {
            case AGENT_LIFECYCLE, AGENT_DISMISSED -> Optional.of(LIFECYCLE);
            case AGENT_HEALTH -> Optional.of(HEALTH);
            case AGENT_SCORE -> Optional.of(SCORE);
            case AGENT_STALLED, AGENT_STALL_OVER -> Optional.of(STALL);
            case AGENT_RUN_FAILED, AGENT_RUN_RECOVERED -> Optional.of(RUN);
            case AGENT_CLOCK_DRIFT -> Optional.of(CLOCK_DRIFT);
            case AGENT_DRAIN_TIMEOUT -> Optional.of(DRAIN_TIMEOUT);
            case AGENT_CERTIFICATE_EXPIRING -> Optional.of(CERTIFICATE);
            case AGENT_DECLARATION_CHANGED -> Optional.of(DECLARATION);
            case AGENT_TRUST -> Optional.of(BLOCK);
            case POOL_BELOW_MINIMUM, POOL_RECOVERED -> Optional.of(POOL);
            case REGISTRY_BLACKOUT,
                    REGISTRY_BLACKOUT_OVER,
                    REGISTRY_MASS_SILENCE,
                    REGISTRY_MASS_SILENCE_OVER,
                    REGISTRY_MASS_RESTART,
                    REGISTRY_MASS_RESTART_OVER,
                    REGISTRY_PROBES_INCONCLUSIVE,
                    REGISTRY_PROBES_INCONCLUSIVE_OVER,
                    REGISTRY_CLOCK_STEPPED,
                    REGISTRY_CLOCK_STEADY -> Optional.of(REGISTRY);
            case AUDIT_RECORDED, KEY_EXPIRING, LEASE_ACQUIRED, LEASE_RELEASED, LEASE_EXPIRED, LEASE_REVOKED ->
                Optional.empty();
        };
    }
}
