package dev.agenthealth.emulator.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads bodies from, and writes answers to, the JDK's HTTP server. */
public final class Exchanges {

    /** How much of a body that is refused is still read, so that its sender gets to see the answer. */
    private static final int DRAINED_BYTES = 32 * 1024 * 1024;

    private Exchanges() {}

    /** The whole body; empty when it is longer than {@code maximumBytes}. */
    public static Optional<byte[]> body(HttpExchange exchange, int maximumBytes) throws IOException {
        InputStream in = exchange.getRequestBody();
        byte[] body = in.readNBytes(maximumBytes + 1);
        if (body.length <= maximumBytes) {
            return Optional.of(body);
        }
        byte[] discarded = new byte[64 * 1024];
        int total = 0;
        for (int read = 0; read >= 0 && total < DRAINED_BYTES; total += read) {
            read = in.read(discarded);
        }
        return Optional.empty();
    }

    /** Sends an answer; an empty body, or any body where HTTP allows none, is left out. */
    public static void send(HttpExchange exchange, int status, String contentType, byte[] body) throws IOException {
        boolean none = body.length == 0
                || status == 204
                || status == 304
                || exchange.getRequestMethod().equals("HEAD");
        if (body.length > 0) {
            exchange.getResponseHeaders().set("Content-Type", contentType);
        }
        exchange.sendResponseHeaders(status, none ? -1 : body.length);
        if (!none) {
            exchange.getResponseBody().write(body);
        }
    }

    /** Sends {@code {"message": ...}}, which is how API Gateway words its own refusals. */
    public static void sendMessage(HttpExchange exchange, int status, String message) throws IOException {
        ObjectNode body = Json.object().put("message", message);
        send(exchange, status, "application/json", Json.bytes(body));
    }
}
