package dev.agenthealth.model.sweep;

import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides whether an agent past its heartbeat timeout is marked as dead, if the agent declares {@code confirm_death}. The registry probes such an
 * agent while it is unhealthy.
 */
public final class SecondOpinionRule {

    /** The maximum time for which an agent that answers stays unhealthy. */
    public static final Duration MAX_UNHEALTHY = Duration.ofHours(24);

    /** The additional time after which the agent is marked as dead if no probe ends. */
    public static final Duration MAX_WAIT = Duration.ofMinutes(5);

    /** The time after which an answer proves nothing any more. The state of an agent that keeps answering is written every five minutes. */
    private static final Duration MAX_AGE = ProbeState.REFRESH.plusMinutes(3);

    private SecondOpinionRule() {}

    /**
     * Returns whether the agent is marked as dead: it does not answer, it has answered for {@link #MAX_UNHEALTHY}, or it could not be probed.
     *
     * @param unhealthy an unhealthy agent
     * @param found the results of its probes
     * @param dueAt the time at which its death is due
     */
    public static boolean isConfirmed(Pulse unhealthy, ProbeState found, Instant dueAt, Instant now) {
        if (now.isAfter(unhealthy.statusSince().plus(MAX_UNHEALTHY))) {
            return true;
        }
        boolean askedSince = found.at().isAfter(unhealthy.lastHeartbeatAt());
        if (askedSince && found.isFailing()) {
            return true;
        }
        boolean answers = askedSince && !now.isAfter(found.at().plus(MAX_AGE));
        return !answers && now.isAfter(dueAt.plus(MAX_WAIT));
    }

    /**
     * Returns whether only answers show that the agent is alive. Its row shows this: the agent is not dead although its death was due long enough
     * ago.
     */
    public static boolean isReachable(Pulse pulse, Instant now) {
        return pulse.status() == LifecycleStatus.UNHEALTHY
                && pulse.config().lifeSigns().confirmsDeath()
                && now.isAfter(pulse.config().deadFrom(pulse.lastHeartbeatAt()).plus(MAX_WAIT));
    }
}
