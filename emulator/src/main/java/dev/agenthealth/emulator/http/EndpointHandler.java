package dev.agenthealth.emulator.http;

import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/** Reads whole requests without blocking, then has the endpoint answer them. */
final class EndpointHandler extends Handler.Abstract {

    /** How much of a body that is too large is still read, so that its sender receives the answer. */
    private static final int MAX_DRAINED_BYTES = 32 * 1024 * 1024;

    private final Endpoint endpoint;
    private final EmulatorLog log;

    EndpointHandler(Endpoint endpoint, EmulatorLog log) {
        this.endpoint = endpoint;
        this.log = log;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        new Exchange(request, response, callback).run();
        return true;
    }

    /** Answers a request that cannot be read and never reaches the endpoint. */
    static boolean refuse(Request request, Response response, Callback callback) {
        int status = response.getStatus();
        send(request, response, callback, RawResponse.message(status, HttpStatus.getMessage(status)));
        return true;
    }

    private static void send(Request request, Response response, Callback callback, RawResponse answer) {
        boolean empty = answer.body().length == 0
                || answer.status() == 204
                || answer.status() == 304
                || request.getMethod().equals("HEAD");
        response.setStatus(answer.status());
        answer.headers()
                .forEach((name, values) ->
                        values.forEach(value -> response.getHeaders().add(name, value)));
        if (answer.body().length == 0) {
            response.getHeaders().remove("Content-Type");
        }
        response.write(true, ByteBuffer.wrap(empty ? new byte[0] : answer.body()), callback);
    }

    /** One request: runs as often as a part of its body has arrived. */
    private final class Exchange implements Runnable {

        private final Request request;
        private final Response response;
        private final Callback callback;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private int discarded;

        Exchange(Request request, Response response, Callback callback) {
            this.request = request;
            this.response = response;
            this.callback = callback;
        }

        @Override
        public void run() {
            while (true) {
                Content.Chunk chunk = request.read();
                if (chunk == null) {
                    request.demand(this);
                    return;
                }
                if (Content.Chunk.isFailure(chunk)) {
                    callback.failed(chunk.getFailure());
                    return;
                }
                keep(chunk);
                chunk.release();
                if (chunk.isLast() || discarded > MAX_DRAINED_BYTES) {
                    send(request, response, callback, answer());
                    return;
                }
            }
        }

        private void keep(Content.Chunk chunk) {
            if (body.size() + chunk.remaining() > WebServer.MAX_BODY_BYTES || discarded > 0) {
                discarded += chunk.remaining();
            } else {
                body.writeBytes(BufferUtil.toArray(chunk.getByteBuffer()));
            }
        }

        private RawResponse answer() {
            if (discarded > 0) {
                return RawResponse.message(413, "Request Entity Too Large");
            }
            HttpURI target = request.getHttpURI();
            String path = target.getPath();
            String query = target.getQuery() == null ? "" : target.getQuery();
            if (path == null || !isUri(path + "?" + query)) {
                return RawResponse.message(400, "Bad Request");
            }
            try {
                return endpoint.answer(new RawRequest(
                        request.getMethod(),
                        path.isEmpty() ? "/" : path,
                        query,
                        headers(),
                        body.toByteArray(),
                        request.getConnectionMetaData().getProtocol(),
                        sourceIp()));
            } catch (RuntimeException e) {
                log.failure("request_failed", request.getMethod(), e);
                return RawResponse.message(500, "Internal Server Error");
            }
        }

        private Map<String, List<String>> headers() {
            Map<String, List<String>> headers = new HashMap<>();
            for (HttpField field : request.getHeaders()) {
                headers.computeIfAbsent(field.getLowerCaseName(), name -> new ArrayList<>())
                        .add(field.getValue() == null ? "" : field.getValue());
            }
            return headers;
        }

        private String sourceIp() {
            return request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress address
                    ? address.getAddress().getHostAddress()
                    : "";
        }
    }

    private static boolean isUri(String text) {
        try {
            new URI(text);
            return true;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
