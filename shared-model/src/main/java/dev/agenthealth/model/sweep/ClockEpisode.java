package dev.agenthealth.model.sweep;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/**
 * The time in which a step of the registry's clock, or stored times in the future, have effects.
 *
 * @param since the time of the last event about a step; {@link Instant#MIN} outside of an episode
 * @param effectsFrom the time at which a pass last found a step or times in the future; {@link Instant#MIN} outside of an episode
 */
public record ClockEpisode(Instant since, Instant effectsFrom) {

    /** The value outside of an episode. */
    public static final ClockEpisode NONE = new ClockEpisode(Instant.MIN, Instant.MIN);

    /**
     * The time for which a step has effects. The time without heartbeat counts anew after a step, which delays deaths of agents with default
     * thresholds by this time.
     */
    public static final Duration EFFECTS = Duration.ofMinutes(5);

    /** Returns whether the effects of a step last. */
    public boolean isOpen() {
        return since.isAfter(Instant.MIN);
    }

    /** Returns whether the effects have ended, so that the end has to be published. */
    public boolean isOver(Instant now) {
        return isOpen() && ClockRule.hasPassed(effectsFrom, EFFECTS, now);
    }
}
