package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.registry.lifecycle.Transition;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The counts of the actions of a pass. {@link #plus} adds the counts of shards and threads.
 *
 * @param actions the number of agents for each action
 * @param maxLagMillis the longest time between a threshold and its detection, in ms
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

    /** Returns the counts by name, for logs and messages. */
    Map<String, Object> byName() {
        Map<String, Object> numbers = Counts.byName(Action.class, actions);
        numbers.put(MAX_LAG, maxLagMillis);
        return numbers;
    }

    static ActionCounts ofNames(Map<String, Object> numbers) {
        return new ActionCounts(Counts.ofNames(Action.class, numbers), ((Number) numbers.get(MAX_LAG)).longValue());
    }

    /** Adds up the actions of several threads. Thread-safe. */
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
