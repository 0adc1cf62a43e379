package dev.agenthealth.functions.storage.dynamo;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Lets the writers of one item in this process read, decide and write one after another, in the order of their arrival. Thread-safe.
 *
 * <p>An optimistic update repeats if another writer was faster. Without turns, many writers of one item repeat at the same time, and an
 * unlucky writer loses every attempt. Turns make no promise: other processes write too, and a writer that has waited for
 * {@link RequestRetries#MAX_DURATION} goes on without a turn. The condition of each write still decides.
 */
public final class Turns {

    /** The number of locks. Items that share a lock wait for each other. */
    private static final int LOCKS = 256;

    private final ReentrantLock[] locks =
            IntStream.range(0, LOCKS).mapToObj(i -> new ReentrantLock(true)).toArray(ReentrantLock[]::new);

    private final Duration maxWait;

    Turns() {
        this(RequestRetries.MAX_DURATION);
    }

    /** @param maxWait the time after which a writer goes on without a turn */
    Turns(Duration maxWait) {
        this.maxWait = maxWait;
    }

    /** Returns the turns of the writers of a database in this process. */
    public static Turns of(Database database) {
        return database.turns();
    }

    /** Returns the result of the work of a writer of this item. The work may take turns again. */
    public <T> T in(String item, Supplier<T> work) {
        ReentrantLock lock = locks[Math.floorMod(item.hashCode(), LOCKS)];
        boolean locked = isLocked(lock);
        try {
            return work.get();
        } finally {
            if (locked) {
                lock.unlock();
            }
        }
    }

    private boolean isLocked(ReentrantLock lock) {
        try {
            return lock.tryLock(maxWait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
