package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.registry.lifecycle.Transition;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The actions of a pass. Parts add up with {@link #plus}.
 *
 * @param actions the numbers of agents
 * @param maxLagMillis longest time between a threshold and its detection
 */
record ActionCounts(Counts<Action> actions, long maxLagMillis) {

    static final ActionCounts NONE = new ActionCounts(Counts.none(), 0);

    private static final String MAX_LAG = "longest_lag_ms";

    long get(Action action) {
        return actions.get(action);
    }

    ActionCounts plus(ActionCounts other) {
        return new ActionCounts(actions.plus(other.actions), Math.max(maxLagMillis, other.maxLagMillis));
    }

    /** The numbers by name, as logs and messages carry them. */
    Map<String, Object> byName() {
        Map<String, Object> numbers = Counts.byName(Action.class, actions);
        numbers.put(MAX_LAG, maxLagMillis);
        return numbers;
    }

    static ActionCounts ofNames(Map<String, Object> numbers) {
        return new ActionCounts(Counts.ofNames(Action.class, numbers), ((Number) numbers.get(MAX_LAG)).longValue());
    }

    /** Adds up the actions of many threads. Thread-safe. */
    static final class Tally {

        private final AtomicReference<ActionCounts> sum = new AtomicReference<>(NONE);

        ActionCounts sum() {
            return sum.get();
        }

        void add(Action action) {
            add(action, 1, 0);
        }

        void add(Action action, long number) {
            add(action, number, 0);
        }

        void add(Transition transition) {
            add(
                    Action.of(transition.after().status()),
                    1,
                    Duration.between(transition.dueAt(), transition.detectedAt())
                            .toMillis());
        }

        private void add(Action action, long number, long lagMillis) {
            sum.accumulateAndGet(new ActionCounts(Counts.of(action, number), lagMillis), ActionCounts::plus);
        }
    }
}
