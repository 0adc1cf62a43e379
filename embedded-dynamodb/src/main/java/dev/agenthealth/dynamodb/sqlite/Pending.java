package dev.agenthealth.dynamodb.sqlite;

import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/**
 * A change that waits for the writer. The leader applies it, and its caller reads the result when it is done.
 *
 * @param <T> the result of the change
 */
final class Pending<T> {

    /** Decides how a change shares its commit. */
    enum Kind {
        /** Shares its commit with other changes that wait. Its caller waits for the commit. */
        GROUPED,
        ALONE,
        /** Shares a commit that is still open. Its caller gets the result before the commit. */
        DEFERRED
    }

    private final Writer.Change<T> change;
    private final boolean synced;
    private final Kind kind;
    private final Thread caller = Thread.currentThread();
    private T result;
    private RuntimeException failure;
    private volatile boolean done;
    private volatile boolean settled;
    private volatile boolean lost;

    Pending(Writer.Change<T> change, boolean synced, Kind kind) {
        this.change = change;
        this.synced = synced;
        this.kind = kind;
    }

    boolean synced() {
        return synced;
    }

    Kind kind() {
        return kind;
    }

    Thread caller() {
        return caller;
    }

    boolean isDone() {
        return done;
    }

    void apply(Session session, Writer.Effect effect) throws SQLException {
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

    void fail(RuntimeException reason) {
        failure = reason;
    }

    void finish() {
        done = true;
        LockSupport.unpark(caller);
    }

    T result() {
        if (failure != null) {
            throw failure;
        }
        return result;
    }

    /** Returns the change, to apply it once more. Its caller may read the result of this one meanwhile. */
    Pending<T> again() {
        return new Pending<>(change, synced, Kind.GROUPED);
    }

    /** Records that a deferred change is committed. */
    void settle() {
        settled = true;
    }

    /** Records the outcome of {@link #again}. The caller gets it as the result, unless it has a result already. */
    void settle(Pending<T> again) {
        if (!done) {
            result = again.result;
            failure = again.failure;
        } else {
            lost = failure == null && again.failure != null;
        }
        settled = true;
    }

    /** Records that a deferred change has no commit, unless its outcome is known. */
    void loseUnlessSettled() {
        if (!settled) {
            lost = true;
            settled = true;
        }
    }

    boolean isSettled() {
        return settled;
    }

    /** Returns true if the caller has a failure as its result. */
    boolean hasFailed() {
        return done && failure != null;
    }

    /** Returns true if a deferred change was applied and then lost, because its commit failed. */
    boolean isLost() {
        return lost;
    }

    /** Thrown if a change failed after it had written something. */
    static final class PartlyAppliedException extends SQLException {

        private static final long serialVersionUID = 1L;

        private final RuntimeException reason;

        private PartlyAppliedException(RuntimeException reason) {
            super(reason);
            this.reason = reason;
        }

        RuntimeException reason() {
            return reason;
        }
    }
}
