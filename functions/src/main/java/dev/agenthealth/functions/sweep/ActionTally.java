package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.lifecycle.Transition;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Adds up deeds from many threads. */
final class ActionTally {

    private final AtomicReference<ActionCounts> sum = new AtomicReference<>(ActionCounts.NONE);

    ActionCounts sum() {
        return sum.get();
    }

    void add(ActionCounts deeds) {
        sum.accumulateAndGet(deeds, ActionCounts::plus);
    }

    void changed(Transition transition) {
        long lag = Duration.between(transition.dueAt(), transition.detectedAt()).toMillis();
        switch (transition.after().status()) {
            case UNHEALTHY -> add(new ActionCounts(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, lag));
            case DEAD -> add(new ActionCounts(0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, lag));
            case DEREGISTERED -> add(new ActionCounts(0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, lag));
            case REGISTERING, ACTIVE, DRAINING ->
                throw new IllegalArgumentException(
                        "a sweep makes no agent " + transition.after().status().word());
        }
    }

    void overtaken() {
        add(new ActionCounts(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    void cleanedUp() {
        add(new ActionCounts(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0));
    }

    void buried() {
        add(new ActionCounts(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0));
    }

    void credentialCleared() {
        add(new ActionCounts(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0));
    }

    void marked() {
        add(ActionCounts.NONE.withMarks(1, 0));
    }

    void unmarked() {
        add(ActionCounts.NONE.withMarks(0, 1));
    }

    void postponed() {
        add(new ActionCounts(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0));
    }

    void failed() {
        add(new ActionCounts(0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0));
    }
}
