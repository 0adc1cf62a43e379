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
 * What subscribers are told of a health that changed, and when ({@link Published}). Nobody is told of the health of an agent that is
 * deregistered, since it has none, or of one that is buried, since nothing more happens to it.
 */
final class HealthTelling {

    private HealthTelling() {}

    /**
     * What is told.
     *
     * @param health the health once it is told
     * @param counted the pulse with the events counted
     * @param events the events
     */
    record Told(AgentHealth health, Pulse counted, List<Event> events) {}

    /** What is to be told of this health now; empty where there is nothing. */
    static Optional<Told> due(AgentHealth health, MeasurementInputs inputs) {
        if (!mayBeTold(inputs)) {
            return Optional.empty();
        }
        Instant now = health.computedAt();
        AgentProfile profile = inputs.profile().orElseThrow();
        Pulse counted = inputs.pulse().orElseThrow();
        AgentHealth after = health;
        List<Event> events = new ArrayList<>(2);
        if (health.publishedStatus().isDue(health.status(), now)) {
            after = after.withStatusPublished(now);
            counted = counted.withOneMoreEvent();
            events.add(HealthEvents.healthChanged(
                    after,
                    health.publishedStatus().value(),
                    health.lastKnownPublished(),
                    profile.roleId(),
                    profile.capabilities(),
                    counted.incarnation(),
                    counted.sequence(),
                    now));
        }
        if (health.publishedScore().isDue(health.score().state(), now)) {
            after = after.withScorePublished(now);
            counted = counted.withOneMoreEvent();
            events.add(HealthEvents.scoreChanged(
                    after,
                    health.publishedScore().value(),
                    profile.roleId(),
                    profile.capabilities(),
                    counted.incarnation(),
                    counted.sequence(),
                    now));
        }
        return events.isEmpty() ? Optional.empty() : Optional.of(new Told(after, counted, events));
    }

    /** When something is to be told of this health, if it still holds then; {@link Instant#MAX} for never. */
    static Instant nextDue(AgentHealth health, MeasurementInputs inputs) {
        if (!mayBeTold(inputs)) {
            return Instant.MAX;
        }
        Instant status = health.publishedStatus().dueAt(health.status());
        Instant score = health.publishedScore().dueAt(health.score().state());
        Instant next = status.isBefore(score) ? status : score;
        // Due times are whole seconds, and one that came too early would be for nothing.
        return next.equals(Instant.MAX) ? next : next.plusMillis(999);
    }

    private static boolean mayBeTold(MeasurementInputs inputs) {
        return inputs.profile().isPresent()
                && inputs.pulse()
                        .filter(pulse -> pulse.status() != LifecycleStatus.DEREGISTERED)
                        .isPresent();
    }
}
