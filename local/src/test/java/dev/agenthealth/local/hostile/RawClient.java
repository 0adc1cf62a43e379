package dev.agenthealth.local.hostile;

import dev.agenthealth.testkit.ApiExchange;
import dev.agenthealth.testkit.HostileRequests.Hostile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Sends bytes to a server as they are, and reads what it answers until it closes the connection. */
final class RawClient {

    private static final int PATIENCE_MILLIS = 60_000;

    private final int port;

    RawClient(int port) {
        this.port = port;
    }

    /**
     * An answer.
     *
     * @param status 0 where the connection was closed without one
     */
    record Answer(int status, Map<String, String> headers, String body) {

        static final Answer NONE = new Answer(0, Map.of(), "");

        private static Answer of(byte[] bytes) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            // An interim answer goes before the answer.
            while (text.startsWith("HTTP/1.1 100")) {
                text = text.substring(text.indexOf("\r\n\r\n") + 4);
            }
            if (text.isEmpty()) {
                return NONE;
            }
            int end = text.indexOf("\r\n\r\n");
            if (end < 0 || !text.matches("(?s)HTTP/1\\.[01] \\d{3} .*")) {
                throw new AssertionError("no answer of HTTP: " + text.substring(0, Math.min(200, text.length())));
            }
            Map<String, String> headers = new HashMap<>();
            text.substring(0, end).lines().skip(1).forEach(line -> {
                int colon = line.indexOf(':');
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            });
            return new Answer(Integer.parseInt(text.substring(9, 12)), headers, text.substring(end + 4));
        }
    }

    /** Sends these bytes; the answer is the first where they are several requests. */
    Answer send(byte[] bytes) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            try {
                socket.getOutputStream().write(bytes);
                socket.getOutputStream().flush();
                socket.shutdownOutput();
                InputStream in = socket.getInputStream();
                in.transferTo(answer);
            } catch (SocketException reset) {
                // The server refused what was still to be sent; what it said before is what counts.
            }
            return Answer.of(answer.toByteArray());
        }
    }

    /** A request that is one of HTTP, whatever is in it. */
    static byte[] bytes(Hostile hostile, String key) {
        String path = hostile.pathTemplate();
        for (Map.Entry<String, String> parameter : hostile.parameters().entrySet()) {
            path = path.replace("{" + parameter.getKey() + "}", encoded(parameter.getValue()));
        }
        String query = hostile.query().entrySet().stream()
                .map(parameter -> encoded(parameter.getKey()) + "=" + encoded(parameter.getValue()))
                .collect(Collectors.joining("&"));
        StringBuilder head = new StringBuilder(hostile.method() + " " + path + (query.isEmpty() ? "" : "?" + query)
                + " HTTP/1.1\r\nConnection: close\r\n");
        headers(hostile, key).forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
        head.append("Content-Length: " + hostile.body().length + "\r\n\r\n");
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        all.writeBytes(hostile.body());
        return all.toByteArray();
    }

    private static Map<String, String> headers(Hostile hostile, String key) {
        Map<String, String> headers = new HashMap<>(Map.of("host", "localhost", "x-api-key", key));
        hostile.headers().forEach((name, value) -> headers.put(name, value.replaceAll("[\\r\\n]", "")));
        return headers;
    }

    /** What the description says about an exchange. */
    static ApiExchange exchange(Hostile hostile, String key, Answer answer) {
        String path = hostile.pathTemplate();
        for (Map.Entry<String, String> parameter : hostile.parameters().entrySet()) {
            path = path.replace("{" + parameter.getKey() + "}", parameter.getValue());
        }
        Map<String, String> headers = new HashMap<>(answer.headers());
        headers.keySet()
                .removeIf(name -> name.matches("content-length|date|server|connection|transfer-encoding|keep-alive"));
        return new ApiExchange(
                hostile.routeKey(),
                new ApiExchange.Request(
                        path,
                        hostile.query(),
                        headers(hostile, key),
                        new String(hostile.body(), StandardCharsets.UTF_8)),
                new ApiExchange.Answer(answer.status(), headers, answer.body()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
