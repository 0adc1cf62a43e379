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
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/**
 * An HTTP/1.1 server with bounded resources: connections, in all and of one address, the time of each transfer ({@link Connections}), and the memory
 * of all bodies. Only a request that was received completely takes a thread, within the {@link Share} of its kind.
 */
public final class WebServer implements AutoCloseable {

    /** The size of a request's body from which on it is refused with status 413: API Gateway's own limit. */
    public static final int MAX_BODY_BYTES = 10 * 1024 * 1024;

    private static final String LOOPBACK = "127.0.0.1";

    /** More than all shares together, so that a request within its share has a thread. */
    private static final int MAX_THREADS = 1_024;

    private static final int MAX_WAITING_TASKS = 8_192;
    private static final int MIN_THREADS = 4;
    private static final int THREAD_IDLE_MILLIS = 30_000;
    private static final int WAITING_CONNECTIONS = 1_024;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /** Paths arrive as they were sent, because functions decode them; what is no URI at all gets status 400. */
    private static final UriCompliance RAW_PATHS = UriCompliance.UNSAFE.without(
            "RAW_PATHS",
            Violation.BAD_PERCENT_ENCODING,
            Violation.BAD_UTF8_ENCODING,
            Violation.ILLEGAL_PATH_CHARACTERS);

    private final Server server;
    private final Limits limits;
    private final LimitedConnector connector;
    private final EmulatorLog log;

    private WebServer(String host, int port, String name, Limits limits, EmulatorLog log) {
        this.log = log;
        this.limits = limits;
        QueuedThreadPool threads = new QueuedThreadPool(
                MAX_THREADS, MIN_THREADS, THREAD_IDLE_MILLIS, new LinkedBlockingQueue<>(MAX_WAITING_TASKS));
        threads.setName(name);
        threads.setDaemon(true);
        // Jetty 12.1.11 releases the buffer of a bad request while another thread, which answers it, still reads the
        // rest into it. Used again, it could
        // bring what one client sent to another one.
        this.server = new Server(
                threads, new ScheduledExecutorScheduler(name + "-timer", true), new ByteBufferPool.NonPooling());
        this.connector = add(host, port, limits);
        server.setStopTimeout(CLOSE_TIMEOUT.toMillis());
    }

    private LimitedConnector add(String host, int port, Limits ofPort) {
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setUriCompliance(RAW_PATHS);
        configuration.setUseInputDirectByteBuffers(false);
        configuration.setUseOutputDirectByteBuffers(false);
        LimitedConnector added =
                new LimitedConnector(server, new HttpConnectionFactory(configuration), new Connections(ofPort, log));
        added.setHost(host);
        added.setPort(port);
        added.setAcceptQueueSize(WAITING_CONNECTIONS);
        added.setIdleTimeout(ofPort.idleTimeout().toMillis());
        added.setShutdownIdleTimeout(1);
        server.addConnector(added);
        return added;
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
        return bind(host, port, name, Limits.standard(), log);
    }

    static WebServer bind(String host, int port, String name, Limits limits, EmulatorLog log) throws IOException {
        if (new InetSocketAddress(host, port).isUnresolved()) {
            throw new IOException("the host " + host + " is unknown");
        }
        WebServer bound = new WebServer(host, port, name, limits, log);
        open(bound.connector);
        return bound;
    }

    private static void open(LimitedConnector connector) throws IOException {
        try {
            connector.open();
        } catch (IOException e) {
            throw e.getCause() instanceof BindException inUse ? inUse : e;
        }
    }

    /** Returns the number of open connections of clients. */
    int connections() {
        return connector.connections().count();
    }

    public int port() {
        return connector.getLocalPort();
    }

    /**
     * Opens another port, on loopback, by which the process itself sends requests whatever the number of clients is. It refuses them while the
     * server refuses clients. Only before {@link #start}.
     */
    public int openOwnPort() throws IOException {
        LimitedConnector own = add(LOOPBACK, 0, limits.ofOwnPort());
        open(own);
        return own.getLocalPort();
    }

    /** Answers requests from now on. */
    public void start(Endpoint endpoint) {
        server.setHandler(new GracefulHandler(new EndpointHandler(
                endpoint,
                connector.connections(),
                new FairQueues(server.getThreadPool()),
                new BodyBudget(limits.bodyBytes()),
                log)));
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
        close(CLOSE_TIMEOUT);
    }

    /** Takes no more requests, lets those in progress end for at most this time, and frees the port. */
    public void close(Duration timeout) {
        connector.close();
        try {
            if (server.getHandler() instanceof GracefulHandler requests) {
                // Before the connections get their short idle timeout, which could end one while its answer is written.
                requests.shutdown().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
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
