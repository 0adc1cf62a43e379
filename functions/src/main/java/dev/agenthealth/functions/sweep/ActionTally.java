package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.lifecycle.Transition;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Adds up what many threads do. Thread-safe. */
final class ActionTally {

    private final AtomicReference<ActionCounts> sum = new AtomicReference<>(ActionCounts.NONE);

    ActionCounts sum() {
        return sum.get();
    }

    void add(Action action) {
        add(action, 0);
    }

    void add(Transition transition) {
        add(
                Action.of(transition.after().status()),
                Duration.between(transition.dueAt(), transition.detectedAt()).toMillis());
    }

    private void add(Action action, long lagMillis) {
        sum.accumulateAndGet(new ActionCounts(Counts.of(action, 1), lagMillis), ActionCounts::plus);
    }
}
