package dev.agenthealth.functions.health.measurement;

import dev.agenthealth.functions.storage.health.MeasurementInputs;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.event.HealthEvents;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.Published;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The events about a changed health. {@link Published} decides when they are due. Deregistered agents, which have no health, and archived
 * agents get no events.
 *
 * @param health the health, with the events noted as published
 * @param counted the pulse, with the events counted
 * @param events the events
 */
record HealthPublication(AgentHealth health, Pulse counted, List<Event> events) {

    /** Returns the events that are due for this health now; empty if no event is due. */
    static Optional<HealthPublication> due(AgentHealth health, MeasurementInputs inputs) {
        if (!isPublished(health, inputs)) {
            return Optional.empty();
        }
        Instant now = health.computedAt();
        AgentProfile profile = inputs.profile().orElseThrow();
        Pulse counted = inputs.pulse().orElseThrow();
        AgentHealth known = known(health, inputs);
        AgentHealth after = health;
        List<Event> events = new ArrayList<>(2);
        if (known.publishedStatus().isDue(known.statusChange(), now)) {
            after = after.withPublished(known.status(), now);
            counted = counted.withOneMoreEvent();
            events.add(HealthEvents.healthChanged(
                    known,
                    health.publishedStatus().value(),
                    health.lastKnownPublished(),
                    profile.roleId(),
                    profile.agentInterface().capabilities(),
                    counted.incarnation(),
                    counted.sequence(),
                    now));
        }
        if (known.publishedScore().isDue(known.scoreChange(), now)) {
            after = after.withPublished(known.score().state(), now);
            counted = counted.withOneMoreEvent();
            events.add(HealthEvents.scoreChanged(
                    known,
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
        if (!isPublished(health, inputs)) {
            return Instant.MAX;
        }
        AgentHealth known = known(health, inputs);
        Instant status = known.publishedStatus().dueAt(known.statusChange());
        Instant score = known.publishedScore().dueAt(known.scoreChange());
        Instant next = status.isBefore(score) ? status : score;
        // Due times are whole seconds; an earlier computation would publish nothing.
        return next.equals(Instant.MAX) ? next : next.plusMillis(999);
    }

    /**
     * Returns whether events are published. For a deregistered agent, only the end of a bad state is published, because an alert would stay
     * open otherwise.
     */
    private static boolean isPublished(AgentHealth health, MeasurementInputs inputs) {
        return inputs.profile().isPresent()
                && inputs.pulse()
                        .filter(pulse -> !isDeregistered(pulse) || health.isPublishedAsBad())
                        .isPresent();
    }

    /** Returns the health to publish: a deregistered agent counts as ended. */
    private static AgentHealth known(AgentHealth health, MeasurementInputs inputs) {
        return inputs.pulse().filter(HealthPublication::isDeregistered).isPresent() ? health.ended() : health;
    }

    private static boolean isDeregistered(Pulse pulse) {
        return pulse.status() == LifecycleStatus.DEREGISTERED;
    }
}
