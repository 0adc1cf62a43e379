package dev.agenthealth.functions.sweep;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the second half of a pass did.
 *
 * @param unhealthy agents marked unhealthy
 * @param dead agents declared dead, by silence or at a drain's deadline
 * @param deregistered agents whose drain was completed
 * @param overtaken agents that somebody else changed first
 * @param cleanedUp clean-ups finished
 * @param buried rows moved to tombstones
 * @param credentialsCleared revoked credentials cleared
 * @param postponed agents left to a later pass: no deaths left, no time left
 * @param failed agents whose writing failed; a later pass tries again
 * @param marked agents marked to have their health computed again
 * @param unmarked agents that a later pass has to mark, as no time was left or the marking failed
 * @param longestLagMillis longest time between a threshold and its detection
 */
record ActionCounts(
        long unhealthy,
        long dead,
        long deregistered,
        long overtaken,
        long cleanedUp,
        long buried,
        long credentialsCleared,
        long postponed,
        long failed,
        long marked,
        long unmarked,
        long longestLagMillis) {

    static final ActionCounts NONE = new ActionCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    ActionCounts plus(ActionCounts other) {
        return new ActionCounts(
                unhealthy + other.unhealthy,
                dead + other.dead,
                deregistered + other.deregistered,
                overtaken + other.overtaken,
                cleanedUp + other.cleanedUp,
                buried + other.buried,
                credentialsCleared + other.credentialsCleared,
                postponed + other.postponed,
                failed + other.failed,
                marked + other.marked,
                unmarked + other.unmarked,
                Math.max(longestLagMillis, other.longestLagMillis));
    }

    /** The same with these numbers of marks. */
    ActionCounts withMarks(long newMarked, long newUnmarked) {
        return new ActionCounts(
                unhealthy,
                dead,
                deregistered,
                overtaken,
                cleanedUp,
                buried,
                credentialsCleared,
                postponed,
                failed,
                newMarked,
                newUnmarked,
                longestLagMillis);
    }

    /** The numbers by name, as they are logged and sent between functions. */
    Map<String, Long> byName() {
        Map<String, Long> numbers = new LinkedHashMap<>();
        numbers.put("unhealthy", unhealthy);
        numbers.put("dead", dead);
        numbers.put("deregistered", deregistered);
        numbers.put("overtaken", overtaken);
        numbers.put("cleaned_up", cleanedUp);
        numbers.put("buried", buried);
        numbers.put("credentials_cleared", credentialsCleared);
        numbers.put("postponed", postponed);
        numbers.put("failed", failed);
        numbers.put("marked", marked);
        numbers.put("unmarked", unmarked);
        numbers.put("longest_lag_ms", longestLagMillis);
        return numbers;
    }

    static ActionCounts ofNames(Map<String, Long> numbers) {
        return new ActionCounts(
                numbers.getOrDefault("unhealthy", 0L),
                numbers.getOrDefault("dead", 0L),
                numbers.getOrDefault("deregistered", 0L),
                numbers.getOrDefault("overtaken", 0L),
                numbers.getOrDefault("cleaned_up", 0L),
                numbers.getOrDefault("buried", 0L),
                numbers.getOrDefault("credentials_cleared", 0L),
                numbers.getOrDefault("postponed", 0L),
                numbers.getOrDefault("failed", 0L),
                numbers.getOrDefault("marked", 0L),
                numbers.getOrDefault("unmarked", 0L),
                numbers.getOrDefault("longest_lag_ms", 0L));
    }
}
