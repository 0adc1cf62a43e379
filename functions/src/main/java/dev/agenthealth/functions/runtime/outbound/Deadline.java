package dev.agenthealth.functions.runtime.outbound;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Closes the socket of a call when its deadline passes. A socket timeout alone would restart with every byte that a slow agent sends.
 * Thread-safe.
 */
final class Deadline implements AutoCloseable {

    private final ScheduledExecutorService timer;
    private ScheduledFuture<?> task;
    private Socket socket = new Socket();
    private boolean passed;

    Deadline(ScheduledExecutorService timer, Duration timeout) {
        this.timer = timer;
        this.task = timer.schedule(this::pass, timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Moves the deadline forward, so that it passes after {@code timeout} at the latest. */
    synchronized void hasten(Duration timeout) {
        if (task.getDelay(TimeUnit.MILLISECONDS) > timeout.toMillis() && task.cancel(false)) {
            task = timer.schedule(this::pass, timeout.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Sets the socket to close.
     *
     * @throws SocketTimeoutException if the deadline has passed
     */
    synchronized void guard(Socket opened) throws SocketTimeoutException {
        socket = opened;
        if (passed) {
            shut();
            throw new SocketTimeoutException();
        }
    }

    /** Returns whether the deadline has passed. */
    synchronized boolean hasPassed() {
        return passed;
    }

    /** Cancels the deadline and leaves the socket open. */
    synchronized void cancel() {
        task.cancel(false);
    }

    private synchronized void pass() {
        passed = true;
        shut();
    }

    private void shut() {
        try {
            socket.close();
        } catch (IOException e) {
            // A socket that cannot be closed needs no further handling.
        }
    }

    /** Cancels the deadline and closes the socket. */
    @Override
    public synchronized void close() {
        task.cancel(false);
        shut();
    }
}
