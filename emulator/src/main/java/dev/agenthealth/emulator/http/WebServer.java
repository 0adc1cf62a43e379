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
 * An HTTP/1.1 server with bounded resources: the number of connections, the time of each transfer ({@link Connections}), and the memory of
 * all bodies. Only a completely received request takes a thread, within the {@link Share} of its kind.
 */
public final class WebServer implements AutoCloseable {

    /** The maximum size of a request's body, which is API Gateway's own limit. A larger body is refused with status 413. */
    public static final int MAX_BODY_BYTES = 10 * 1024 * 1024;

    private static final String LOOPBACK = "127.0.0.1";

    /** More threads than all shares together, so that a request within its share has a thread. */
    private static final int MAX_THREADS = 1_024;

    private static final int MAX_WAITING_TASKS = 8_192;
    private static final int MIN_THREADS = 4;
    private static final int THREAD_IDLE_MILLIS = 30_000;
    private static final int WAITING_CONNECTIONS = 1_024;

    /** The size of the buffer that each response allocates for its head. A longer head gets a larger buffer. */
    private static final int USUAL_HEADER_BYTES = 1_024;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /** Accepts paths as they were sent, because functions decode them. A target that is no URI gets status 400. */
    private static final UriCompliance RAW_PATHS = UriCompliance.UNSAFE.without(
            "RAW_PATHS",
            Violation.BAD_PERCENT_ENCODING,
            Violation.BAD_UTF8_ENCODING,
            Violation.ILLEGAL_PATH_CHARACTERS);

    private final Server server;
    private final ReaderThreads readers;
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
        // Jetty 12.1.11 releases the buffer of a bad request while the answering thread still reads the rest into it. A
        // reused buffer could send one client's data to another client.
        this.server = new Server(
                threads, new ScheduledExecutorScheduler(name + "-timer", true), new ByteBufferPool.NonPooling());
        this.readers = new ReaderThreads(name, threads, limits.nanoTime(), log);
        this.connector = add(host, port, limits);
        server.setStopTimeout(CLOSE_TIMEOUT.toMillis());
    }

    private LimitedConnector add(String host, int port, Limits ofPort) {
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setUriCompliance(RAW_PATHS);
        configuration.setUseInputDirectByteBuffers(false);
        configuration.setUseOutputDirectByteBuffers(false);
        configuration.setResponseHeaderSize(USUAL_HEADER_BYTES);
        LimitedConnector added = new LimitedConnector(
                server, readers, new HttpConnectionFactory(configuration), new Connections(ofPort, log));
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
     * @param port 0 for any free port
     * @param name the name of the threads
     * @throws IOException if the address is not available; {@link BindException} if it is in use
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

    /** Returns the number of open client connections. */
    int connections() {
        return connector.connections().count();
    }

    public int port() {
        return connector.getLocalPort();
    }

    /**
     * Opens another port on loopback, on which the process itself sends requests regardless of the number of clients. The port refuses
     * requests while the server refuses clients. Call it before {@link #start}.
     */
    public int openOwnPort() throws IOException {
        LimitedConnector own = add(LOOPBACK, 0, limits.ofOwnPort());
        open(own);
        return own.getLocalPort();
    }

    /** Starts to answer requests. */
    public void start(Endpoint endpoint) {
        server.setHandler(new GracefulHandler(new EndpointHandler(
                endpoint,
                connector.connections(),
                readers,
                new FairQueues(server.getThreadPool()),
                new BodyBudget(limits.bodyBytes()),
                log)));
        server.setErrorHandler(EndpointHandler::refuse);
        readers.start();
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP server cannot start", e);
        }
    }

    /** Stops accepting requests, waits at most 5 s for requests in progress, and frees the port. */
    @Override
    public void close() {
        close(CLOSE_TIMEOUT);
    }

    /** Stops accepting requests, waits at most {@code timeout} for requests in progress, and frees the port. */
    public void close(Duration timeout) {
        connector.close();
        try {
            if (server.getHandler() instanceof GracefulHandler requests) {
                // Waits before connections get their short idle timeout, which could end a connection during its
                // answer.
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
        readers.close();
    }

    /**
     * Lets another thread read from the connections, because the calling thread is about to wait within a request. Does nothing in other
     * threads.
     */
    public void beforeWaiting() {
        readers.handOver();
        readers.answers().releaseCommitted();
    }

    /** Lets brief requests share commits of a database. Call it before {@link #start}. */
    public void commits(Commits commits) {
        readers.answers().commits(commits);
    }
}
