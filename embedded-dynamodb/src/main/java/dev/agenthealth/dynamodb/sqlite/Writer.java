package dev.agenthealth.dynamodb.sqlite;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.SQLiteErrorCode;

/**
 * Applies changes one after the other, and commits waiting changes as a group. It has no thread of its own: a caller leads and works for
 * the others. Thread-safe.
 */
public final class Writer {

    /** The maximum size of a group, so that its first change does not wait long for its last. */
    private static final int MAX_GROUP = 64;

    /** The time for which a caller waits without giving up its processor, since most changes take less time than waking up a thread. */
    private static final long SPIN_NANOS = 40_000;

    /** The number of spins between two looks at the clock. */
    private static final int SPINS_PER_CHECK = 64;

    /** The number of groups without a sync, which are small, after which the size of the log is checked. It takes as long as a small write. */
    private static final int GROUPS_PER_CHECK = 32;

    private static final boolean SPINS = Runtime.getRuntime().availableProcessors() > 1;

    private final Session session;
    private final Settings.Sync sync;
    private final Log log;
    private final Queue<Pending<?>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean leading = new AtomicBoolean();
    private volatile Runnable beforeWaiting = () -> {};

    /** True while the leader waits for the disk. */
    private volatile boolean waitsForDisk;

    private boolean closed;

    /** True while SQLite syncs at each commit. The leader guards this field and the fields below. */
    private boolean syncing;

    private int unsyncedGroups;

    private final AtomicBoolean unsynced = new AtomicBoolean();

    /** True after a failed sync. The system may have discarded the log's earlier data, and sync only later data. */
    private final AtomicBoolean suspect = new AtomicBoolean();

    /** The write-ahead log. */
    interface Log {

        /** Rewrites the whole log and syncs it. */
        void rewrite() throws IOException;

        /** Returns true if the log must be copied to the database now. */
        boolean isVeryLarge();
    }

    /** @param sync the commits that wait for the disk */
    Writer(Session session, Settings.Sync sync, Log log) {
        this.session = session;
        this.sync = sync;
        this.log = log;
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
    }

    private static final class Pending<T> {

        private final Change<T> change;
        private final boolean synced;
        private final boolean alone;
        private final Thread caller = Thread.currentThread();
        private T result;
        private RuntimeException failure;
        private volatile boolean done;

        Pending(Change<T> change, boolean synced, boolean alone) {
            this.change = change;
            this.synced = synced;
            this.alone = alone;
        }

        void apply(Session session, Effect effect) throws SQLException {
            result = null;
            failure = null;
            long before = session.changes();
            try {
                result = change.apply(session, effect);
            } catch (RuntimeException e) {
                failure = e;
                if (session.changes() > before) {
                    throw new PartlyAppliedException(e);
                }
            }
        }

        void finish() {
            done = true;
            LockSupport.unpark(caller);
        }
    }

    /** Thrown if a change failed after it had written something. */
    private static final class PartlyAppliedException extends SQLException {

        private static final long serialVersionUID = 1L;

        private final RuntimeException reason;

        PartlyAppliedException(RuntimeException reason) {
            super(reason);
            this.reason = reason;
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
        return write(new Pending<>(change, synced, false));
    }

    /**
     * Applies a change in its own commit and returns when it is on the disk. Later changes see the effects of its actions after the commit.
     *
     * @throws WriteFailedException if SQLite could not write; nothing was changed
     */
    public <T> T writeAlone(Change<T> change) {
        return write(new Pending<>(change, true, true));
    }

    private <T> T write(Pending<T> pending) {
        waiting.add(pending);
        boolean interrupted = false;
        while (!pending.done) {
            if (leading.compareAndSet(false, true)) {
                try {
                    lead(pending);
                } finally {
                    release();
                }
            } else if (!isSoonFree(pending)) {
                if (waitsForDisk) {
                    beforeWaiting.run();
                }
                // The action may have waited for a lock, and so used up the wake-up of this thread.
                if (!pending.done && leading.get()) {
                    LockSupport.park(this);
                }
                // A set interrupt flag would make park return at once from now on.
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (pending.failure != null) {
            throw pending.failure;
        }
        return pending.result;
    }

    /** Returns true if the change is done or the writer is free after a short time. */
    private boolean isSoonFree(Pending<?> pending) {
        long begun = System.nanoTime();
        while (SPINS && !waitsForDisk && System.nanoTime() - begun < SPIN_NANOS) {
            for (int i = 0; i < SPINS_PER_CHECK; i++) {
                if (pending.done || !leading.get()) {
                    return true;
                }
                Thread.onSpinWait();
            }
        }
        return false;
    }

    /** Runs an action in the thread of a caller before it waits for the disk, or for a change of others that takes long. */
    public void beforeWaiting(Runnable action) {
        beforeWaiting = action;
    }

    /** Runs an action on the writer's connection, outside a transaction, while no change is applied. */
    public void exclusively(SqlAction action) throws SQLException {
        leading(own -> {
            secureLog();
            action.run(own);
        });
    }

    private void leading(SqlAction action) throws SQLException {
        boolean interrupted = false;
        while (!leading.compareAndSet(false, true)) {
            LockSupport.parkNanos(this, 100_000);
            interrupted |= Thread.interrupted();
        }
        try {
            waitsForDisk = true;
            action.run(session);
        } catch (SQLException e) {
            noteSync(e);
            session.discardStatements();
            throw e;
        } finally {
            waitsForDisk = false;
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
        return unsynced.getAndSet(false);
    }

    /** Reverts {@link #takeUnsynced} after a failed sync. Later writes wait until the whole log is on the disk. */
    void syncFailed() {
        unsynced.set(true);
        suspect.set(true);
    }

    private void noteSync(SQLException failure) {
        SQLiteErrorCode code = Session.code(failure);
        if (code == SQLiteErrorCode.SQLITE_IOERR_FSYNC || code == SQLiteErrorCode.SQLITE_IOERR_DIR_FSYNC) {
            syncFailed();
        }
    }

    /** Rewrites the log if a sync had failed. */
    void secure() throws SQLException {
        if (suspect.get()) {
            exclusively(own -> {});
        }
    }

    /** Rewrites the log if a sync had failed. Only the leader calls this. */
    private void secureLog() throws SQLException {
        if (suspect.getAndSet(false)) {
            try {
                log.rewrite();
            } catch (IOException e) {
                suspect.set(true);
                throw new SQLException("the disk does not sync: " + e.getMessage(), e);
            }
        }
    }

    /** Copies a large log to the database. SQLite's own checkpoints do not report a failed sync, so this class runs its own. */
    private void copyLargeLog() {
        if (sync != Settings.Sync.NEVER && log.isVeryLarge()) {
            waitsForDisk = true;
            beforeWaiting.run();
            try {
                session.number("PRAGMA wal_checkpoint(PASSIVE)", 0);
            } catch (SQLException e) {
                // The next commit tries again.
                noteSync(e);
                session.discardStatements();
            } finally {
                waitsForDisk = false;
            }
        }
    }

    private void release() {
        leading.set(false);
        Pending<?> next = waiting.peek();
        if (next != null) {
            LockSupport.unpark(next.caller);
        }
    }

    private void lead(Pending<?> own) {
        while (!own.done) {
            List<Pending<?>> group = new ArrayList<>();
            for (Pending<?> next = waiting.peek(); next != null && fits(next, group); next = waiting.peek()) {
                group.add(waiting.remove());
            }
            apply(group, true);
        }
    }

    private static boolean fits(Pending<?> next, List<Pending<?>> group) {
        return group.isEmpty() || group.size() < MAX_GROUP && !next.alone && !group.get(0).alone;
    }

    /** @param mayGrow whether changes that arrive meanwhile join the group */
    private void apply(List<Pending<?>> group, boolean mayGrow) {
        try {
            secureLog();
        } catch (SQLException e) {
            group.forEach(one -> one.failure = new WriteFailedException(e));
            group.forEach(Pending::finish);
            return;
        }
        try {
            commit(group, mayGrow);
        } catch (SQLException e) {
            noteSync(e);
            if (group.size() > 1) {
                // A single change may be the reason.
                group.forEach(one -> apply(List.of(one), false));
                return;
            }
            group.get(0).failure =
                    e instanceof PartlyAppliedException partly ? partly.reason : new WriteFailedException(e);
        } catch (RuntimeException | Error e) {
            group.forEach(one -> one.failure = new IllegalStateException("a group of writes failed", e));
        }
        if (syncing || ++unsyncedGroups % GROUPS_PER_CHECK == 0) {
            copyLargeLog();
        }
        group.forEach(Pending::finish);
    }

    /** Applies changes that arrived while the group was applied, so that they need no commit of their own. */
    private void applyLater(List<Pending<?>> group, Effect effect) throws SQLException {
        for (Pending<?> next = waiting.peek(); next != null && fits(next, group); next = waiting.peek()) {
            if (!waitsForDisk && mustSync(next)) {
                return;
            }
            group.add(waiting.remove());
            next.apply(session, effect);
        }
    }

    private void commit(List<Pending<?>> group, boolean mayGrow) throws SQLException {
        if (closed) {
            throw new SQLException("the database is closed");
        }
        Effect effect = new Effect();
        try {
            waitsForDisk = mustSync(group);
            if (waitsForDisk) {
                beforeWaiting.run();
            }
            setSyncing(waitsForDisk);
            session.statement("BEGIN IMMEDIATE").execute();
            for (Pending<?> pending : group) {
                pending.apply(session, effect);
            }
            if (mayGrow) {
                applyLater(group, effect);
            }
            session.statement(effect.wrote ? "COMMIT" : "ROLLBACK").execute();
        } catch (SQLException | RuntimeException | Error e) {
            rollBack(e);
            effect.rolledBack.forEach(Runnable::run);
            throw e;
        } finally {
            waitsForDisk = false;
        }
        if (sync != Settings.Sync.NEVER && !syncing && effect.wrote) {
            unsynced.set(true);
        }
        effect.committed.forEach(Runnable::run);
    }

    private boolean mustSync(List<Pending<?>> group) {
        for (Pending<?> pending : group) {
            if (mustSync(pending)) {
                return true;
            }
        }
        return false;
    }

    private boolean mustSync(Pending<?> pending) {
        return switch (sync) {
            case NEVER -> false;
            case MOST -> pending.synced;
            case ALWAYS -> true;
        };
    }

    /** Changes whether commits are synced; SQLite permits this between transactions only. */
    private void setSyncing(boolean wanted) throws SQLException {
        if (wanted != syncing) {
            session.statement(wanted ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
                    .execute();
            syncing = wanted;
        }
    }

    private void rollBack(Throwable reason) {
        session.discardStatements();
        try {
            session.execute("ROLLBACK");
        } catch (SQLException e) {
            // After some failures SQLite has rolled back by itself.
            reason.addSuppressed(e);
        }
    }

    /** Waits for changes in progress; later changes fail. */
    void close() throws SQLException {
        leading(own -> {
            closed = true;
            own.close();
        });
    }
}
