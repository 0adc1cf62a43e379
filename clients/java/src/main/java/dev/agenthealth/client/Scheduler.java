package dev.agenthealth.client;

import java.time.Duration;

/**
 * Time and background work of a client. {@link #system} is what programs use; {@link
 * dev.agenthealth.client.testing.ManualScheduler} lets a test move the time. Thread-safe.
 */
public interface Scheduler extends AutoCloseable {

    /** A task that waits for its time. */
    @FunctionalInterface
    interface Waiting {

        /** The task does not start any more. */
        void cancel();
    }

    /** Nanoseconds since some moment; they never go back and do not follow changes of the system's clock. */
    long nanoTime();

    /** Lets the calling thread wait. */
    void pause(Duration duration) throws InterruptedException;

    /** Runs a task in the background after a delay, which may be zero. */
    Waiting schedule(Duration delay, Runnable task);

    /** Tasks that wait do not start any more, and new ones do not either. */
    @Override
    void close();

    /** Runs tasks on daemon threads, so that they never keep a JVM alive. */
    static Scheduler system() {
        return new SystemScheduler();
    }
}
