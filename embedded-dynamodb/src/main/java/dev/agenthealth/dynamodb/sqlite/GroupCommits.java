package dev.agenthealth.dynamodb.sqlite;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.sqlite.SQLiteErrorCode;

/**
 * Applies the changes that wait for a {@link Writer}, and commits them in groups. The leader of the writer calls it, unless a method says
 * otherwise.
 *
 * <p>Deferred changes join one commit that stays open until one of their callers commits it, or another change or action needs the writer.
 */
final class GroupCommits {

    /** The maximum size of a group, so that its first change does not wait long for its last. */
    private static final int MAX_GROUP = 64;

    /** The number of groups without a sync, which are small, after which the size of the log is checked. It takes as long as a small write. */
    private static final int GROUPS_PER_CHECK = 32;

    private final Session session;
    private final Settings.Sync sync;
    private final Writer.Log log;
    private final Queue<Pending<?>> waiting;
    private volatile Runnable beforeWaiting = () -> {};

    /** True while the leader waits for the disk. */
    private volatile boolean waitsForDisk;

    private boolean closed;

    /** True while SQLite syncs at each commit. The leader guards this field and the fields below. */
    private boolean syncing;

    private int unsyncedGroups;

    /** The applied changes of the commit that is still open. */
    private final List<Pending<?>> open = new ArrayList<>();

    private Writer.Effect effectOfOpen = new Writer.Effect();

    private final AtomicBoolean unsynced = new AtomicBoolean();

    /** True after a failed sync. The system may have discarded the log's earlier data, and sync only later data. */
    private final AtomicBoolean suspect = new AtomicBoolean();

    /**
     * @param sync the commits that wait for the disk
     * @param waiting the changes that wait, in their order
     */
    GroupCommits(Session session, Settings.Sync sync, Writer.Log log, Queue<Pending<?>> waiting) {
        this.session = session;
        this.sync = sync;
        this.log = log;
        this.waiting = waiting;
    }

    /** Returns true while the leader waits for the disk. Any thread may call it. */
    boolean waitsForDisk() {
        return waitsForDisk;
    }

    /** Runs an action in the thread of a caller before it waits for the disk. */
    void beforeWaiting(Runnable action) {
        beforeWaiting = action;
    }

    /** Runs the action of {@link #beforeWaiting(Runnable)}. Any thread may call it. */
    void beforeWaiting() {
        beforeWaiting.run();
    }

    /** Applies the change that has waited longest, and commits it with others unless it is deferred. */
    void next() {
        if (waiting.peek().kind() == Pending.Kind.DEFERRED) {
            applyDeferred(waiting.remove());
            return;
        }
        commitOpen();
        List<Pending<?>> group = new ArrayList<>();
        for (Pending<?> next = waiting.peek(); next != null && fits(next, group); next = waiting.peek()) {
            group.add(waiting.remove());
        }
        apply(group, true);
    }

    /** Runs an action outside a transaction. */
    void exclusively(Writer.SqlAction action) throws SQLException {
        commitOpen();
        try {
            waitsForDisk = true;
            secureLog();
            action.run(session);
        } catch (SQLException e) {
            noteSync(e);
            session.discardStatements();
            throw e;
        } finally {
            waitsForDisk = false;
        }
    }

    /** Closes the connection; later changes fail. */
    void close() throws SQLException {
        commitOpen();
        closed = true;
        session.close();
    }

    private static boolean fits(Pending<?> next, List<Pending<?>> group) {
        return group.isEmpty()
                || group.size() < MAX_GROUP
                        && next.kind() == Pending.Kind.GROUPED
                        && group.get(0).kind() == Pending.Kind.GROUPED;
    }

    /** Applies a change in the open commit. If it fails after it wrote something, every change of the commit gets a commit of its own. */
    private void applyDeferred(Pending<?> pending) {
        try {
            if (open.size() >= MAX_GROUP) {
                commitOpen();
            }
            if (open.isEmpty()) {
                checkLog();
                secureLog();
                begin(false);
            }
            open.add(pending);
            pending.apply(session, effectOfOpen);
        } catch (SQLException | RuntimeException | Error e) {
            if (!open.contains(pending)) {
                open.add(pending);
            }
            rollBackOpen(e);
        }
        pending.finish();
    }

    /** Commits the deferred changes that wait. It does not wait for the disk, unless the commit fails. */
    void commitOpen() {
        if (open.isEmpty()) {
            return;
        }
        try {
            commit(effectOfOpen);
        } catch (SQLException | RuntimeException | Error e) {
            rollBackOpen(e);
            return;
        }
        Writer.Effect effect = effectOfOpen;
        effectOfOpen = new Writer.Effect();
        try {
            effect.runCommitted();
        } finally {
            open.forEach(Pending::settle);
            open.clear();
        }
    }

    /**
     * Applies each change of the open commit alone, because a single change may be the reason of its failure. After a lost change, only the
     * change without a result is applied, because a later result may depend on the lost change.
     */
    private void rollBackOpen(Throwable reason) {
        if (reason instanceof SQLException failure) {
            noteSync(failure);
        }
        List<Pending<?>> group = List.copyOf(open);
        open.clear();
        rollBack(reason);
        effectOfOpen.runRolledBack();
        effectOfOpen = new Writer.Effect();
        boolean lost = false;
        for (Pending<?> pending : group) {
            if (pending.hasFailed()) {
                pending.settle();
            } else if (lost && pending.isDone()) {
                pending.loseUnlessSettled();
            } else {
                applyAgain(pending);
                lost |= pending.isLost();
            }
        }
    }

    private <T> void applyAgain(Pending<T> pending) {
        Pending<T> again = pending.again();
        apply(List.of(again), false);
        pending.settle(again);
    }

    /** @param mayGrow whether changes that arrive meanwhile join the group */
    private void apply(List<Pending<?>> group, boolean mayGrow) {
        try {
            secureLog();
        } catch (SQLException e) {
            group.forEach(one -> one.fail(new WriteFailedException(e)));
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
            group.get(0)
                    .fail(
                            e instanceof Pending.PartlyAppliedException partly
                                    ? partly.reason()
                                    : new WriteFailedException(e));
        } catch (RuntimeException | Error e) {
            group.forEach(one -> one.fail(new IllegalStateException("a group of writes failed", e)));
        }
        checkLog();
        group.forEach(Pending::finish);
    }

    private void checkLog() {
        if (syncing || ++unsyncedGroups % GROUPS_PER_CHECK == 0) {
            copyLargeLog();
        }
    }

    /** Applies changes that arrived while the group was applied, so that they need no commit of their own. */
    private void applyLater(List<Pending<?>> group, Writer.Effect effect) throws SQLException {
        for (Pending<?> next = waiting.peek(); next != null && fits(next, group); next = waiting.peek()) {
            if (!waitsForDisk && mustSync(next.synced())) {
                return;
            }
            group.add(waiting.remove());
            next.apply(session, effect);
        }
    }

    private void commit(List<Pending<?>> group, boolean mayGrow) throws SQLException {
        Writer.Effect effect = new Writer.Effect();
        try {
            begin(mustSync(group));
            for (Pending<?> pending : group) {
                pending.apply(session, effect);
            }
            if (mayGrow) {
                applyLater(group, effect);
            }
            commit(effect);
        } catch (SQLException | RuntimeException | Error e) {
            rollBack(e);
            effect.runRolledBack();
            throw e;
        } finally {
            waitsForDisk = false;
        }
        effect.runCommitted();
    }

    private void begin(boolean synced) throws SQLException {
        if (closed) {
            throw new SQLException("the database is closed");
        }
        waitsForDisk = synced;
        if (synced) {
            beforeWaiting.run();
        }
        setSyncing(synced);
        session.statement("BEGIN IMMEDIATE").execute();
    }

    private void commit(Writer.Effect effect) throws SQLException {
        session.statement(effect.hasWritten() ? "COMMIT" : "ROLLBACK").execute();
        if (sync != Settings.Sync.NEVER && !syncing && effect.hasWritten()) {
            unsynced.set(true);
        }
    }

    private boolean mustSync(List<Pending<?>> group) {
        for (Pending<?> pending : group) {
            if (mustSync(pending.synced())) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if a change must be on the disk with its commit. Any thread may call it. */
    boolean mustSync(boolean synced) {
        return switch (sync) {
            case NEVER -> false;
            case MOST -> synced;
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
        if (closed) {
            return;
        }
        session.discardStatements();
        try {
            session.execute("ROLLBACK");
        } catch (SQLException e) {
            // After some failures SQLite has rolled back by itself.
            reason.addSuppressed(e);
        }
    }

    /** Returns true if a commit was not synced since the last call. Any thread may call it. */
    boolean takeUnsynced() {
        return unsynced.getAndSet(false);
    }

    /** Reverts {@link #takeUnsynced} after a failed sync. Later writes wait until the whole log is on the disk. Any thread may call it. */
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

    /** Returns true after a failed sync, until the log is rewritten. Any thread may call it. */
    boolean isSuspect() {
        return suspect.get();
    }

    /** Rewrites the log if a sync had failed. */
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
}
