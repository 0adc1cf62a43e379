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

    private final ThreadLocal<Tally> current = new ThreadLocal<>();

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
        Optional<Tally> before = Optional.ofNullable(current.get());
        current.set(tally);
        try {
            return work.get();
        } finally {
            before.ifPresentOrElse(current::set, current::remove);
        }
    }

    /** An executor whose threads count for the work of whoever hands them a task. */
    public Executor carrying(Executor executor) {
        return task -> {
            Tally tally = current.get();
            executor.execute(
                    tally == null
                            ? task
                            : () -> during(tally, () -> {
                                task.run();
                                return tally;
                            }));
        };
    }

    /** From when on the work that this thread does may use nothing more; {@link Instant#MAX} where it may take any time. */
    public Instant until() {
        return Optional.ofNullable(current.get()).map(tally -> tally.until).orElse(Instant.MAX);
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
        Tally tally = current.get();
        if (tally != null) {
            tally.add(use);
        }
    }
}
