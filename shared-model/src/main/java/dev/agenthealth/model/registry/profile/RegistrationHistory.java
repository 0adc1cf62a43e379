package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.registry.lifecycle.InstanceRule;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import java.time.Instant;

/**
 * The registrations of an id, by the server's clock.
 *
 * @param registeredAt when the id first registered
 * @param startedAt when its process started: as it reported when it last registered, else that registration
 * @param restarts when the id registered again
 * @param instance where its process runs; {@link InstanceRule#UNKNOWN} where it did not say
 */
public record RegistrationHistory(Instant registeredAt, Instant startedAt, Restarts restarts, String instance) {

    /** The history of an id that registers for the first time. */
    public static RegistrationHistory first(Instant now) {
        return new RegistrationHistory(now, now, Restarts.NONE, InstanceRule.UNKNOWN);
    }

    /** Returns the history of an id whose process has ended, so that any other replaces it at once. */
    public RegistrationHistory ofNoInstance() {
        return new RegistrationHistory(registeredAt, startedAt, restarts, InstanceRule.UNKNOWN);
    }

    /** Returns the history of an id that was registered before: a registration by another process counts as a restart. */
    public RegistrationHistory succeeding(RegistrationHistory previous, boolean sameProcess, Instant now) {
        return new RegistrationHistory(
                previous.registeredAt,
                startedAt,
                sameProcess ? previous.restarts : previous.restarts.and(now),
                instance);
    }
}
