package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.Counts;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the second half of a pass did. Parts add up with {@link #plus}.
 *
 * @param actions the numbers of agents
 * @param longestLagMillis longest time between a threshold and its detection
 */
record ActionCounts(Counts<Action> actions, long longestLagMillis) {

    static final ActionCounts NONE = new ActionCounts(Counts.none(), 0);

    private static final String LONGEST_LAG = "longest_lag_ms";

    long get(Action action) {
        return actions.get(action);
    }

    ActionCounts plus(ActionCounts other) {
        return new ActionCounts(actions.plus(other.actions), Math.max(longestLagMillis, other.longestLagMillis));
    }

    /** The numbers by name, as they are logged and sent between invocations. */
    Map<String, Long> byName() {
        Map<String, Long> numbers = new LinkedHashMap<>();
        for (Action action : Action.values()) {
            numbers.put(action.word(), get(action));
        }
        numbers.put(LONGEST_LAG, longestLagMillis);
        return numbers;
    }

    static ActionCounts ofNames(Map<String, Long> numbers) {
        Map<Action, Long> actions = new EnumMap<>(Action.class);
        for (Action action : Action.values()) {
            actions.put(action, numbers.get(action.word()));
        }
        return new ActionCounts(new Counts<>(actions), numbers.get(LONGEST_LAG));
    }
}
