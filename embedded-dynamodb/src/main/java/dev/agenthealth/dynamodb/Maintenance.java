package dev.agenthealth.dynamodb;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs the background work. Thread-safe. */
final class Maintenance implements AutoCloseable {

    private static final long SYNC_MILLIS = 500;
    private static final long EXPIRY_SECONDS = 10;
    private static final long CLOSE_SECONDS = 10;

    private final Engine engine;
    private final Expiry expiry;
    private final SteadyClock steady;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(1, task -> {
        Thread thread = new Thread(task, "database");
        thread.setDaemon(true);
        return thread;
    });

    Maintenance(Engine engine) {
        this.engine = engine;
        this.expiry = new Expiry(engine);
        this.steady = new SteadyClock(engine.clock(), System::nanoTime);
    }

    /** A step of the background work. */
    @FunctionalInterface
    private interface Step {

        void run() throws IOException, SQLException;
    }

    void start(Consumer<Exception> failures) {
        try {
            engine.file().leaveCheckpoints();
        } catch (SQLException e) {
            failures.accept(e);
        }
        schedule(
                () -> {
                    engine.file().sync();
                    engine.file().checkpoint();
                },
                SYNC_MILLIS,
                TimeUnit.MILLISECONDS,
                failures);
        // A failed step does not stop the others.
        for (Step step : List.<Step>of(this::removeItems, expiry::trimStream, engine.file()::shrink)) {
            schedule(step, EXPIRY_SECONDS, TimeUnit.SECONDS, failures);
        }
    }

    private void removeItems() {
        if (steady.isBelieved()) {
            expiry.removeItems();
        }
    }

    private void schedule(Step step, long pause, TimeUnit unit, Consumer<Exception> failures) {
        threads.scheduleWithFixedDelay(
                () -> {
                    try {
                        step.run();
                    } catch (IOException | SQLException | RuntimeException e) {
                        report(e, failures);
                    } catch (Error e) {
                        // An escaped exception would end the schedule unnoticed.
                        report(new IllegalStateException(e), failures);
                    }
                },
                pause,
                pause,
                unit);
    }

    private void report(Exception failure, Consumer<Exception> failures) {
        if (!threads.isShutdown()) {
            failures.accept(failure);
        }
    }

    void runAll() throws IOException, SQLException {
        engine.file().sync();
        expiry.removeItems();
        expiry.trimStream();
        engine.file().shrink();
        engine.file().checkpoint();
    }

    /** Waits at most 10 s for a step in progress. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
