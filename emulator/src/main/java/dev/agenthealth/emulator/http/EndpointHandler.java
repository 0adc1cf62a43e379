package dev.agenthealth.emulator.http;

import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Receives requests without blocking, then lets the endpoint answer them within their shares. */
final class EndpointHandler extends Handler.Abstract {

    private static final int MAX_KEY_CHECKS = 32;

    private static final String REQUEST_ID = "Apigw-Requestid";

    private static final String PLAIN_MARKS = "/-._~?&=";

    private final Endpoint endpoint;
    private final Connections ofClients;
    private final ReaderThreads readers;
    private final FairQueues queues;
    private final BodyBudget budget;
    private final EmulatorLog log;
    private final Semaphore keyChecks = new Semaphore(MAX_KEY_CHECKS);

    /** @param ofClients the connections of clients, without the process itself */
    EndpointHandler(
            Endpoint endpoint,
            Connections ofClients,
            ReaderThreads readers,
            FairQueues queues,
            BodyBudget budget,
            EmulatorLog log) {
        this.endpoint = endpoint;
        this.ofClients = ofClients;
        this.readers = readers;
        this.queues = queues;
        this.budget = budget;
        this.log = log;
    }

    /** Another thread answers a request that was in the buffer of a connection whose answer was held, because this thread reads on. */
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (readers.answers().isReleasing()) {
            readers.execute(() -> answer(request, response, callback));
        } else {
            answer(request, response, callback);
        }
        return true;
    }

    private void answer(Request request, Response response, Callback callback) {
        Connections connections = connections(request);
        Connections.Client client = connections.client((SelectableChannel)
                request.getConnectionMetaData().getConnection().getEndPoint().getTransport());
        client.headReceived();
        // Nothing is received while the request is answered; all other phases have deadlines.
        request.addIdleTimeoutListener(idle -> false);
        Exchange exchange = new Exchange(request, response, Callback.from(client::responseEnded, callback), client);
        Optional<RawRequest> head = head(request);
        if (connections != ofClients && ofClients.isRefusing()) {
            // Otherwise the self-check would report that agents can connect.
            exchange.send(RawResponse.problem(503, "temporarily_unavailable", "The server refuses connections."));
        } else if (head.isPresent()) {
            receive(exchange, head.get());
        } else {
            exchange.send(RawResponse.problem(400, "malformed_request", "The target of the request is no URI."));
        }
    }

    /** Answers a brief request in the thread that has read it. Another thread reads from the connections during any other request. */
    private void receive(Exchange exchange, RawRequest head) {
        Share share = endpoint.share(head);
        if (share.kind() == Share.Kind.BRIEF) {
            readers.begin();
        } else {
            readers.handOver();
            readers.answers().exit();
        }
        exchange.receive(head, share);
    }

    /** Answers a request that cannot be read, or that arrives while the server closes. The connection ends with the answer, which says so. */
    static boolean refuse(Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
        write(request, response, callback, refusal(response.getStatus()));
        return true;
    }

    private static RawResponse refusal(int status) {
        if (status == HttpStatus.SERVICE_UNAVAILABLE_503) {
            return unavailable("The server closes.");
        }
        return RawResponse.problem(
                status, status < 500 ? "malformed_request" : "internal_error", HttpStatus.getMessage(status));
    }

    private static RawResponse unavailable(String detail) {
        return RawResponse.problem(503, "temporarily_unavailable", detail).with("Retry-After", "1");
    }

    private static Connections connections(Request request) {
        return ((LimitedConnector) request.getConnectionMetaData().getConnector()).connections();
    }

    private static void write(Request request, Response response, Callback callback, RawResponse answer) {
        boolean empty = answer.body().length == 0
                || answer.status() == 204
                || answer.status() == 304
                || request.getMethod().equals("HEAD");
        putHead(response, answer);
        response.write(true, ByteBuffer.wrap(empty ? new byte[0] : answer.body()), callback);
    }

    private static void putHead(Response response, RawResponse answer) {
        response.setStatus(answer.status());
        answer.headers()
                .forEach((name, values) ->
                        values.forEach(value -> response.getHeaders().add(name, value)));
    }

    private static Optional<RawRequest> head(Request request) {
        HttpURI target = request.getHttpURI();
        String path = target.getPath();
        String query = target.getQuery() == null ? "" : target.getQuery();
        if (path == null || !isUri(path + "?" + query)) {
            return Optional.empty();
        }
        return Optional.of(new RawRequest(
                request.getMethod(),
                path.isEmpty() ? "/" : path,
                query,
                headers(request),
                new byte[0],
                request.getConnectionMetaData().getProtocol(),
                sourceIp(request)));
    }

    private static Map<String, List<String>> headers(Request request) {
        Headers headers = new Headers();
        for (HttpField field : request.getHeaders()) {
            headers.add(field.getLowerCaseName(), field.getValue() == null ? "" : field.getValue());
        }
        return headers;
    }

    private static String sourceIp(Request request) {
        return request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress address
                ? address.getAddress().getHostAddress()
                : "";
    }

    private static boolean isUri(String text) {
        if (isPlain(text)) {
            return true;
        }
        try {
            new URI(text);
            return true;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** Returns true for a path and a query of letters, digits and marks that are valid everywhere in them, as most targets are. */
    private static boolean isPlain(String text) {
        if (!text.startsWith("/") || text.startsWith("//")) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean alphanumeric = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (!alphanumeric && PLAIN_MARKS.indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    /** A request and its response. */
    private final class Exchange {

        private final Request request;
        private final Response response;
        private final Callback callback;
        private final Connections.Client client;

        Exchange(Request request, Response response, Callback callback, Connections.Client client) {
            this.request = request;
            this.response = response;
            this.callback = callback;
            this.client = client;
        }

        void receive(RawRequest head, Share share) {
            ReceivedBody body = new ReceivedBody(request, client, endpoint, head, budget, keyChecks);
            body.receive(new ReceivedBody.Receiver() {
                @Override
                public void received(byte[] bytes) {
                    client.requestReceived();
                    if (share.kind() != Share.Kind.BRIEF) {
                        // The body may have been received by another reader than the head.
                        readers.handOver();
                        readers.answers().exit();
                    }
                    if (!queues.run(share, head.caller(), () -> send(answer(head.with(bytes))))) {
                        send(endpoint.refusal(
                                        head,
                                        429,
                                        "too_many_requests",
                                        "Too many requests of the key or of this kind wait.")
                                .with("Retry-After", "1"));
                    }
                }

                @Override
                public void refused(RawResponse refusal) {
                    send(refusal);
                }

                @Override
                public void failed(Throwable cause) {
                    callback.failed(cause);
                }
            });
        }

        void send(RawResponse answer) {
            if (answer.stream().isPresent()) {
                stream(answer, answer.stream().get());
                return;
            }
            if (!readers.answers().hold(committed -> respondLater(committed ? answer : notStored(answer)))) {
                respond(answer);
            }
        }

        private void respondLater(RawResponse answer) {
            try {
                respond(answer);
            } catch (RuntimeException | Error e) {
                // The other answers of the thread must be sent.
                log.failure("response_failed", request.getMethod(), e);
                callback.failed(e);
            }
        }

        private void respond(RawResponse answer) {
            client.responseBegins();
            write(request, response, callback, answer);
        }

        /** Returns the answer in place of one whose change is lost. It is logged, because the function has logged the other one. */
        private RawResponse notStored(RawResponse lost) {
            RawResponse refusal = unavailable("The database could not store the request.");
            List<String> ids = lost.headers().getOrDefault(REQUEST_ID, List.of());
            log.warn("request_not_stored", Map.of("request_id", String.join(",", ids), "status", refusal.status()));
            return ids.isEmpty() ? refusal : refusal.with(REQUEST_ID, ids.get(0));
        }

        /**
         * Streams the body in this thread, so that the share bounds the number of streams. After a failure the client sees that the body is
         * incomplete.
         */
        private void stream(RawResponse answer, RawResponse.Stream body) {
            putHead(response, answer);
            try {
                body.writeTo(new ClientStream(response, client));
                client.responseBegins();
                response.write(true, ByteBuffer.allocate(0), callback);
            } catch (IOException | RuntimeException | Error e) {
                if (!(e instanceof IOException)) {
                    log.failure("stream_failed", request.getMethod(), e);
                }
                callback.failed(e);
            }
        }

        private RawResponse answer(RawRequest whole) {
            try {
                return Compression.of(endpoint.answer(whole), whole);
            } catch (RuntimeException | Error e) {
                // An error, such as a lack of memory, must not leave the request without a response.
                log.failure("request_failed", whole.method(), e);
                return endpoint.refusal(whole, 500, "internal_error", "The request failed.");
            }
        }
    }
}
