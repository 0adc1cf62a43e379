package dev.agenthealth.model.health;

import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Instant;
import java.util.Optional;

/** The health of the registry itself, which is stored like an agent's. */
public final class RegistryHealth {

    /** The id under which it is kept; no agent can have it, as ids start with a letter or digit. */
    public static final String ID = "~registry";

    private RegistryHealth() {}

    /**
     * The registry's health as it is read now: unknown, and without figures, where it was never computed or not lately. It is due again as soon
     * as it is computed.
     *
     * @param computed the health as it was computed last
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
