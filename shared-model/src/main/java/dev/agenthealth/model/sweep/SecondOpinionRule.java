package dev.agenthealth.model.sweep;

import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.time.Duration;
import java.time.Instant;

/**
 * * Decides whether a silent agent whose death is due is marked as dead, if it declares that it is asked before. It is asked while it is unhealthy.
 */
public final class SecondOpinionRule {

    /** An agent that answers stays unhealthy for so long. */
    public static final Duration MAX_UNHEALTHY = Duration.ofHours(24);

    /** Where no probe ends, the agent is marked as dead so much later than without the question. */
    public static final Duration MAX_WAIT = Duration.ofMinutes(5);

    /** Time after which an answer shows nothing any more: the state of an agent that keeps answering is written every five minutes. */
    private static final Duration MAX_AGE = ProbeState.REFRESH.plusMinutes(3);

    private SecondOpinionRule() {}

    /**
     * Returns whether the agent is marked as dead: it does not answer, or it answered for {@link #MAX_UNHEALTHY}, or it could not be asked.
     *
     * @param unhealthy an unhealthy agent
     * @param found what its probes found
     * @param dueAt when its death is due
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

    /** Returns whether the agent lives by its answers alone, as its row shows: it is still not dead although its death was due long enough ago. */
    public static boolean isReachable(Pulse pulse, Instant now) {
        return pulse.status() == LifecycleStatus.UNHEALTHY
                && pulse.config().lifeSigns().confirmsDeath()
                && now.isAfter(pulse.config().deadFrom(pulse.lastHeartbeatAt()).plus(MAX_WAIT));
    }
}
