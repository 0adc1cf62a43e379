package dev.agenthealth.functions.storage.dynamo;

import dev.agenthealth.functions.runtime.wiring.ProcessState;
import java.time.Duration;

/**
 * Lets the requests of a test race as the requests of different processes do: their writers take no turns. Otherwise, an operation that a
 * test holds between two requests to the database would keep its turn, and the next writer would wait for it.
 */
public final class SeparateProcesses {

    private SeparateProcesses() {}

    /** Returns the state of a process in which no writer waits for another. */
    public static ProcessState state() {
        ProcessState state = new ProcessState();
        state.shared(Turns.class, () -> new Turns(Duration.ZERO));
        return state;
    }
}
