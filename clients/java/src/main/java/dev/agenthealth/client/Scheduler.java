package dev.agenthealth.client;

import java.time.Duration;

/**
 * The time and the background work of a client. Programs use {@link #system}; {@link dev.agenthealth.client.testing.ManualScheduler} lets a
 * test move the time. Thread-safe.
 */
public interface Scheduler extends AutoCloseable {

    /** A task that waits for its time. */
    @FunctionalInterface
    interface Waiting {

        /** Cancels the task if it has not started yet. */
        void cancel();
    }

    /** Returns nanoseconds since an arbitrary origin. They never go back and do not follow changes of the system's clock. */
    long nanoTime();

    /** Lets the calling thread wait. */
    void pause(Duration duration) throws InterruptedException;

    /** Runs a task in the background after a delay, which may be zero. */
    Waiting schedule(Duration delay, Runnable task);

    /** Cancels waiting tasks and accepts no new tasks. */
    @Override
    void close();

    /** Returns a scheduler that runs tasks on daemon threads, so that they never keep a JVM alive. */
    static Scheduler system() {
        return new SystemScheduler();
    }
}
