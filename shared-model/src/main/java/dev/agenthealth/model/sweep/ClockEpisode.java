package dev.agenthealth.model.sweep;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/**
 * The time in which a step of the registry's clock, or stored times that lie ahead of it, have effects.
 *
 * @param since the time of the last event about a step; {@link Instant#MIN} outside of an episode
 * @param effectsFrom when a pass last found a step or times that lie ahead; {@link Instant#MIN} outside of an episode
 */
public record ClockEpisode(Instant since, Instant effectsFrom) {

    /** No clock stepped, or the effects are over. */
    public static final ClockEpisode NONE = new ClockEpisode(Instant.MIN, Instant.MIN);

    /** The time for which a step has effects: silence counts anew, which delays the deaths of agents with default thresholds by so much. */
    public static final Duration EFFECTS = Duration.ofMinutes(5);

    /** Returns whether the effects of a step last. */
    public boolean isOpen() {
        return since.isAfter(Instant.MIN);
    }

    /** Returns whether the effects have ended and the end is to be published. */
    public boolean isOver(Instant now) {
        return isOpen() && ClockRule.hasPassed(effectsFrom, EFFECTS, now);
    }
}
