package dev.agenthealth.emulator.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.emulator.support.DaemonThreads;
import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The JDK's HTTP server with a bounded number of threads, time limits for slow callers and an end without cut answers. */
public final class LoopbackServer implements AutoCloseable {

    /** Many, as whoever calls an agent keeps one for up to 25 seconds, and nobody else is to wait for that. */
    private static final int THREADS = 128;

    private static final int WAITING_CONNECTIONS = 1_024;
    private static final int WAITING_REQUESTS = 4_096;
    private static final long CLOSE_SECONDS = 5;

    static {
        // The server reads these once, when its classes load. Without the first, each answer on a kept connection waits
        // some 40 ms for the caller's acknowledgement; without the others, a caller that stops sending keeps a thread.
        setUnlessSet("sun.net.httpserver.nodelay", "true");
        setUnlessSet("sun.net.httpserver.maxReqTime", "30");
        setUnlessSet("sun.net.httpserver.maxRspTime", "60");
    }

    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final EmulatorLog log;

    private LoopbackServer(HttpServer server, String name, EmulatorLog log) {
        this.server = server;
        this.log = log;
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(WAITING_REQUESTS),
                DaemonThreads.named(name));
        threads.allowCoreThreadTimeOut(true);
        server.setExecutor(threads);
    }

    /**
     * Takes the port; nothing is answered before {@link #start}.
     *
     * @param host the name or address to listen on
     * @param port 0 for any free one
     * @param name of the threads
     * @throws IOException when the address cannot be had, {@link java.net.BindException} when it is in use
     */
    public static LoopbackServer bind(String host, int port, String name, EmulatorLog log) throws IOException {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IOException("the host " + host + " is unknown");
        }
        return new LoopbackServer(HttpServer.create(address, WAITING_CONNECTIONS), name, log);
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Answers requests from now on. What the handler throws becomes status 500 where nothing was sent yet. */
    public void start(HttpHandler handler) {
        server.createContext("/", exchange -> {
            try (exchange) {
                handle(handler, exchange);
            }
        });
        server.start();
    }

    private void handle(HttpHandler handler, HttpExchange exchange) throws IOException {
        try {
            handler.handle(exchange);
        } catch (RuntimeException e) {
            log.failure("request_failed", exchange.getRequestMethod(), e);
            if (exchange.getResponseCode() == -1) {
                Exchanges.sendMessage(exchange, 500, "Internal Server Error");
            }
        }
    }

    /** Takes no more requests, lets those under way end for at most 5 s, and frees the port. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
        server.stop(0);
    }

    private static void setUnlessSet(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
