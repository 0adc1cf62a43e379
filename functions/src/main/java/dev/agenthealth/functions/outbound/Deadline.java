package dev.agenthealth.functions.outbound;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The end of a call's time: it closes the socket under whatever is being done with it. A time-out of the socket alone would begin anew with
 * every byte of somebody who sends one every second. Thread-safe.
 */
final class Deadline implements AutoCloseable {

    private final ScheduledFuture<?> alarm;
    private Socket socket = new Socket();
    private boolean passed;

    Deadline(ScheduledExecutorService timer, Duration timeout) {
        this.alarm = timer.schedule(this::pass, timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Says which socket is closed when the time is over.
     *
     * @throws SocketTimeoutException where it is over
     */
    synchronized void guard(Socket opened) throws SocketTimeoutException {
        socket = opened;
        if (passed) {
            shut();
            throw new SocketTimeoutException();
        }
    }

    /** Whether the time is over. */
    synchronized boolean hasPassed() {
        return passed;
    }

    /** Lets the time go on without end, and what is guarded open. */
    synchronized void lift() {
        alarm.cancel(false);
    }

    private synchronized void pass() {
        passed = true;
        shut();
    }

    private void shut() {
        try {
            socket.close();
        } catch (IOException e) {
            // There is nothing more to be done with it.
        }
    }

    /** The call is over: nothing stays open. */
    @Override
    public synchronized void close() {
        alarm.cancel(false);
        shut();
    }
}
