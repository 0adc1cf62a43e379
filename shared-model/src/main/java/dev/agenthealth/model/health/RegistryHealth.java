package dev.agenthealth.model.health;

import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.profile.Expectations;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The health of the registry itself, which is kept like an agent's, though no agent stands behind it. */
public final class RegistryHealth {

    /** The id under which it is kept; no agent can have it, as ids start with a letter or digit. */
    public static final String ID = "~registry";

    /** A health that was computed longer ago says nothing any more: whoever computes it has stopped. */
    public static final Duration STALE_AFTER = Duration.ofMinutes(5);

    private RegistryHealth() {}

    /**
     * The registry's health as it is read now: unknown, and without figures, where it was never computed or not lately.
     *
     * @param computed the health as it was computed last
     */
    public static HealthReading reading(Optional<AgentHealth> computed, Instant now) {
        if (computed.isPresent()
                && !computed.get().computedAt().plus(STALE_AFTER).isBefore(now)) {
            return read(computed.get(), now);
        }
        HealthSubject subject = computed.map(AgentHealth::subject)
                .orElse(new HealthSubject("", false, Instant.MIN, Instant.MIN, Instant.MIN));
        Expectations expectations =
                computed.map(health -> health.measurement().expectations()).orElse(Expectations.NONE);
        Measurement nothing =
                HealthRule.measurement(expectations, OutcomeCounts.NONE, OutcomeCounts.NONE, subject.startedAt(), now);
        AgentHealth blank = HealthRule.computed(
                ID,
                subject,
                nothing,
                new HealthRule.Lifecycle(LifecycleStatus.ACTIVE, Instant.MIN),
                // What it was last healthy by is still true.
                computed,
                computed.map(AgentHealth::computedAt).orElse(Instant.MIN));
        return read(blank, now);
    }

    private static HealthReading read(AgentHealth health, Instant now) {
        return new HealthReading(health, new HealthRule.Lifecycle(health.lifecycle(), Instant.MIN), now);
    }
}
