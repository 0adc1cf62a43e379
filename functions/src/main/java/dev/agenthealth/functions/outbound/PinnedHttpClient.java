package dev.agenthealth.functions.outbound;

import dev.agenthealth.functions.threads.DaemonThreads;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParserFactory;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpCoreContext;

/**
 * Posts to a checked address. Each call has a socket of its own, which this class opens to that address: nothing is resolved again, and
 * nothing here could follow a redirect, ask a proxy, keep a cookie, send credentials or repeat a request. The certificate must be that of
 * the endpoint's host. Thread-safe.
 */
public final class PinnedHttpClient {

    /** The largest body of an answer, in bytes. */
    public static final int MAX_BYTES = 256 * 1024;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

    /** Of a host with many addresses, so many are tried. */
    private static final int MAX_ADDRESSES = 3;

    private static final Http1Config LIMITS =
            Http1Config.custom().setMaxLineLength(8_192).setMaxHeaderCount(100).build();

    private final SecureSockets tls;
    private final Duration connectTimeout;
    private final HttpRequestExecutor requests = new HttpRequestExecutor();
    private final ScheduledExecutorService timer = timer();

    /**
     * @param tls makes connections secure, and says whose certificates are trusted
     */
    public PinnedHttpClient(SecureSockets tls) {
        this(tls, CONNECT_TIMEOUT);
    }

    /**
     * @param connectTimeout for the connection to one address, handshake included
     */
    PinnedHttpClient(SecureSockets tls, Duration connectTimeout) {
        this.tls = tls;
        this.connectTimeout = connectTimeout;
    }

    /** Why a connection did not come about. */
    private static final class NotConnected extends Exception {

        private static final long serialVersionUID = 1L;

        private final InvocationFailure failure;

        NotConnected(InvocationFailure failure) {
            super(failure.word(), null, false, false);
            this.failure = failure;
        }
    }

    /**
     * Posts JSON and waits for the answer, whatever type it says it has.
     *
     * @param timeout for all of it, from the first connection to the last byte
     */
    public CallResult<byte[]> post(Destination to, Map<String, String> headers, byte[] body, Duration timeout) {
        try (Deadline deadline = new Deadline(timer, timeout)) {
            DefaultBHttpClientConnection connection = connected(to, deadline, timeout);
            return exchange(connection, request(to.endpoint(), headers, body), deadline);
        } catch (NotConnected e) {
            return new CallResult.Failure<>(e.failure);
        }
    }

    /** Makes a call that goes nowhere beyond this process, so that the next one finds everything loaded. */
    public void rehearse() {
        HttpWarmUp.run(this);
    }

    private DefaultBHttpClientConnection connected(Destination to, Deadline deadline, Duration timeout)
            throws NotConnected {
        NotConnected last = new NotConnected(InvocationFailure.CONNECTION_REFUSED);
        int tries = Math.min(MAX_ADDRESSES, to.addresses().size());
        for (InetAddress address : to.addresses().subList(0, tries)) {
            try {
                return connected(to.endpoint(), address, deadline, timeout);
            } catch (NotConnected e) {
                last = e;
            }
            if (deadline.hasPassed()) {
                break;
            }
        }
        throw last;
    }

    private DefaultBHttpClientConnection connected(
            Endpoint endpoint, InetAddress address, Deadline deadline, Duration timeout) throws NotConnected {
        Duration patience = timeout.compareTo(connectTimeout) < 0 ? timeout : connectTimeout;
        Deadline connecting = new Deadline(timer, patience);
        InvocationFailure failure = InvocationFailure.CONNECTION_REFUSED;
        try {
            Socket socket = opened(new InetSocketAddress(address, endpoint.port()), deadline, connecting, patience);
            failure = InvocationFailure.TLS_FAILED;
            // The parser of headers is made here because the connection's own one knows no limits.
            DefaultBHttpClientConnection connection = new DefaultBHttpClientConnection(
                    LIMITS, null, null, null, null, null, new DefaultHttpResponseParserFactory(LIMITS));
            if (endpoint.secure()) {
                connection.bind(tls.over(socket, endpoint), socket);
            } else {
                connection.bind(socket);
            }
            connecting.lift();
            socket.setSoTimeout((int) timeout.toMillis());
            return connection;
        } catch (IOException e) {
            boolean late = deadline.hasPassed() || connecting.hasPassed() || e instanceof SocketTimeoutException;
            connecting.close();
            throw new NotConnected(late ? InvocationFailure.CONNECT_TIMEOUT : failure);
        }
    }

    private static Socket opened(InetSocketAddress address, Deadline deadline, Deadline connecting, Duration patience)
            throws IOException {
        Socket socket = new Socket(Proxy.NO_PROXY);
        deadline.guard(socket);
        connecting.guard(socket);
        socket.connect(address, (int) patience.toMillis());
        socket.setTcpNoDelay(true);
        return socket;
    }

    private CallResult<byte[]> exchange(
            DefaultBHttpClientConnection connection, ClassicHttpRequest request, Deadline deadline) {
        try {
            ClassicHttpResponse response = requests.execute(request, connection, HttpCoreContext.create());
            return result(response);
        } catch (HttpException | MalformedChunkCodingException | MessageConstraintException e) {
            return failed(InvocationFailure.MALFORMED, deadline);
        } catch (SocketTimeoutException e) {
            return new CallResult.Failure<>(InvocationFailure.TIMEOUT);
        } catch (IOException e) {
            return failed(InvocationFailure.CONNECTION_LOST, deadline);
        } catch (RuntimeException e) {
            // Whatever the library stumbles over is something that it read.
            return failed(InvocationFailure.MALFORMED, deadline);
        }
    }

    /** When the time is over, the socket is closed, which then looks like many things. */
    private static CallResult<byte[]> failed(InvocationFailure failure, Deadline deadline) {
        return new CallResult.Failure<>(deadline.hasPassed() ? InvocationFailure.TIMEOUT : failure);
    }

    private static CallResult<byte[]> result(ClassicHttpResponse response) throws IOException {
        int status = response.getCode();
        if (status < 200 || status > 299) {
            return new CallResult.Failure<>(
                    switch (status / 100) {
                        case 3 -> InvocationFailure.REDIRECT;
                        case 4 -> InvocationFailure.CLIENT_ERROR;
                        default -> InvocationFailure.SERVER_ERROR;
                    });
        }
        HttpEntity entity = response.getEntity();
        if (entity == null) {
            return new CallResult.Success<>(new byte[0]);
        }
        if (entity.getContentLength() > MAX_BYTES) {
            return new CallResult.Failure<>(InvocationFailure.TOO_LARGE);
        }
        // Not closed: closing would read what is left of it, which may be endless. The socket is closed instead.
        byte[] body = entity.getContent().readNBytes(MAX_BYTES + 1);
        return body.length > MAX_BYTES
                ? new CallResult.Failure<>(InvocationFailure.TOO_LARGE)
                : new CallResult.Success<>(body);
    }

    private static ClassicHttpRequest request(Endpoint endpoint, Map<String, String> headers, byte[] body) {
        // The constructor that takes less would read a host out of a target with two slashes.
        BasicClassicHttpRequest request = new BasicClassicHttpRequest("POST", null, null, endpoint.target());
        request.setHeader("Host", endpoint.authority());
        request.setHeader("User-Agent", "agent-health");
        request.setHeader("Accept", "application/json");
        request.setHeader("Content-Type", "application/json");
        request.setHeader("Content-Length", body.length);
        request.setHeader("Connection", "close");
        headers.forEach(request::setHeader);
        request.setEntity(new ByteArrayEntity(body, ContentType.APPLICATION_JSON));
        return request;
    }

    private static ScheduledExecutorService timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("deadline"));
        // The alarm of a call that is over would hold its socket.
        timer.setRemoveOnCancelPolicy(true);
        return Executors.unconfigurableScheduledExecutorService(timer);
    }
}
