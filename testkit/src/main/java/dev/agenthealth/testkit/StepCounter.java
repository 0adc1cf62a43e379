package dev.agenthealth.testkit;

import java.util.concurrent.atomic.LongAdder;

/** The steps of the classes that {@link CountedSteps} loaded. Each run of a scenario has its own copy of this class. Thread-safe. */
public final class StepCounter {

    private static final LongAdder STEPS = new LongAdder();

    private StepCounter() {}

    /** Counts a step. */
    public static void step() {
        STEPS.increment();
    }

    /** Returns the number of steps so far. */
    public static long steps() {
        return STEPS.sum();
    }
}
