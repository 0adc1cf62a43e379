package dev.agenthealth.emulator.http;

import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/**
 * An HTTP/1.1 server with bounded resources: it answers 128 requests at a time, queues 4,096 more, holds 4,096 connections and closes a
 * connection on which nothing was sent for 30 s. Only a request that was received completely takes a thread.
 */
public final class WebServer implements AutoCloseable {

    /** The size of a request's body from which on it is refused with status 413: API Gateway's own limit. */
    public static final int MAX_BODY_BYTES = 10 * 1024 * 1024;

    private static final int MAX_REQUESTS = 128;
    private static final int MAX_WAITING_REQUESTS = 4_096;
    private static final int MAX_CONNECTIONS = 4_096;
    private static final int MIN_THREADS = 4;
    private static final int CONNECTION_THREADS = 2;
    private static final int THREAD_IDLE_MILLIS = 30_000;
    private static final int WAITING_CONNECTIONS = 1_024;
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /** Paths arrive as they were sent, because functions decode them; what is no URI at all gets status 400. */
    private static final UriCompliance RAW_PATHS = UriCompliance.UNSAFE.without(
            "RAW_PATHS",
            Violation.BAD_PERCENT_ENCODING,
            Violation.BAD_UTF8_ENCODING,
            Violation.ILLEGAL_PATH_CHARACTERS);

    private final Server server;
    private final ServerConnector connector;
    private final EmulatorLog log;

    private WebServer(String host, int port, String name, Duration idleTimeout, EmulatorLog log) {
        this.log = log;
        QueuedThreadPool threads = new QueuedThreadPool(
                MAX_REQUESTS + CONNECTION_THREADS,
                MIN_THREADS,
                THREAD_IDLE_MILLIS,
                new LinkedBlockingQueue<>(MAX_WAITING_REQUESTS));
        threads.setName(name);
        threads.setDaemon(true);
        this.server = new Server(threads, new ScheduledExecutorScheduler(name + "-timer", true), null);
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setUriCompliance(RAW_PATHS);
        this.connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(configuration));
        connector.setHost(host);
        connector.setPort(port);
        connector.setAcceptQueueSize(WAITING_CONNECTIONS);
        connector.setIdleTimeout(idleTimeout.toMillis());
        connector.setShutdownIdleTimeout(1);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(MAX_CONNECTIONS, server));
        server.setStopTimeout(CLOSE_TIMEOUT.toMillis());
    }

    /**
     * Takes the port; nothing is answered before {@link #start}.
     *
     * @param host the name or address to listen on
     * @param port 0 for any free one
     * @param name of the threads
     * @throws IOException when the address is not available, {@link BindException} when it is in use
     */
    public static WebServer bind(String host, int port, String name, EmulatorLog log) throws IOException {
        return bind(host, port, name, IDLE_TIMEOUT, log);
    }

    /** @param idleTimeout after which a connection is closed on which nothing was sent */
    static WebServer bind(String host, int port, String name, Duration idleTimeout, EmulatorLog log)
            throws IOException {
        if (new InetSocketAddress(host, port).isUnresolved()) {
            throw new IOException("the host " + host + " is unknown");
        }
        WebServer bound = new WebServer(host, port, name, idleTimeout, log);
        try {
            bound.connector.open();
        } catch (IOException e) {
            throw e.getCause() instanceof BindException inUse ? inUse : e;
        }
        return bound;
    }

    public int port() {
        return connector.getLocalPort();
    }

    /** Answers requests from now on. */
    public void start(Endpoint endpoint) {
        server.setHandler(new GracefulHandler(new EndpointHandler(endpoint, log)));
        server.setErrorHandler(EndpointHandler::refuse);
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP server cannot start", e);
        }
    }

    /** Takes no more requests, lets those in progress end for at most 5 s, and frees the port. */
    @Override
    public void close() {
        connector.close();
        try {
            if (server.getHandler() instanceof GracefulHandler requests) {
                // Before the connections get their short idle timeout, which could end one while its answer is written.
                requests.shutdown().get(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.failure("requests_not_ended", "http", e);
        }
        try {
            server.stop();
        } catch (Exception e) {
            log.failure("server_not_stopped", "http", e);
        }
    }
}
