package dev.agenthealth.functions.runtime.wiring;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits between two attempts; tests advance their clock instead. */
@FunctionalInterface
public interface Pause {

    /** Waits. An interrupted wait ends early and leaves the thread's interrupt flag set. */
    void of(Duration duration);

    /** Returns a pause that waits in real time. */
    static Pause real() {
        return duration -> {
            try {
                TimeUnit.NANOSECONDS.sleep(duration.toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }
}
