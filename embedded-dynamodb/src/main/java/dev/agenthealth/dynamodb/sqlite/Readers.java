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

    private static <T> T on(Session common, Read<T> read) {
        try {
            return read.from(common);
        } catch (SQLException e) {
            // A repeated read prepares its statement anew. It takes no second connection, for which others may wait in
            // turn.
            common.fail();
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
            try {
                session.close();
            } catch (SQLException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        } catch (RuntimeException | Error e) {
            giveBack(session);
            throw e;
        }
        giveBack(session);
        return result;
    }

    /** Keeps a session for later reads, unless a read on it failed. */
    private void giveBack(Session session) throws SQLException {
        if (session.hasFailed()) {
            session.close();
        } else {
            idle.push(session);
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
     * of once for each read. Later commits, also of the calling thread, are not in the snapshot.
     *
     * @throws ReadFailedException if SQLite fails
     */
    public <T> T together(Supplier<T> reads) {
        return snapshot(session -> {
            Session outer = shared.get();
            shared.set(session);
            try {
                return reads.get();
            } finally {
                if (outer == null) {
                    shared.remove();
                }
            }
        });
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
