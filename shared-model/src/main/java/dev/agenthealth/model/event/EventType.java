package dev.agenthealth.model.event;

import dev.agenthealth.model.WireNamed;
import java.util.Locale;

/** The detail types on the event bus. */
public enum EventType implements WireNamed {
    AUDIT_RECORDED("audit.recorded"),
    AGENT_LIFECYCLE("agent.lifecycle"),
    AGENT_DISMISSED("agent.dismissed"),
    AGENT_CLOCK_DRIFT("agent.clock_drift"),
    AGENT_DRAIN_TIMEOUT("agent.drain_timeout"),
    AGENT_STALLED("agent.stalled"),
    AGENT_STALL_OVER("agent.stall_over"),
    AGENT_RUN_FAILED("agent.run_failed"),
    AGENT_RUN_RECOVERED("agent.run_recovered"),
    AGENT_CERTIFICATE_EXPIRING("agent.certificate_expiring"),
    AGENT_DECLARATION_CHANGED("agent.declaration_changed"),
    AGENT_HEALTH("agent.health"),
    AGENT_SCORE("agent.score"),
    AGENT_TRUST("agent.trust"),
    LEASE_ACQUIRED("lease.acquired"),
    LEASE_RELEASED("lease.released"),
    LEASE_EXPIRED("lease.expired"),
    LEASE_REVOKED("lease.revoked"),
    KEY_EXPIRING("key.expiring"),
    POOL_BELOW_MINIMUM("pool.below_minimum"),
    POOL_RECOVERED("pool.recovered"),
    REGISTRY_BLACKOUT("registry.blackout"),
    REGISTRY_BLACKOUT_OVER("registry.blackout_over"),
    REGISTRY_MASS_SILENCE("registry.mass_silence"),
    REGISTRY_MASS_SILENCE_OVER("registry.mass_silence_over"),
    REGISTRY_MASS_RESTART("registry.mass_restart"),
    REGISTRY_MASS_RESTART_OVER("registry.mass_restart_over"),
    REGISTRY_PROBES_INCONCLUSIVE("registry.probes_inconclusive"),
    REGISTRY_PROBES_INCONCLUSIVE_OVER("registry.probes_inconclusive_over"),
    REGISTRY_CLOCK_STEPPED("registry.clock_stepped"),
    REGISTRY_CLOCK_STEADY("registry.clock_steady");

    private final String wireName;

    EventType(String wireName) {
        this.wireName = wireName;
    }

    /** Returns the detail type that subscribers match. */
    @Override
    public String wireName() {
        return wireName;
    }

    /** Returns a short name that can be part of an id. */
    public String slug() {
        return name().toLowerCase(Locale.ROOT);
    }
}
