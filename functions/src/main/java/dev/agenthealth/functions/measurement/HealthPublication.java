package dev.agenthealth.functions.measurement;

import dev.agenthealth.functions.storage.health.MeasurementInputs;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.event.HealthEvents;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.Published;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.profile.AgentProfile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The events about a health that changed ({@link Published} says when they are due). None is published for an agent that is deregistered,
 * which has no health, or archived.
 *
 * @param health the health with the events noted as published
 * @param counted the pulse with the events counted
 * @param events the events
 */
record HealthPublication(AgentHealth health, Pulse counted, List<Event> events) {

    /** The publication that is due for this health now, if any. */
    static Optional<HealthPublication> due(AgentHealth health, MeasurementInputs inputs) {
        if (!isPublished(inputs)) {
            return Optional.empty();
        }
        Instant now = health.computedAt();
        AgentProfile profile = inputs.profile().orElseThrow();
        Pulse counted = inputs.pulse().orElseThrow();
        AgentHealth after = health;
        List<Event> events = new ArrayList<>(2);
        if (health.publishedStatus().isDue(health.statusChange(), now)) {
            after = after.withStatusPublished(now);
            counted = counted.withOneMoreEvent();
            events.add(HealthEvents.healthChanged(
                    after,
                    health.publishedStatus().value(),
                    health.lastKnownPublished(),
                    profile.roleId(),
                    profile.agentInterface().capabilities(),
                    counted.incarnation(),
                    counted.sequence(),
                    now));
        }
        if (health.publishedScore().isDue(health.scoreChange(), now)) {
            after = after.withScorePublished(now);
            counted = counted.withOneMoreEvent();
            events.add(HealthEvents.scoreChanged(
                    after,
                    health.publishedScore().value(),
                    profile.roleId(),
                    profile.agentInterface().capabilities(),
                    counted.incarnation(),
                    counted.sequence(),
                    now));
        }
        return events.isEmpty() ? Optional.empty() : Optional.of(new HealthPublication(after, counted, events));
    }

    /** Returns when an event is due if the health stays as it is; {@link Instant#MAX} for never. */
    static Instant nextDue(AgentHealth health, MeasurementInputs inputs) {
        if (!isPublished(inputs)) {
            return Instant.MAX;
        }
        Instant status = health.publishedStatus().dueAt(health.statusChange());
        Instant score = health.publishedScore().dueAt(health.scoreChange());
        Instant next = status.isBefore(score) ? status : score;
        // Due times are whole seconds; an earlier computation would publish nothing.
        return next.equals(Instant.MAX) ? next : next.plusMillis(999);
    }

    private static boolean isPublished(MeasurementInputs inputs) {
        return inputs.profile().isPresent()
                && inputs.pulse()
                        .filter(pulse -> pulse.status() != LifecycleStatus.DEREGISTERED)
                        .isPresent();
    }
}
