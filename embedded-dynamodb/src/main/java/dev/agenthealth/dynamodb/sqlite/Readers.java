package dev.agenthealth.dynamodb.sqlite;

import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Connections for reads. Readers do not wait for the writer, and the writer does not wait for them. Thread-safe. */
public final class Readers implements AutoCloseable {

    /** The maximum number of concurrent reads on a machine with many processors. */
    private static final int MAX_CONNECTIONS = 16;

    private final Opening opening;
    private final Deque<Session> idle = new ConcurrentLinkedDeque<>();
    private final int maxConnections;
    private final Semaphore permits;

    /** The session of a thread during {@link #together}. */
    private final ThreadLocal<Session> shared = new ThreadLocal<>();

    private volatile boolean closed;

    /** Opens a connection. */
    @FunctionalInterface
    interface Opening {

        Session open() throws SQLException;
    }

    /** A read. @param <T> its result */
    @FunctionalInterface
    public interface Read<T> {

        T from(Session session) throws SQLException;
    }

    /** @param maxConnections the maximum number of concurrent reads, and of connections */
    Readers(Opening opening, int maxConnections) {
        this.opening = opening;
        this.maxConnections = maxConnections;
        this.permits = new Semaphore(maxConnections);
    }

    /** Returns the maximum number of reads for a machine. Each connection keeps pages and statements in memory. */
    static int maxConnections(int processors) {
        return Math.min(2 + 2 * processors, MAX_CONNECTIONS);
    }

    /**
     * Runs a read, which sees every earlier commit, and returns its result.
     *
     * @throws ReadFailedException if SQLite fails
     */
    public <T> T read(Read<T> read) {
        Session common = shared.get();
        return common == null ? alone(read) : on(common, read);
    }

    private <T> T alone(Read<T> read) {
        permits.acquireUninterruptibly();
        try {
            if (closed) {
                throw new ReadFailedException("the database is closed");
            }
            return read(read, idle.poll());
        } catch (SQLException e) {
            throw failed(e);
        } finally {
            permits.release();
        }
    }

    private <T> T on(Session common, Read<T> read) {
        try {
            return read.from(common);
        } catch (SQLException e) {
            // SQLite may have ended the transaction. A repeated read gets a new connection, and no other read waits for
            // this one meanwhile.
            shared.remove();
            discard(common, e);
            permits.release();
            throw failed(e);
        }
    }

    private static ReadFailedException failed(SQLException failure) {
        return new ReadFailedException("the database cannot be read: " + reason(failure), failure);
    }

    /** Returns the reason of a failure. SQLite reports a disk error as damage, or as a request outside the file. */
    private static String reason(SQLException failure) {
        return switch (Session.code(failure)) {
            case SQLITE_IOERR_CORRUPTFS -> "the disk fails to read";
            case SQLITE_CORRUPT -> "it is damaged, or the disk fails to read; a check of the data folder says which";
            default -> failure.getMessage();
        };
    }

    private <T> T read(Read<T> read, Session known) throws SQLException {
        Session session = known == null ? opening.open() : known;
        T result;
        try {
            result = read.from(session);
        } catch (SQLException e) {
            // The next read gets a new connection.
            discard(session, e);
            throw e;
        } catch (RuntimeException | Error e) {
            idle.push(session);
            throw e;
        }
        idle.push(session);
        return result;
    }

    private static void discard(Session session, SQLException failure) {
        try {
            session.close();
        } catch (SQLException closing) {
            failure.addSuppressed(closing);
        }
    }

    /**
     * Runs several reads on one snapshot of the database and returns their result.
     *
     * @throws ReadFailedException if SQLite fails
     */
    public <T> T snapshot(Read<T> reads) {
        return shared.get() != null
                ? read(reads)
                : alone(session -> {
                    session.statement("BEGIN").execute();
                    try {
                        return reads.from(session);
                    } finally {
                        session.statement("ROLLBACK").execute();
                    }
                });
    }

    /**
     * Runs the reads of the calling thread on one snapshot, and returns the result of {@code reads}. SQLite then locks its log once instead
     * of once for each read. Commits after the first read, also of the calling thread, are not in the snapshot. If SQLite fails, the other
     * reads run alone.
     */
    public <T> T together(Supplier<T> reads) {
        if (shared.get() != null) {
            return reads.get();
        }
        boolean isShared = false;
        permits.acquireUninterruptibly();
        try {
            isShared = !closed && share();
        } finally {
            if (!isShared) {
                permits.release();
            }
        }
        try {
            return reads.get();
        } finally {
            endSharing();
        }
    }

    /** Begins a snapshot for the reads of the calling thread. Returns false if that fails: each read then fails on its own, or succeeds. */
    private boolean share() {
        Session session = idle.poll();
        try {
            session = session == null ? opening.open() : session;
            session.statement("BEGIN").execute();
            shared.set(session);
            return true;
        } catch (SQLException e) {
            if (session != null) {
                discard(session, e);
            }
            return false;
        }
    }

    private void endSharing() {
        Session session = shared.get();
        if (session == null) {
            return;
        }
        shared.remove();
        try {
            session.statement("ROLLBACK").execute();
            idle.push(session);
        } catch (SQLException e) {
            // The reads have their results. The next read gets a new connection.
            discard(session, e);
        } finally {
            permits.release();
        }
    }

    /** Waits for reads in progress; later reads fail. */
    @Override
    public void close() throws SQLException {
        closed = true;
        permits.acquireUninterruptibly(maxConnections);
        try {
            for (Session session = idle.poll(); session != null; session = idle.poll()) {
                session.close();
            }
        } finally {
            permits.release(maxConnections);
        }
    }
}
