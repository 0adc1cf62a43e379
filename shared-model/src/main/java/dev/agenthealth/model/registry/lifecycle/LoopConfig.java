package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.FieldError;
import java.util.List;
import java.util.stream.Stream;

/**
 * The declaration of the number of repeated calls from which an agent counts as looping, and of the consequences.
 *
 * @param maxRepeats the number of repetitions; {@link #NOT_JUDGED} if the agent is never looping
 * @param releasesLeases whether a loop ends the agent's leases
 * @param restarts whether a loop asks the agent to restart
 */
public record LoopConfig(int maxRepeats, boolean releasesLeases, boolean restarts) {

    /** The number of an agent without a declaration. */
    public static final int NOT_JUDGED = 0;

    /** The value without a declaration. The agent is never looping. */
    public static final LoopConfig NONE = new LoopConfig(NOT_JUDGED, false, false);

    /** The minimum number of repetitions that can be declared. A single repetition is usual. */
    public static final int MIN_REPEATS = 2;

    /** The maximum number of repetitions that can be declared. */
    public static final int MAX_REPEATS = 10_000;

    /** Returns whether the agent declares a number of repetitions. */
    public boolean isJudged() {
        return maxRepeats != NOT_JUDGED;
    }

    /** Returns the rules that the declaration breaks, with field names below {@code heartbeat_config}; empty if it is valid. */
    List<FieldError> errors() {
        if (isJudged()) {
            return List.of();
        }
        return Stream.of(releasesLeases ? "release_leases_when_looping" : "", restarts ? "restart_when_looping" : "")
                .filter(field -> !field.isEmpty())
                .map(field -> new FieldError("heartbeat_config." + field, "needs max_repeats to say when"))
                .toList();
    }
}
