package dev.agenthealth.local.crash;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Collection;
import java.util.Random;

/** A client of one part of the registry, which records what it sends and gets. Of its requests, some are given up before their answer. One thread at a time. */
final class HistoryClient {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int GIVEN_UP_OF_HUNDRED = 4;
    private static final int MAX_MILLIS_UNTIL_GIVEN_UP = 30;

    private final HttpClient http;
    private final Server server;
    private final String key;
    private final RequestHistory history;
    private final Part part;
    private final int number;
    private final Random random;
    private final Collection<String> failures;

    /**
     * What is independent of the rest of the registry.
     *
     * @param model the name of the one that explains its answers
     */
    record Part(String name, String model) {}

    /** One of those that serve the registry. */
    record Server(int number, String baseUrl) {}

    /** @param failures receives answers that no request may get */
    HistoryClient(
            HttpClient http,
            Server server,
            String key,
            RequestHistory history,
            Part part,
            int number,
            Random random,
            Collection<String> failures) {
        this.http = http;
        this.server = server;
        this.key = key;
        this.history = history;
        this.part = part;
        this.number = number;
        this.random = random;
        this.failures = failures;
    }

    /** Reads: without an answer it is not recorded, since it changes nothing. */
    ObjectNode read(String operation, ObjectNode in, String path) {
        return send(operation, in, "GET", path, "");
    }

    /**
     * Sends a request.
     *
     * @param in what the model knows of it
     * @param body empty for none
     * @return what the model knows of the answer; empty without one
     */
    ObjectNode send(String operation, ObjectNode in, String method, String path, String body, String... headers) {
        ObjectNode request = Json.object()
                .put("part", part.name())
                .put("model", part.model())
                .put("client", number)
                .put("op", operation);
        request.set("in", in);
        boolean givesUp = random.nextInt(100) < GIVEN_UP_OF_HUNDRED;
        Duration timeout = givesUp ? Duration.ofMillis(1 + random.nextInt(MAX_MILLIS_UNTIL_GIVEN_UP)) : PATIENCE;
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(server.baseUrl() + path))
                .timeout(timeout)
                .headers("content-type", "application/json", "x-api-key", key)
                .method(method, BodyPublishers.ofString(body));
        if (headers.length > 0) {
            builder.headers(headers);
        }
        long call = history.now();
        try {
            HttpResponse<byte[]> response = http.send(builder.build(), BodyHandlers.ofByteArray());
            long end = history.now();
            int status = response.statusCode();
            if (status < 500 && status != 429) {
                ObjectNode out = output(status, Json.read(response.body()));
                history.answered(request.set("out", out), call, end);
                return out;
            }
            if (status != 503 && status != 429) {
                failures.add(method + " " + path + " " + body + ": " + status);
            }
        } catch (ConnectException refused) {
            return Json.object();
        } catch (IOException unknown) {
            // The request may have been processed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!method.equals("GET")) {
            history.unanswered(request, server.number(), call);
        }
        return Json.object();
    }

    private static ObjectNode output(int status, JsonNode body) {
        ObjectNode out = Json.object().put("http", status);
        if (status >= 400) {
            copy(body, "error", out, "code");
            copy(body, "available_at", out, "available_at");
            return out;
        }
        copy(body, "id", out, "lease");
        copy(body, "agent_id", out, "agent");
        copy(body, "fencing_token", out, "token");
        copy(body, "acquired_at", out, "acquired_at");
        copy(body, "expires_at", out, "expires_at");
        copy(body, "incarnation", out, "incarnation");
        copy(body, "version", out, "version");
        copy(body, "status", out, "status");
        copy(body, "agent_status", out, "status");
        copy(body, "name", out, "name");
        copy(body, "instance", out, "instance");
        copy(body.path("capacity"), "current_load", out, "load");
        copy(body, "last_heartbeat_at", out, "heard_at");
        copy(body, "server_timestamp", out, "heard_at");
        return out;
    }

    private static void copy(JsonNode from, String field, ObjectNode to, String name) {
        if (from.hasNonNull(field)) {
            to.set(name, from.path(field));
        }
    }
}
