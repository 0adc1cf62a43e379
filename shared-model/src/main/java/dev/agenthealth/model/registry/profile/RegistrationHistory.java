package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.registry.lifecycle.InstanceRule;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import java.time.Instant;

/**
 * The registrations of an id, on the server's clock.
 *
 * @param registeredAt the first registration of the id
 * @param startedAt the process start that the agent reported at its last registration, else the time of that registration
 * @param restarts the repeated registrations of the id
 * @param instance the place where the process runs; {@link InstanceRule#UNKNOWN} if the agent did not say
 * @param previousInstance the last known place of an earlier process
 */
public record RegistrationHistory(
        Instant registeredAt, Instant startedAt, Restarts restarts, String instance, String previousInstance) {

    /** Creates the history of an id without an earlier process. */
    public RegistrationHistory(Instant registeredAt, Instant startedAt, Restarts restarts, String instance) {
        this(registeredAt, startedAt, restarts, instance, InstanceRule.UNKNOWN);
    }

    /** Returns the history of an id that registers for the first time. */
    public static RegistrationHistory first(Instant now) {
        return new RegistrationHistory(now, now, Restarts.NONE, InstanceRule.UNKNOWN);
    }

    /** Returns this history without an instance. The process has ended, so that any other process may replace it at once. */
    public RegistrationHistory ofNoInstance() {
        return new RegistrationHistory(registeredAt, startedAt, restarts, InstanceRule.UNKNOWN, lastInstance());
    }

    /** Returns the history of an id after an earlier registration. A registration by another process counts as a restart. */
    public RegistrationHistory succeeding(RegistrationHistory previous, boolean sameProcess, Instant now) {
        return new RegistrationHistory(
                previous.registeredAt,
                startedAt,
                sameProcess ? previous.restarts : previous.restarts.and(now),
                instance,
                sameProcess ? previous.previousInstance : previous.lastInstance());
    }

    private String lastInstance() {
        return instance.equals(InstanceRule.UNKNOWN) ? previousInstance : instance;
    }
}
