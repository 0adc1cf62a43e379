package dev.agenthealth.model.registry.lifecycle;

import java.time.Instant;

/** Decides whether a sign of life causes a heartbeat that the registry sends for the agent. */
public final class SignOfLifeRule {

    /**
     * The minimum time since the last heartbeat, in percent of the interval. With 100 percent, every second sign could be lost, as some arrive a
     * little early.
     */
    private static final int PERCENT_OF_INTERVAL = 90;

    private SignOfLifeRule() {}

    /**
     * Returns whether a sign of life causes a heartbeat now. The agent must declare the sign. Its heartbeat timeout must not have passed since the
     * sign. The heartbeat must not be {@linkplain #isTooEarly too early}, which it never is for a dead agent.
     *
     * @param pulse the agent, possibly older than the sign
     * @param happenedAt the time of the sign; a time in the future counts as now
     */
    public static boolean counts(Pulse pulse, SignOfLife sign, Instant happenedAt, Instant now) {
        return pulse.config().lifeSigns().others().contains(sign)
                && (pulse.status() == LifecycleStatus.DEAD || !pulse.status().hasEnded() && !isTooEarly(pulse, now))
                && !now.isAfter(pulse.config().unhealthyFrom(happenedAt.isAfter(now) ? now : happenedAt));
    }

    /**
     * Returns whether a heartbeat now adds nothing to the last one. The last heartbeat came within 90 percent of the interval, the agent is not
     * unhealthy, and no run was due since. The first heartbeat after a registration is never too early.
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
