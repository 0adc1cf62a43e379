package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.lifecycle.Transition;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Adds up deeds from many threads. */
final class DeedsTally {

    private final AtomicReference<Deeds> sum = new AtomicReference<>(Deeds.NONE);

    Deeds sum() {
        return sum.get();
    }

    void add(Deeds deeds) {
        sum.accumulateAndGet(deeds, Deeds::plus);
    }

    void changed(Transition transition) {
        long lag = Duration.between(transition.dueAt(), transition.detectedAt()).toMillis();
        switch (transition.after().status()) {
            case UNHEALTHY -> add(new Deeds(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, lag));
            case DEAD -> add(new Deeds(0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, lag));
            case DEREGISTERED -> add(new Deeds(0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, lag));
            case REGISTERING, ACTIVE, DRAINING ->
                throw new IllegalArgumentException(
                        "a sweep makes no agent " + transition.after().status().word());
        }
    }

    void overtaken() {
        add(new Deeds(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    void cleanedUp() {
        add(new Deeds(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0));
    }

    void buried() {
        add(new Deeds(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0));
    }

    void credentialCleared() {
        add(new Deeds(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0));
    }

    void marked() {
        add(Deeds.NONE.withMarks(1, 0));
    }

    void unmarked() {
        add(Deeds.NONE.withMarks(0, 1));
    }

    void postponed() {
        add(new Deeds(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0));
    }

    void failed() {
        add(new Deeds(0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0));
    }
}
