package dev.agenthealth.model.registry.lifecycle;

import java.time.Instant;

/** Decides when a sign of life is worth a heartbeat that the registry sends for the agent. */
public final class SignOfLifeRule {

    /** Signs that come at the interval, some a little early, all count: with the whole interval, every second one might not. */
    private static final int PERCENT_OF_INTERVAL = 90;

    private SignOfLifeRule() {}

    /**
     * Returns whether a sign at this moment is a heartbeat that the registry sends: the agent declares it, would not be silent now if that had been
     * its last heartbeat, and a heartbeat now is not {@linkplain #isTooEarly too early}. A dead agent is never early.
     *
     * @param pulse may be older than the sign
     * @param happenedAt when the sign was given; one of the future counts as given now
     */
    public static boolean counts(Pulse pulse, SignOfLife sign, Instant happenedAt, Instant now) {
        return pulse.config().lifeSigns().others().contains(sign)
                && (pulse.status() == LifecycleStatus.DEAD || !pulse.status().hasEnded() && !isTooEarly(pulse, now))
                && !now.isAfter(pulse.config().unhealthyFrom(happenedAt.isAfter(now) ? now : happenedAt));
    }

    /**
     * Returns whether a heartbeat now says no more than the last one: that came within 90 percent of the interval, its agent is not silent, and by
     * its schedule no run was due since. The first one after a registration says something: that the agent answers.
     *
     * @param pulse a monitored agent
     */
    public static boolean isTooEarly(Pulse pulse, Instant now) {
        Instant seenAt = pulse.lastHeartbeatAt();
        return pulse.heartbeatCount() > 0
                && pulse.status() != LifecycleStatus.UNHEALTHY
                && now.isBefore(seenAt.plusMillis(pulse.config().interval().toMillis() * PERCENT_OF_INTERVAL / 100))
                && pulse.config()
                        .expectedAfter(seenAt)
                        .filter(due -> !due.isAfter(now))
                        .isEmpty();
    }
}
