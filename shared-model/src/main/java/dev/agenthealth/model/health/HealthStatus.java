package dev.agenthealth.model.health;

import dev.agenthealth.model.Word;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import java.util.Optional;

/** Whether an agent works as declared (Agent Health State §4.3). */
public enum HealthStatus implements Word {
    HEALTHY,
    DEGRADED,
    UNHEALTHY,
    UNKNOWN;

    /** The status with this word; empty where there is none. */
    public static Optional<HealthStatus> ofWord(String word) {
        return Word.find(HealthStatus.class, word);
    }

    /**
     * The health status of an agent that has this one by its outcomes alone: unhealthy where it is gone, degraded at best where it is
     * silent. {@link Measurement#status} says the same.
     */
    public HealthStatus under(LifecycleStatus lifecycle) {
        if (lifecycle.isGone()) {
            return UNHEALTHY;
        }
        return this == HEALTHY && lifecycle == LifecycleStatus.UNHEALTHY ? DEGRADED : this;
    }
}
