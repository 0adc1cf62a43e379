package dev.agenthealth.local.cli;

import java.time.Duration;

/** Waits between two requests of a command. */
@FunctionalInterface
interface Pause {

    void sleep(Duration time) throws InterruptedException;

    /** Returns the pause of a thread. */
    static Pause ofThread() {
        return time -> Thread.sleep(time.toMillis());
    }
}
