package dev.agenthealth.model.profile;

import dev.agenthealth.model.lifecycle.Restarts;
import java.time.Instant;

/**
 * The registrations of an id, by the server's clock.
 *
 * @param registeredAt when the id first registered
 * @param startedAt when it last registered, which is when its process started
 * @param restarts when the id registered again
 */
public record RegistrationHistory(Instant registeredAt, Instant startedAt, Restarts restarts) {

    /** The history of an id that registers for the first time. */
    public static RegistrationHistory first(Instant now) {
        return new RegistrationHistory(now, now, Restarts.NONE);
    }

    /** The history after one more registration, which counts as a restart. */
    public RegistrationHistory again(Instant now) {
        return new RegistrationHistory(registeredAt, now, restarts.and(now));
    }
}
