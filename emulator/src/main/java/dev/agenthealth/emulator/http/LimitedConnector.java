package dev.agenthealth.emulator.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A port with limited connections. It answers a connection above the limit with 503 and closes it. */
final class LimitedConnector extends ServerConnector {

    private static final int CHECK_SECONDS = 1;

    /** The maximum number of threads that read from the connections and answer brief requests. */
    private static final int MAX_READERS = 4;

    private static final byte[] REFUSAL =
            "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private final ReaderThreads threads;
    private final Connections connections;

    LimitedConnector(Server server, ReaderThreads threads, HttpConnectionFactory http, Connections connections) {
        super(server, threads, null, null, 1, readers(Runtime.getRuntime().availableProcessors()), http);
        this.threads = threads;
        this.connections = connections;
    }

    /** Returns the number of readers for a number of processors. */
    static int readers(int processors) {
        return Math.min(MAX_READERS, processors);
    }

    Connections connections() {
        return connections;
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        getSelectorManager().addEventListener(connections);
        checkLater();
    }

    private void checkLater() {
        getScheduler()
                .schedule(
                        () -> {
                            connections.closeSlow();
                            if (isRunning()) {
                                checkLater();
                            }
                        },
                        CHECK_SECONDS,
                        TimeUnit.SECONDS);
    }

    @Override
    public void accept(int acceptor) throws IOException {
        if (!(getTransport() instanceof ServerSocketChannel port) || !port.isOpen()) {
            return;
        }
        SocketChannel channel = port.accept();
        if (!connections.admits(channel)) {
            refuse(channel);
            return;
        }
        try {
            channel.configureBlocking(false);
            configure(channel.socket());
            getSelectorManager().accept(channel);
        } catch (IOException | RuntimeException e) {
            connections.remove(channel);
            channel.close();
            throw e;
        }
    }

    private static void refuse(SocketChannel channel) throws IOException {
        try (channel) {
            channel.configureBlocking(false);
            channel.write(ByteBuffer.wrap(REFUSAL));
        }
    }

    @Override
    protected SocketChannelEndPoint newEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key) {
        TurnEndPoint endPoint = new TurnEndPoint(channel, selector, key, getScheduler(), threads);
        endPoint.setIdleTimeout(getIdleTimeout());
        connections.opened(channel, endPoint);
        return endPoint;
    }
}
