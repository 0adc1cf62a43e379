package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

/** A client of the registry with an API key. Thread-safe. */
public final class RegistryHttp {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final URI base;
    private final String apiKey;

    /** @param apiKey empty for no key */
    public RegistryHttp(URI base, String apiKey) {
        this.base = base;
        this.apiKey = apiKey;
    }

    /**
     * An answer.
     *
     * @param status the HTTP status; {@link #NO_ANSWER} without an answer
     * @param json the body; a missing node without a body
     */
    public record Answer(int status, JsonNode json) {

        /** The status if no answer arrived in time. The request may have been processed. */
        public static final int NO_ANSWER = 0;
    }

    /** Returns a client of the registry with another key. */
    public RegistryHttp withKey(String otherKey) {
        return new RegistryHttp(base, otherKey);
    }

    /** Returns the key; empty without a key. */
    public String key() {
        return apiKey;
    }

    /** Returns a client of the registry without a key. */
    public RegistryHttp withoutKey() {
        return withKey("");
    }

    /**
     * Issues a key and returns a client with it.
     *
     * @param role agent, coordinator or administrator
     * @param name the name of the key
     * @param providerIds the providers that agents of the key may name
     * @throws IllegalStateException if the registry issues no key
     */
    public RegistryHttp withNewKey(String role, String name, List<String> providerIds) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("role", role).put("name", name);
        ArrayNode providers = body.putArray("provider_ids");
        providerIds.forEach(providers::add);
        Answer answer = post("/v1/admin/keys", body);
        if (answer.status() != 201) {
            throw new IllegalStateException(
                    answer.status() == Answer.NO_ANSWER
                            ? "no registry answers at " + base
                            : "the registry at " + base + " issued no key (" + answer.status() + ")");
        }
        return withKey(answer.json().path("api_key").asText());
    }

    public Answer get(String path) {
        return send(request(path).GET().build());
    }

    public Answer put(String path, JsonNode body) {
        return send(withBody("PUT", path, body).build());
    }

    public Answer post(String path, JsonNode body) {
        return send(withBody("POST", path, body).build());
    }

    /**
     * Sends a PATCH request.
     *
     * @param ifMatch the expected version, or {@code *} for any
     */
    public Answer patch(String path, JsonNode body, String ifMatch) {
        return send(withBody("PATCH", path, body).header("If-Match", ifMatch).build());
    }

    private HttpRequest.Builder withBody(String method, String path, JsonNode body) {
        return request(path)
                .method(method, HttpRequest.BodyPublishers.ofString(body.toString()))
                .header("Content-Type", "application/json");
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).timeout(TIMEOUT);
        return apiKey.isEmpty() ? request : request.header("X-API-Key", apiKey);
    }

    private Answer send(HttpRequest request) {
        try {
            HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), Json.read(response.body()));
        } catch (IOException e) {
            return new Answer(Answer.NO_ANSWER, MissingNode.getInstance());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted while waiting for the registry", e));
        }
    }
}
