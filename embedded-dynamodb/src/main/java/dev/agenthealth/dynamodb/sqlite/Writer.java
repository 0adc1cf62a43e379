package dev.agenthealth.dynamodb.sqlite;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Applies changes one after the other, and commits waiting changes as a group. It has no thread of its own: a caller leads and works for
 * the others. Thread-safe.
 */
public final class Writer {

    /** The time for which a caller waits without giving up its processor, since most changes take less time than waking up a thread. */
    private static final long SPIN_NANOS = 40_000;

    /** The number of spins between two looks at the clock. */
    private static final int SPINS_PER_CHECK = 64;

    private static final boolean SPINS = Runtime.getRuntime().availableProcessors() > 1;

    private final Queue<Pending<?>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean leading = new AtomicBoolean();
    private final GroupCommits commits;

    /** The changes of the calling thread that wait for {@link #commitDeferred}. */
    private final ThreadLocal<List<Pending<?>>> deferred = new ThreadLocal<>();

    /** The write-ahead log. */
    interface Log {

        /** Rewrites the whole log and syncs it. */
        void rewrite() throws IOException;

        /** Returns true if the log must be copied to the database now. */
        boolean isVeryLarge();
    }

    /** @param sync the commits that wait for the disk */
    Writer(Session session, Settings.Sync sync, Log log) {
        this.commits = new GroupCommits(session, sync, log, waiting);
    }

    /**
     * A change. It may be applied more than once if a commit fails.
     *
     * @param <T> its result
     */
    @FunctionalInterface
    public interface Change<T> {

        /**
         * Applies the change. A {@link RuntimeException} becomes the caller's result, and the change's writes are rolled back.
         *
         * @param effect records the change's effect for the writer
         */
        T apply(Session session, Effect effect) throws SQLException;
    }

    /** The effect of a change: whether it wrote, and the actions after its commit or rollback. Not thread-safe. */
    public static final class Effect {

        private boolean wrote;
        private final List<Runnable> committed = new ArrayList<>();
        private final List<Runnable> rolledBack = new ArrayList<>();

        /** Records that the change wrote something. */
        public void wrote() {
            wrote = true;
        }

        /** Runs an action after the commit, before the caller gets its result. */
        public void afterCommit(Runnable action) {
            committed.add(action);
        }

        /** Runs an action if the commit fails. */
        public void afterRollback(Runnable action) {
            rolledBack.add(action);
        }

        boolean hasWritten() {
            return wrote;
        }

        void runCommitted() {
            committed.forEach(Runnable::run);
        }

        void runRolledBack() {
            rolledBack.forEach(Runnable::run);
        }
    }

    /** Applies a change and returns when it is on the disk. */
    public <T> T write(Change<T> change) {
        return write(change, true);
    }

    /**
     * Applies a change and returns when it is committed.
     *
     * @param synced true to survive a loss of power at once, false within a second
     * @throws WriteFailedException if SQLite could not write; nothing was changed
     */
    public <T> T write(Change<T> change, boolean synced) {
        if (deferred.get() == null || synced || commits.mustSync(false)) {
            return write(new Pending<>(change, synced, Pending.Kind.GROUPED)).result();
        }
        Pending<T> pending = write(new Pending<>(change, synced, Pending.Kind.DEFERRED));
        // The action before a wait may have ended the deferral.
        defer();
        deferred.get().add(pending);
        return pending.result();
    }

    /**
     * Applies a change in its own commit and returns when it is on the disk. Later changes see the effects of its actions after the commit.
     *
     * @throws WriteFailedException if SQLite could not write; nothing was changed
     */
    public <T> T writeAlone(Change<T> change) {
        return write(new Pending<>(change, true, Pending.Kind.ALONE)).result();
    }

    /**
     * Lets later changes of the calling thread that are not {@code synced} return before their commit. Other changes and reads of the thread see them.
     * The thread must call {@link #commitDeferred} before it publishes a result.
     */
    public void defer() {
        if (deferred.get() == null) {
            deferred.set(new ArrayList<>());
        }
    }

    /** Returns true if the calling thread has deferred a change since its last {@link #commitDeferred}. */
    public boolean hasDeferred() {
        List<Pending<?>> own = deferred.get();
        return own != null && !own.isEmpty();
    }

    /** Returns true if another commit has included every deferred change of the calling thread. */
    public boolean isCommitted() {
        List<Pending<?>> own = deferred.get();
        return own == null || own.stream().allMatch(Pending::isSettled);
    }

    /**
     * Commits the deferred changes of the calling thread. Later changes return after their commit again.
     *
     * @return false if one of the changes is lost, because SQLite could not write it
     */
    public boolean commitDeferred() {
        List<Pending<?>> own = deferred.get();
        if (own == null) {
            return true;
        }
        try {
            commitBeforeRead();
        } finally {
            deferred.remove();
        }
        return own.stream().noneMatch(Pending::isLost);
    }

    /**
     * Commits the deferred changes of the calling thread, so that its next read sees them. It does not wait for the disk: a change that must
     * be on the disk commits the deferred changes first.
     */
    public void commitBeforeRead() {
        List<Pending<?>> own = deferred.get();
        boolean interrupted = false;
        while (!isCommitted()) {
            if (leading.compareAndSet(false, true)) {
                try {
                    commits.commitOpen();
                } finally {
                    // After an error, such as a lack of memory, a change may be in no commit.
                    own.forEach(Pending::loseUnlessSettled);
                    release();
                }
            } else if (!isSoonFree(this::isCommitted)) {
                LockSupport.parkNanos(this, SPIN_NANOS);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private <T> Pending<T> write(Pending<T> pending) {
        waiting.add(pending);
        boolean interrupted = false;
        while (!pending.isDone()) {
            if (leading.compareAndSet(false, true)) {
                try {
                    lead(pending);
                } finally {
                    release();
                }
            } else if (!isSoonFree(pending::isDone)) {
                if (commits.waitsForDisk()) {
                    commits.beforeWaiting();
                }
                // The action may have waited for a lock, and so used up the wake-up of this thread.
                if (!pending.isDone() && leading.get()) {
                    LockSupport.park(this);
                }
                // A set interrupt flag would make park return at once from now on.
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return pending;
    }

    /** Returns true if the caller's work is done or the writer is free after a short time. */
    private boolean isSoonFree(BooleanSupplier done) {
        long begun = System.nanoTime();
        while (SPINS && !commits.waitsForDisk() && System.nanoTime() - begun < SPIN_NANOS) {
            for (int i = 0; i < SPINS_PER_CHECK; i++) {
                if (done.getAsBoolean() || !leading.get()) {
                    return true;
                }
                Thread.onSpinWait();
            }
        }
        return false;
    }

    /** Runs an action in the thread of a caller before it waits for the disk, or for a change of others that takes long. */
    public void beforeWaiting(Runnable action) {
        commits.beforeWaiting(action);
    }

    /** Runs an action on the writer's connection, outside a transaction, while no change is applied. */
    public void exclusively(SqlAction action) throws SQLException {
        leading(() -> commits.exclusively(action));
    }

    /** Runs in the calling thread as the leader. */
    @FunctionalInterface
    private interface Lead {

        void run() throws SQLException;
    }

    private void leading(Lead lead) throws SQLException {
        boolean interrupted = false;
        while (!leading.compareAndSet(false, true)) {
            LockSupport.parkNanos(this, 100_000);
            interrupted |= Thread.interrupted();
        }
        try {
            lead.run();
        } finally {
            release();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** An action of SQL. */
    @FunctionalInterface
    public interface SqlAction {

        void run(Session session) throws SQLException;
    }

    /** Returns true if a commit was not synced since the last call. */
    public boolean takeUnsynced() {
        return commits.takeUnsynced();
    }

    /** Reverts {@link #takeUnsynced} after a failed sync. Later writes wait until the whole log is on the disk. */
    void syncFailed() {
        commits.syncFailed();
    }

    /** Rewrites the log if a sync had failed. */
    void secure() throws SQLException {
        if (commits.isSuspect()) {
            exclusively(own -> {});
        }
    }

    private void release() {
        leading.set(false);
        Pending<?> next = waiting.peek();
        if (next != null) {
            LockSupport.unpark(next.caller());
        }
    }

    private void lead(Pending<?> own) {
        while (!own.isDone()) {
            commits.next();
        }
    }

    /** Waits for changes in progress; later changes fail. */
    void close() throws SQLException {
        leading(commits::close);
    }
}
