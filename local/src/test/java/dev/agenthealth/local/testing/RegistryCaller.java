package dev.agenthealth.local.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Calls the registry with a key and reads JSON. */
public final class RegistryCaller {

    private final HttpCaller http;
    private final String key;

    public RegistryCaller(String baseUrl, String key) {
        this.http = new HttpCaller(baseUrl);
        this.key = key;
    }

    /**
     * An answer.
     *
     * @param status of HTTP
     * @param body as text
     * @param json the body read; missing where it was empty
     */
    public record Answer(int status, String body, JsonNode json) {

        /** The stable code of a refusal; empty where it is none. */
        public String error() {
            return json.path("error").asText();
        }
    }

    public Answer get(String path) {
        return call("GET", path, "");
    }

    public Answer post(String path, ObjectNode body) {
        return call("POST", path, Json.text(body));
    }

    public Answer put(String path, ObjectNode body) {
        return call("PUT", path, Json.text(body));
    }

    public Answer post(String path) {
        return call("POST", path, "");
    }

    /** @param version the one that is to be changed */
    public Answer patch(String path, ObjectNode body, String version) {
        return call("PATCH", path, Json.text(body), "if-match", version);
    }

    public Answer delete(String path) {
        return call("DELETE", path, "");
    }

    private Answer call(String method, String path, String body, String... headers) {
        List<String> all = new ArrayList<>(List.of("content-type", "application/json", "x-api-key", key));
        all.addAll(List.of(headers));
        HttpResponse<String> response =
                http.call(method, path, body.getBytes(StandardCharsets.UTF_8), all.toArray(new String[0]));
        try {
            return new Answer(response.statusCode(), response.body(), Json.read(response.body()));
        } catch (IOException e) {
            throw new AssertionError("the answer of " + method + " " + path + " is no JSON: " + response.body(), e);
        }
    }
}
