package dev.agenthealth.emulator.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A connection that takes turns with the other connections of its reader. After each request, it reads nothing until the reader has looked
 * at all its connections again. Otherwise, a client that sends its next request at once keeps the reader, and the other clients wait.
 * Thread-safe.
 */
final class TurnEndPoint extends SocketChannelEndPoint {

    private static final int MAX_COPIED_BYTES = 2_048;

    /** True from the end of a received request until the connection waits for the reader. */
    private volatile boolean hadTurn;

    private final ReaderThreads readers;

    TurnEndPoint(
            SocketChannel channel,
            ManagedSelector selector,
            SelectionKey key,
            Scheduler scheduler,
            ReaderThreads readers) {
        super(channel, selector, key, scheduler);
        this.readers = readers;
    }

    /** Returns the work for the bytes that have arrived. It begins after the request of another thread of the same reader. */
    @Override
    public Runnable onSelected() {
        Runnable work = super.onSelected();
        if (work == null) {
            return null;
        }
        readers.awaitTurn();
        return new Work(work, readers);
    }

    /** The reader calls this after the work of all its connections that had bytes. */
    @Override
    public void updateKey() {
        readers.answers().release();
        super.updateKey();
    }

    /** The work for the bytes that have arrived. */
    private record Work(Runnable work, ReaderThreads readers) implements Invocable.Task {

        @Override
        public void run() {
            readers.answers().enter();
            try {
                work.run();
            } finally {
                readers.end();
            }
        }

        @Override
        public InvocationType getInvocationType() {
            return Invocable.getInvocationType(work);
        }
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

    /** Writes a short head and body as one buffer, because an array of buffers costs the system and the channel more than the copy. */
    @Override
    public boolean flush(ByteBuffer... buffers) throws IOException {
        if (buffers.length != 2 || (long) buffers[0].remaining() + buffers[1].remaining() > MAX_COPIED_BYTES) {
            return super.flush(buffers);
        }
        ByteBuffer both = ByteBuffer.allocate(buffers[0].remaining() + buffers[1].remaining());
        both.put(buffers[0].duplicate()).put(buffers[1].duplicate()).flip();
        boolean complete = super.flush(both);
        int written = both.position();
        for (ByteBuffer buffer : buffers) {
            int ofBuffer = Math.min(written, buffer.remaining());
            buffer.position(buffer.position() + ofBuffer);
            written -= ofBuffer;
        }
        return complete;
    }

    @Override
    protected void needsFillInterest() {
        hadTurn = false;
        super.needsFillInterest();
    }
}
