package dev.agenthealth.emulator.http;

import dev.agenthealth.emulator.support.DaemonThreads;
import dev.agenthealth.emulator.support.EmulatorLog;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.thread.TryExecutor;

/**
 * The threads that read from the connections of a server. Thread-safe.
 *
 * <p>Each port has a few readers, and each reader has its own connections. When a reader has read a request, Jetty would wake another
 * reader, which takes about as long as a heartbeat. Here the reader answers a brief request first, and reads on. It hands its connections
 * over to another thread only if the request is not brief, is about to wait, waits for {@link #MAX_WAIT_NANOS}, or takes longer than
 * {@link #MAX_NANOS}. So no request blocks the others. A request that only waits for a processor keeps its connections longer, because
 * another thread would wait for the same processor.
 *
 * <p>After a request whose connections were handed over, Jetty lets its thread read on beside the other thread. Then one of them waits
 * until the other has ended its request and stops, so that the number of threads that read stays the same.
 */
final class ReaderThreads implements TryExecutor, AutoCloseable {

    /** The time after which a request counts as not brief, although its thread waits for nothing. It may only wait for a processor. */
    static final long MAX_NANOS = Duration.ofMillis(2).toNanos();

    /** The time after which a request counts as not brief if its thread waits for something. The watch looks this often. */
    static final long MAX_WAIT_NANOS = Duration.ofMillis(1).toNanos();

    /** The time without requests after which the watch stops. A request starts it again. */
    private static final long QUIET_NANOS = Duration.ofMillis(20).toNanos();

    private static final long NO_REQUEST = Long.MAX_VALUE;

    private final Executor threads;
    private final LongSupplier nanoTime;
    private final EmulatorLog log;
    private final Thread watch;

    private final HeldAnswers answers;
    private final Map<Runnable, Reader> readers = new ConcurrentHashMap<>();

    private final ThreadLocal<Turn> own = new ThreadLocal<>();

    /** The reader whose connections the thread reads from. */
    private final ThreadLocal<Reader> reading = new ThreadLocal<>();

    private volatile boolean watching;
    private volatile boolean closed;

    /** Jetty's task that reads from some connections of a port. */
    private final class Reader implements Runnable {

        private final Runnable task;
        private final AtomicBoolean queued = new AtomicBoolean();
        private volatile Turn last;

        /** The thread that reads next, and waits for the request of the last turn. */
        private volatile Thread next;

        Reader(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            queued.set(false);
            reading.set(this);
            runAndRelease(task);
        }

        /** Waits until no other thread answers a request that is expected to be brief. */
        void awaitTurn() {
            Turn other = last;
            if (other == null || other.thread == Thread.currentThread() || other.isOver()) {
                return;
            }
            answers.release();
            boolean interrupted = false;
            next = Thread.currentThread();
            while (!other.isOver()) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
            next = null;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** Returns true if a thread waits for its turn. It reads now. */
        boolean wakeNext() {
            Thread waiting = next;
            LockSupport.unpark(waiting);
            return waiting != null;
        }
    }

    /** The requests between two reads, which may be several requests of a connection. It is true while no other thread reads instead. */
    private static final class Turn extends AtomicBoolean {

        private static final long serialVersionUID = 1L;

        private final transient Reader reader;
        private final transient Thread thread = Thread.currentThread();

        /** The beginning of the request in progress, or {@link #NO_REQUEST}. */
        private volatile long since;

        Turn(Reader reader, long since) {
            super(true);
            this.reader = reader;
            this.since = since;
        }

        /** Returns true if another thread may read. */
        boolean isOver() {
            return since == NO_REQUEST || !get();
        }

        /** Returns true if a request that has taken so long is not brief. */
        boolean isLate(long nanos) {
            return nanos >= MAX_NANOS || nanos >= MAX_WAIT_NANOS && thread.getState() != Thread.State.RUNNABLE;
        }
    }

    /** @param threads runs readers after a handover */
    ReaderThreads(String name, Executor threads, LongSupplier nanoTime, EmulatorLog log) {
        this.answers = new HeldAnswers(log);
        this.log = log;
        this.threads = threads;
        this.nanoTime = nanoTime;
        this.watch = DaemonThreads.named(name + "-watch").newThread(this::watch);
    }

    void start() {
        watch.start();
    }

    /** Runs a task in another thread. A connection whose held answer was sent goes on to read in the calling thread. */
    @Override
    public void execute(Runnable task) {
        if (answers.isReleasing() && task instanceof Connection) {
            task.run();
        } else {
            threads.execute(() -> runAndRelease(task));
        }
    }

    private void runAndRelease(Runnable task) {
        try {
            task.run();
        } finally {
            answers.exit();
            own.remove();
            reading.remove();
        }
    }

    HeldAnswers answers() {
        return answers;
    }

    /**
     * Jetty calls this before the calling thread answers a request. Later the thread goes on to read, unless {@code task} has begun to.
     *
     * @return true: {@code task} runs when the connections are handed over
     */
    @Override
    public boolean tryExecute(Runnable task) {
        Reader reader = readers.computeIfAbsent(task, Reader::new);
        Turn turn = new Turn(reader, nanoTime.getAsLong());
        reader.last = turn;
        own.set(turn);
        reading.set(reader);
        wakeWatch();
        return true;
    }

    /** Waits until no other thread answers a brief request of the same reader. Does nothing in a thread that is no reader. */
    void awaitTurn() {
        Reader reader = reading.get();
        if (reader != null) {
            reader.awaitTurn();
        }
    }

    private void wakeWatch() {
        if (!watching) {
            LockSupport.unpark(watch);
        }
    }

    /** Begins a brief request of the calling thread. */
    void begin() {
        answers.defer();
        Turn turn = own.get();
        if (turn != null) {
            turn.since = nanoTime.getAsLong();
            wakeWatch();
        }
    }

    /** Lets another thread read, because the request of the calling thread may wait. Does nothing in a thread that is no reader. */
    void handOver() {
        Turn turn = own.get();
        if (turn != null) {
            own.remove();
            handOver(turn);
        }
    }

    /** Ends the turn of the calling thread, which reads on unless another thread does. */
    void end() {
        Turn turn = own.get();
        if (turn != null) {
            if (!turn.get() || answers.isFull()) {
                answers.release();
            }
            turn.since = NO_REQUEST;
            turn.reader.wakeNext();
        }
    }

    private void handOver(Turn turn) {
        // A reader that waits for a thread is enough.
        if (turn.getAndSet(false) && !turn.reader.wakeNext() && turn.reader.queued.compareAndSet(false, true)) {
            try {
                threads.execute(turn.reader);
            } catch (RejectedExecutionException e) {
                // Too many tasks wait for a thread, or the server stops. The thread of the turn reads on after its
                // request.
                turn.reader.queued.set(false);
            } catch (Error e) {
                log.failure("reader_not_started", "connections", e);
                turn.reader.queued.set(false);
            }
        }
    }

    /** Hands over the connections of requests that take too long. Returns true if a request is in progress. */
    boolean handOverLate() {
        long now = nanoTime.getAsLong();
        boolean busy = false;
        for (Reader reader : readers.values()) {
            Turn turn = reader.last;
            if (turn == null || !turn.get()) {
                continue;
            }
            long since = turn.since;
            if (since != NO_REQUEST) {
                busy = true;
                if (turn.isLate(now - since)) {
                    handOver(turn);
                }
            }
        }
        return busy;
    }

    private void watch() {
        long busyAt = nanoTime.getAsLong();
        while (!closed) {
            watching = true;
            long now = nanoTime.getAsLong();
            if (handOverLate()) {
                busyAt = now;
            }
            if (now - busyAt < QUIET_NANOS) {
                LockSupport.parkNanos(this, MAX_WAIT_NANOS);
                continue;
            }
            watching = false;
            if (!handOverLate()) {
                LockSupport.park(this);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(watch);
    }
}
