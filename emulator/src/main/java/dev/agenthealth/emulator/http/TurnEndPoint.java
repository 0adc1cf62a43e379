package dev.agenthealth.emulator.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A connection that takes turns with the other connections of its reader. After each request, it reads nothing until the reader has looked
 * at all its connections again. Otherwise, a client that sends its next request at once keeps the reader, and the other clients wait.
 * Thread-safe.
 */
final class TurnEndPoint extends SocketChannelEndPoint {

    /** True from the end of a received request until the connection waits for the reader. */
    private volatile boolean hadTurn;

    TurnEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
        super(channel, selector, key, scheduler);
    }

    /** Ends the turn of the connection, because a whole request was received. Bytes of the next request stay in the socket. */
    void endTurn() {
        hadTurn = true;
    }

    /** Reads bytes; 0 if there are none, or if other connections have their turn first. */
    @Override
    public int fill(ByteBuffer buffer) throws IOException {
        return hadTurn ? 0 : super.fill(buffer);
    }

    @Override
    protected void needsFillInterest() {
        hadTurn = false;
        super.needsFillInterest();
    }
}
