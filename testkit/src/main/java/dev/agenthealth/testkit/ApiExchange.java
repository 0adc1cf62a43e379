package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLDecoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A request and its response.
 *
 * @param routeKey the route that answered
 * @param path the path as requested, decoded
 * @param query the query parameters, decoded
 * @param headers the request's headers by names in lower case
 * @param body the request's body; empty for none
 * @param status the response's status
 * @param answerHeaders the response's headers
 * @param answer the response's body; empty for none
 */
public record ApiExchange(String routeKey, Request request, Answer response) {

    /** The request of an exchange. */
    public record Request(String path, Map<String, String> query, Map<String, String> headers, String body) {}

    /** The response of an exchange. */
    public record Answer(int status, Map<String, String> headers, String body) {}

    public String path() {
        return request.path();
    }

    public Map<String, String> query() {
        return request.query();
    }

    public Map<String, String> headers() {
        return request.headers();
    }

    public String body() {
        return request.body();
    }

    public int status() {
        return response.status();
    }

    public Map<String, String> answerHeaders() {
        return response.headers();
    }

    public String answer() {
        return response.body();
    }

    /** Returns the exchange of a function behind the API, given the JSON that Lambda passes to and gets from the function. */
    public static ApiExchange ofEvents(JsonNode request, JsonNode response) {
        String body = request.path("body").asText("");
        return new ApiExchange(
                routeKey(request),
                new ApiExchange.Request(
                        request.path("rawPath").asText(),
                        texts(request.path("queryStringParameters")),
                        texts(request.path("headers")),
                        request.path("isBase64Encoded").asBoolean()
                                ? new String(Base64.getDecoder().decode(body), StandardCharsets.UTF_8)
                                : body),
                new ApiExchange.Answer(
                        response.path("statusCode").asInt(),
                        texts(response.path("headers")),
                        response.path("body").asText("")));
    }

    /** Returns the exchange of an HTTP client; empty if the request is not part of the API, or no function answered. */
    public static Optional<ApiExchange> ofHttp(HttpRequest request, byte[] body, HttpResponse<String> response) {
        boolean byFunction = response.statusCode() < 400
                || response.headers()
                        .firstValue("content-type")
                        .filter("application/problem+json"::equals)
                        .isPresent();
        return ApiDescription.ofProject()
                .find(request.method(), request.uri().getPath())
                .filter(operation -> byFunction)
                .map(operation -> new ApiExchange(
                        operation.routeKey(),
                        new ApiExchange.Request(
                                request.uri().getPath(),
                                query(request.uri().getRawQuery()),
                                joined(request.headers().map()),
                                new String(body, StandardCharsets.UTF_8)),
                        new ApiExchange.Answer(
                                response.statusCode(),
                                withoutConnection(joined(response.headers().map())),
                                response.body())));
    }

    /** Returns the route that answers. The event does not name it for a function URL or a route of every method. */
    private static String routeKey(JsonNode request) {
        String key = request.path("routeKey").asText();
        return key.equals("$default") || key.startsWith("ANY ")
                ? ApiDescription.ofProject()
                        .find(
                                request.at("/requestContext/http/method").asText(),
                                request.path("rawPath").asText().replaceFirst("(?<=.)/$", ""))
                        .map(ApiDescription.Operation::routeKey)
                        .orElse(key)
                : key;
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new HashMap<>();
        object.properties()
                .forEach(field -> texts.put(field.getKey(), field.getValue().asText()));
        return texts;
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : raw == null || raw.isEmpty() ? new String[0] : raw.split("&")) {
            int equals = pair.indexOf('=');
            parameters.merge(
                    decoded(equals < 0 ? pair : pair.substring(0, equals)),
                    equals < 0 ? "" : decoded(pair.substring(equals + 1)),
                    (first, second) -> first + "," + second);
        }
        return parameters;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static Map<String, String> joined(Map<String, List<String>> headers) {
        Map<String, String> joined = new HashMap<>();
        headers.forEach((name, values) -> joined.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
        return joined;
    }

    private static Map<String, String> withoutConnection(Map<String, String> headers) {
        headers.keySet().removeAll(List.of("content-length", "date", "server", "connection", "transfer-encoding"));
        return headers;
    }
}
