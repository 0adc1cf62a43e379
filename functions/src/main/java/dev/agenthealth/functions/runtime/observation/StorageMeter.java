package dev.agenthealth.functions.runtime.observation;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Counts the DynamoDB usage of each unit of work, and holds its deadline. The usage of a thread counts for the thread's current work.
 * {@link #propagating} passes the work on to other threads. Usage outside of any work is not counted and has no deadline. Thread-safe.
 */
public final class StorageMeter {

    private final ThreadLocal<Work> current = new ThreadLocal<>();
    private final boolean countsUnits;

    /** Creates a meter of capacity units and throttled requests. */
    public StorageMeter() {
        this(true);
    }

    private StorageMeter(boolean countsUnits) {
        this.countsUnits = countsUnits;
    }

    /** Returns a meter of throttled requests alone, for a storage whose units cost nothing. */
    public static StorageMeter withoutUnits() {
        return new StorageMeter(false);
    }

    /** Returns whether capacity units are counted. Otherwise all uses are zero. */
    public boolean countsUnits() {
        return countsUnits;
    }

    /** The current work of a thread. */
    private record Work(Tally tally, Instant deadline) {}

    /** The usage of one unit of work. Thread-safe. */
    public static final class Tally {

        private final Instant deadline;
        private double readUnits;
        private double writeUnits;
        private long throttles;

        /** Creates a tally without a deadline. */
        public Tally() {
            this(Instant.MAX);
        }

        /** @param deadline the moment after which the work sends no more requests */
        public Tally(Instant deadline) {
            this.deadline = deadline;
        }

        /** Returns the usage so far. */
        public synchronized StorageUse use() {
            return new StorageUse(readUnits, writeUnits, throttles);
        }

        private synchronized void add(StorageUse more) {
            readUnits += more.readUnits();
            writeUnits += more.writeUnits();
            throttles += more.throttles();
        }
    }

    /** Runs work and counts its usage in {@code tally}. */
    public <T> T during(Tally tally, Supplier<T> work) {
        return during(new Work(tally, tally.deadline), work);
    }

    /** Runs a task that counts for the current work but ignores its deadline. */
    public void withoutDeadline(Runnable task) {
        Work work = current.get();
        if (work == null) {
            task.run();
        } else {
            during(new Work(work.tally, Instant.MAX), task);
        }
    }

    private void during(Work work, Runnable task) {
        during(work, () -> {
            task.run();
            return work;
        });
    }

    private <T> T during(Work work, Supplier<T> task) {
        Optional<Work> before = Optional.ofNullable(current.get());
        current.set(work);
        try {
            return task.get();
        } finally {
            before.ifPresentOrElse(current::set, current::remove);
        }
    }

    /** Returns an executor that runs each task as part of the submitting thread's work. */
    public Executor propagating(Executor executor) {
        return task -> {
            Work work = current.get();
            executor.execute(work == null ? task : () -> during(work, task));
        };
    }

    /** Returns the deadline of this thread's work; {@link Instant#MAX} if it has none. */
    public Instant deadline() {
        return Optional.ofNullable(current.get()).map(Work::deadline).orElse(Instant.MAX);
    }

    /** Counts read units for this thread's work. */
    public void read(double units) {
        add(new StorageUse(units, 0, 0));
    }

    /** Counts write units for this thread's work. */
    public void written(double units) {
        add(new StorageUse(0, units, 0));
    }

    /** Counts a throttled request for this thread's work. */
    public void throttled() {
        add(new StorageUse(0, 0, 1));
    }

    private void add(StorageUse use) {
        Work work = current.get();
        if (work != null) {
            work.tally.add(use);
        }
    }
}
