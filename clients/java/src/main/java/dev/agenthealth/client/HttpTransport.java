package dev.agenthealth.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Sends requests with the JDK's HTTP client. */
final class HttpTransport implements Transport {

    private final HttpClient http;

    HttpTransport(HttpClient http) {
        this.http = http;
    }

    @Override
    public Answer send(Request request) throws IOException, InterruptedException {
        HttpRequest.Builder builder = HttpRequest.newBuilder(request.uri())
                .timeout(request.timeout())
                .method(
                        request.method(),
                        request.body().isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(request.body()));
        request.headers().forEach(builder::setHeader);
        if (!request.body().isEmpty()) {
            builder.setHeader("Content-Type", "application/json");
        }
        HttpResponse<String> response = http.send(builder.build(), BodyHandlers.ofString());
        Map<String, String> headers = new HashMap<>();
        response.headers().map().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
        return new Answer(response.statusCode(), headers, withoutByteOrderMark(response.body()));
    }

    /** Returns the body without a byte order mark. Some servers and proxies write it; RFC 8259 §8.1 allows readers of JSON to ignore it. */
    static String withoutByteOrderMark(String body) {
        return body.startsWith("\uFEFF") ? body.substring(1) : body;
    }
}
