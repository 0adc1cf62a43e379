package dev.agenthealth.model.health;

import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Instant;
import java.util.Optional;

/** The health of the registry itself. It is stored like the health of an agent. */
public final class RegistryHealth {

    /** The registry's id. No agent can have it, as ids start with a letter or digit. */
    public static final String ID = "~registry";

    private RegistryHealth() {}

    /**
     * Returns the registry's health at the moment of a read. It is unknown and has no figures if it was never computed, or not lately.
     *
     * @param computed the last computed health
     */
    public static HealthReading reading(Optional<AgentHealth> computed, Instant now) {
        AgentHealth health = computed.orElseGet(RegistryHealth::never);
        HealthRule.Lifecycle lifecycle = new HealthRule.Lifecycle(health.lifecycle(), Instant.MIN);
        return new HealthReading(health, lifecycle, now).ifDueSince(health.computedAt());
    }

    private static AgentHealth never() {
        return HealthRule.computed(
                ID,
                new HealthSubject("", false, false, Instant.MIN, Restarts.NONE, Instant.MIN, Instant.MIN),
                new Measurement(Expectations.NONE, OutcomeCounts.NONE, 0, 0, 0, 0, 1),
                new HealthRule.Lifecycle(LifecycleStatus.ACTIVE, Instant.MIN),
                Optional.empty(),
                Instant.MIN);
    }
}
