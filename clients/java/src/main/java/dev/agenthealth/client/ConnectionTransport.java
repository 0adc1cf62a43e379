package dev.agenthealth.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Sends requests with the JDK's URL connections, which start faster than its HTTP client: they have no threads of their own, and read
 * certificates only for https. PATCH requests go through the HTTP client, because URL connections do not support them.
 */
final class ConnectionTransport implements Transport {

    private final Duration connectTimeout;
    private final Supplier<HttpClient> http;

    ConnectionTransport(Duration connectTimeout, Supplier<HttpClient> http) {
        this.connectTimeout = connectTimeout;
        this.http = http;
    }

    @Override
    public Answer send(Request request) throws IOException, InterruptedException {
        if (request.method().equals("PATCH")) {
            return new HttpTransport(http.get()).send(request);
        }
        HttpURLConnection connection = (HttpURLConnection) request.uri().toURL().openConnection();
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setConnectTimeout((int) connectTimeout.toMillis());
        connection.setReadTimeout((int) request.timeout().toMillis());
        connection.setRequestMethod(request.method());
        request.headers().forEach(connection::setRequestProperty);
        if (!request.body().isEmpty()) {
            byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
            connection.setRequestProperty("Content-Type", "application/json");
            connection.setDoOutput(true);
            connection.getOutputStream().write(body);
        }
        return answer(connection);
    }

    private static Answer answer(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        if (status < 0) {
            throw new IOException("the answer is not HTTP");
        }
        Map<String, String> headers = new HashMap<>();
        for (Map.Entry<String, List<String>> header :
                connection.getHeaderFields().entrySet()) {
            if (header.getKey() != null) {
                headers.put(
                        header.getKey().toLowerCase(Locale.ROOT),
                        header.getValue().get(0));
            }
        }
        try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            String text = body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(status, headers, HttpTransport.withoutByteOrderMark(text));
        }
    }
}
