package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The registry as an agent reaches it: over HTTP, with a key. Thread-safe. */
public final class RegistryHttp {

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final URI base;
    private final String apiKey;

    public RegistryHttp(URI base, String apiKey) {
        this.base = base;
        this.apiKey = apiKey;
    }

    /**
     * An answer.
     *
     * @param status the HTTP status
     * @param json the body; a missing node where there is none
     */
    public record Answer(int status, JsonNode json) {}

    /** The same registry with another key. */
    public RegistryHttp withKey(String otherKey) {
        return new RegistryHttp(base, otherKey);
    }

    public Answer get(String path) {
        return send(request(path).GET().build());
    }

    public Answer post(String path, JsonNode body) {
        return send(request(path)
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .header("Content-Type", "application/json")
                .build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(base.resolve(path)).timeout(TIMEOUT).header("X-API-Key", apiKey);
    }

    private Answer send(HttpRequest request) {
        try {
            HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), MAPPER.readTree(response.body()));
        } catch (IOException e) {
            throw new UncheckedIOException(request.method() + " " + request.uri() + " failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted while waiting for the registry", e));
        }
    }
}
