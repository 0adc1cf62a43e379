package dev.agenthealth.testkit;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** The steps of the classes that {@link CountedSteps} loaded. Each run of a scenario has its own copy of this class. Thread-safe. */
public final class StepCounter {

    private static final LongAdder STEPS = new LongAdder();

    /** Creating a hundred thousand things takes many more steps than the operations. Only the steps of operations count. */
    private static final AtomicBoolean COUNTING = new AtomicBoolean();

    private StepCounter() {}

    /** Counts a step of an operation. */
    public static void step() {
        if (COUNTING.get()) {
            STEPS.increment();
        }
    }

    /** Begins to count the steps of an operation. */
    public static void begin() {
        STEPS.reset();
        COUNTING.set(true);
    }

    /** Ends the counting, and returns the number of steps. */
    public static long end() {
        COUNTING.set(false);
        return STEPS.sum();
    }
}
