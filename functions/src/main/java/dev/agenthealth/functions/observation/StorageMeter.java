package dev.agenthealth.functions.observation;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Counts what each piece of work uses of DynamoDB, however many are done at once: what a thread uses counts for the work it is doing, and
 * {@link #carrying} hands the work on to the threads that help with it. What is used outside of any work counts nowhere and may take any time.
 * Thread-safe.
 */
public final class StorageMeter {

    private final ThreadLocal<Work> current = new ThreadLocal<>();

    /** What a thread is doing: where it counts, and from when on it may use nothing more. */
    private record Work(Tally tally, Instant until) {}

    /** Adds up for one piece of work. Thread-safe. */
    public static final class Tally {

        private final Instant until;
        private double readUnits;
        private double writeUnits;
        private long throttles;

        /** For work that may take any time. */
        public Tally() {
            this(Instant.MAX);
        }

        /**
         * @param until from when on the work may use nothing more
         */
        public Tally(Instant until) {
            this.until = until;
        }

        /** What was used so far. */
        public synchronized StorageUse use() {
            return new StorageUse(readUnits, writeUnits, throttles);
        }

        private synchronized void add(StorageUse more) {
            readUnits += more.readUnits();
            writeUnits += more.writeUnits();
            throttles += more.throttles();
        }
    }

    /** Does work; what it uses counts on {@code tally}. */
    public <T> T during(Tally tally, Supplier<T> work) {
        return during(new Work(tally, tally.until), work);
    }

    /** Does what must be done however late it is: it counts for the work that it belongs to, but may take any time. */
    public void withoutEnd(Runnable task) {
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

    /** An executor whose threads count for the work of whoever hands them a task. */
    public Executor carrying(Executor executor) {
        return task -> {
            Work work = current.get();
            executor.execute(work == null ? task : () -> during(work, task));
        };
    }

    /** From when on the work that this thread does may use nothing more; {@link Instant#MAX} where it may take any time. */
    public Instant until() {
        return Optional.ofNullable(current.get()).map(Work::until).orElse(Instant.MAX);
    }

    /** The work that this thread does has read. */
    public void read(double units) {
        add(new StorageUse(units, 0, 0));
    }

    /** The work that this thread does has written. */
    public void written(double units) {
        add(new StorageUse(0, units, 0));
    }

    /** The work that this thread does was throttled. */
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
