package dev.agenthealth.functions.runtime.outbound;

import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.model.ReceivedText;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateExpiredException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
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
 * Calls a checked address over a socket that is opened to this address only. The client resolves no names, follows no redirects, and uses
 * no proxy, cookies, credentials or retries. The certificate must match the endpoint's host. Thread-safe.
 */
public final class PinnedHttpClient {

    /** The maximum size of a response body, in bytes. */
    public static final int MAX_BYTES = 256 * 1024;

    private static final Duration REFUSAL_TIMEOUT = Duration.ofSeconds(1);
    private static final int MAX_REFUSAL_BYTES = 16 * 1024;

    private static final int DEADLINE_IDLE_SECONDS = 10;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

    /** The maximum number of addresses of a host that the client tries. */
    private static final int MAX_ADDRESSES = 3;

    private static final Http1Config LIMITS =
            Http1Config.custom().setMaxLineLength(8_192).setMaxHeaderCount(100).build();

    private final SecureSockets tls;
    private final Duration connectTimeout;
    private final ScheduledExecutorService timer = timer();

    /**
     * @param tls secures the connections
     */
    public PinnedHttpClient(SecureSockets tls) {
        this(tls, CONNECT_TIMEOUT);
    }

    /** @param connectTimeout the timeout for one address, including the TLS handshake */
    PinnedHttpClient(SecureSockets tls, Duration connectTimeout) {
        this.tls = tls;
        this.connectTimeout = connectTimeout;
    }

    /**
     * Returns the response body to a request, of any content type.
     *
     * @param timeout the time for the whole call, from the first connection to the last byte
     * @throws CallFailedException if there is no response with a status of success; the exception holds a response with another
     *     status
     */
    public byte[] send(Destination to, HttpQuestion question, Duration timeout) {
        try (Deadline deadline = new Deadline(timer, timeout)) {
            return exchange(
                    connected(to, deadline, timeout),
                    request(to, question),
                    deadline,
                    (response, connection) -> successful(response, deadline));
        }
    }

    /**
     * Gets a document of any content type.
     *
     * @param maxBytes the maximum size of the body
     * @param timeout the time for the whole call, from the first connection to the last byte
     * @throws CallFailedException if there is no response with a status from 200 to 299 and such a body
     */
    public byte[] get(Destination to, Map<String, String> headers, int maxBytes, Duration timeout) {
        return exchange(
                to,
                request("GET", to.endpoint(), headers, Optional.empty()),
                timeout,
                (response, connection) -> body(response, maxBytes));
    }

    /**
     * Posts JSON and returns the status of the response, whatever it is. The body is discarded.
     *
     * @param timeout the time for the whole call, from the first connection to the last byte of the headers
     * @throws CallFailedException if there is no response
     */
    public HttpStatus deliver(Destination to, Map<String, String> headers, byte[] body, Duration timeout) {
        return exchange(
                to,
                request("POST", to.endpoint(), headers, Optional.of(body)),
                timeout,
                (response, connection) -> HttpStatus.of(response));
    }

    /**
     * Returns the response to a request, whatever its status is.
     *
     * @param timeout the time for the whole call, from the first connection to the last byte
     * @throws CallFailedException if there is no response, or its body is larger than {@link HttpAnswer#MAX_BYTES}
     */
    public HttpAnswer ask(Destination to, HttpQuestion question, Duration timeout) {
        return exchange(
                to,
                request(to, question),
                timeout,
                (response, connection) -> HttpAnswer.of(response, connection, question.isAnswer()));
    }

    /**
     * Returns the response to a request as a stream, which the caller closes.
     *
     * @param head the maximum time from the first connection to the end of the headers, as far as the server sends nothing
     * @param longest the maximum time from the first connection to the last byte
     * @throws CallFailedException if there is no response with a status from 200 to 299; the exception holds a response with another
     *     status
     */
    public HttpStream open(Destination to, HttpQuestion question, Duration head, Duration longest) {
        Deadline deadline = new Deadline(timer, longest);
        try {
            return exchange(
                    connected(to, deadline, head),
                    request(to, question),
                    deadline,
                    (response, connection) -> HttpStream.of(response, connection, deadline));
        } catch (RuntimeException e) {
            deadline.close();
            throw e;
        }
    }

    /** Reads the part of a response that a call needs. */
    @FunctionalInterface
    private interface Reader<T> {

        T read(ClassicHttpResponse response, DefaultBHttpClientConnection connection) throws IOException;
    }

    private <T> T exchange(Destination to, ClassicHttpRequest request, Duration timeout, Reader<T> reader) {
        try (Deadline deadline = new Deadline(timer, timeout)) {
            DefaultBHttpClientConnection connection = connected(to, deadline, timeout);
            return exchange(connection, request, deadline, reader);
        }
    }

    /** Makes a call within this process, which loads all classes that the first real call needs. */
    public void warmUp() {
        HttpWarmUp.run(this);
    }

    private DefaultBHttpClientConnection connected(Destination to, Deadline deadline, Duration timeout) {
        CallFailedException last = new CallFailedException(InvocationFailure.CONNECTION_REFUSED);
        int attempts = Math.min(MAX_ADDRESSES, to.addresses().size());
        for (InetAddress address : to.addresses().subList(0, attempts)) {
            try {
                return connected(to.endpoint(), address, deadline, timeout);
            } catch (CallFailedException e) {
                last = e;
            }
            if (deadline.hasPassed()) {
                break;
            }
        }
        throw last;
    }

    private DefaultBHttpClientConnection connected(
            Endpoint endpoint, InetAddress address, Deadline deadline, Duration timeout) {
        Duration addressTimeout = timeout.compareTo(connectTimeout) < 0 ? timeout : connectTimeout;
        Deadline connecting = new Deadline(timer, addressTimeout);
        InvocationFailure failure = InvocationFailure.CONNECTION_REFUSED;
        try {
            Socket socket =
                    opened(new InetSocketAddress(address, endpoint.port()), deadline, connecting, addressTimeout);
            failure = InvocationFailure.TLS_FAILED;
            // By default, the connection's parser of headers has no limits.
            DefaultBHttpClientConnection connection = new DefaultBHttpClientConnection(
                    LIMITS, null, null, null, null, null, new DefaultHttpResponseParserFactory(LIMITS));
            if (endpoint.secure()) {
                connection.bind(tls.over(socket, endpoint), socket);
            } else {
                connection.bind(socket);
            }
            connecting.cancel();
            socket.setSoTimeout((int) timeout.toMillis());
            return connection;
        } catch (IOException e) {
            boolean late = deadline.hasPassed() || connecting.hasPassed() || e instanceof SocketTimeoutException;
            connecting.close();
            throw new CallFailedException(
                    late
                            ? InvocationFailure.CONNECT_TIMEOUT
                            : isExpired(e) ? InvocationFailure.CERTIFICATE_EXPIRED : failure);
        }
    }

    private static boolean isExpired(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateExpiredException) {
                return true;
            }
        }
        return false;
    }

    private static Socket opened(
            InetSocketAddress address, Deadline deadline, Deadline connecting, Duration addressTimeout)
            throws IOException {
        Socket socket = new Socket(Proxy.NO_PROXY);
        deadline.guard(socket);
        connecting.guard(socket);
        socket.connect(address, (int) addressTimeout.toMillis());
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static <T> T exchange(
            DefaultBHttpClientConnection connection, ClassicHttpRequest request, Deadline deadline, Reader<T> reader) {
        return reading(deadline, () -> {
            HttpRequestExecutor executor = new HttpRequestExecutor(LIMITS, null, new InterimLimit());
            ClassicHttpResponse response = executor.execute(request, connection, HttpCoreContext.create());
            return reader.read(response, connection);
        });
    }

    /** A step of a call that uses its connection. */
    @FunctionalInterface
    interface Step<T> {

        T take() throws IOException, HttpException;
    }

    /** Runs a step, and converts its failure into the reason of a failed call. */
    static <T> T reading(Deadline deadline, Step<T> step) {
        try {
            return step.take();
        } catch (CallFailedException e) {
            throw e;
        } catch (HttpException | MalformedChunkCodingException | MessageConstraintException e) {
            throw failed(InvocationFailure.MALFORMED, deadline);
        } catch (SocketTimeoutException e) {
            throw new CallFailedException(InvocationFailure.TIMEOUT);
        } catch (IOException e) {
            throw failed(InvocationFailure.CONNECTION_LOST, deadline);
        } catch (RuntimeException e) {
            // The library throws this exception only for malformed responses.
            throw failed(InvocationFailure.MALFORMED, deadline);
        }
    }

    /** Returns the failure of a call. If the deadline closed the socket, any exception may follow, so the deadline counts first. */
    private static CallFailedException failed(InvocationFailure failure, Deadline deadline) {
        return new CallFailedException(deadline.hasPassed() ? InvocationFailure.TIMEOUT : failure);
    }

    static byte[] body(ClassicHttpResponse response, int maxBytes) throws IOException {
        int status = response.getCode();
        if (status < 200 || status > 299) {
            throw new CallFailedException(failure(status));
        }
        HttpEntity entity = response.getEntity();
        if (entity == null) {
            return new byte[0];
        }
        if (entity.getContentLength() > maxBytes) {
            throw new CallFailedException(InvocationFailure.TOO_LARGE);
        }
        // The stream stays open: closing it would read the rest, which may be endless. The socket is closed instead.
        byte[] body = entity.getContent().readNBytes(maxBytes + 1);
        if (body.length > maxBytes) {
            throw new CallFailedException(InvocationFailure.TOO_LARGE);
        }
        return body;
    }

    /** Returns the body of a successful response. Reads the JSON of a refusal, if the JSON is small and arrives. */
    static byte[] successful(ClassicHttpResponse response, Deadline deadline) throws IOException {
        try {
            return body(response, MAX_BYTES);
        } catch (CallFailedException e) {
            if (response.getCode() / 100 == 2) {
                throw e;
            }
            deadline.hasten(REFUSAL_TIMEOUT);
            throw new CallFailedException(
                    e.reason(), new CallFailedException.Refusal(response.getCode(), refusal(response.getEntity())));
        }
    }

    private static String refusal(HttpEntity entity) {
        if (entity == null
                || entity.getContentType() == null
                || !entity.getContentType().contains("json")
                || entity.getContentLength() > MAX_REFUSAL_BYTES) {
            return "";
        }
        try {
            byte[] text = entity.getContent().readNBytes(MAX_REFUSAL_BYTES + 1);
            return text.length > MAX_REFUSAL_BYTES ? "" : ReceivedText.of(text);
        } catch (IOException e) {
            // The status was received, and only the status counts.
            return "";
        }
    }

    private static InvocationFailure failure(int status) {
        return switch (status) {
            case 400, 413, 415, 422 -> InvocationFailure.MESSAGE_REFUSED;
            case 429 -> InvocationFailure.OVERLOADED;
            default ->
                switch (status / 100) {
                    case 3 -> InvocationFailure.REDIRECT;
                    case 4 -> InvocationFailure.CLIENT_ERROR;
                    default -> InvocationFailure.SERVER_ERROR;
                };
        };
    }

    private static ClassicHttpRequest request(Destination to, HttpQuestion question) {
        return request(question.method(), to.endpoint(), question.headers(), question.body());
    }

    private static ClassicHttpRequest request(
            String method, Endpoint endpoint, Map<String, String> headers, Optional<byte[]> body) {
        // The shorter constructor would take a host from a target that begins with two slashes.
        BasicClassicHttpRequest request = new BasicClassicHttpRequest(method, null, null, endpoint.target());
        request.setHeader("Host", endpoint.authority());
        request.setHeader("User-Agent", "agent-health");
        request.setHeader("Connection", "close");
        body.ifPresent(json -> {
            request.setHeader("Accept", "application/json");
            request.setHeader("Content-Type", "application/json");
            request.setHeader("Content-Length", json.length);
            request.setEntity(new ByteArrayEntity(json, ContentType.APPLICATION_JSON));
        });
        headers.forEach(request::setHeader);
        return request;
    }

    private static ScheduledExecutorService timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("deadline"));
        // The task of a finished call would keep its socket reachable.
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(DEADLINE_IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return Executors.unconfigurableScheduledExecutorService(timer);
    }
}
