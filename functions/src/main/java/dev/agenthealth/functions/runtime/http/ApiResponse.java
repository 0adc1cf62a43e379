package dev.agenthealth.functions.runtime.http;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A response to API Gateway.
 *
 * @param status the HTTP status
 * @param headers response headers
 * @param body the text of the body, or its bytes in base64; empty for none
 * @param base64 whether the body is in base64
 * @param stream writes the body in place of the text, if the process can stream; empty for a text
 */
public record ApiResponse(
        int status, Map<String, String> headers, String body, boolean base64, Optional<Stream> stream) {

    private static final String CONTENT_TYPE = "Content-Type";

    public ApiResponse {
        headers = Map.copyOf(headers);
    }

    /** Writes a body piece by piece, as its parts become available. */
    @FunctionalInterface
    public interface Stream {

        /**
         * Writes the body in the thread that answers the request. Called once.
         *
         * @throws IOException if the client has closed the connection
         */
        void writeTo(OutputStream out) throws IOException;
    }

    /** Creates a response with a text as body. */
    public ApiResponse(int status, Map<String, String> headers, String body) {
        this(status, headers, body, false, Optional.empty());
    }

    /** Returns a response of server-sent events. */
    public static ApiResponse events(Stream events) {
        Map<String, String> headers = Map.of(CONTENT_TYPE, "text/event-stream", "Cache-Control", "no-store");
        return new ApiResponse(200, headers, "", false, Optional.of(events));
    }

    /** Returns a response with bytes as body. */
    public static ApiResponse binary(int status, Map<String, String> headers, byte[] body) {
        return new ApiResponse(status, headers, Base64.getEncoder().encodeToString(body), true, Optional.empty());
    }

    /** Returns a response with a JSON body that no cache may keep. */
    public static ApiResponse json(int status, JsonNode body) {
        return new ApiResponse(
                status, Map.of(CONTENT_TYPE, "application/json", "Cache-Control", "no-store"), Json.text(body));
    }

    /** Returns a response with a JSON body that caches may keep as {@code freshness} says; 304 if the caller has this version. */
    public static ApiResponse cacheable(ApiRequest request, JsonNode body, EntityTag tag, Freshness freshness) {
        return cacheable(request, Json.text(body), tag, freshness);
    }

    /** Returns a response like {@link #cacheable(ApiRequest, JsonNode, EntityTag, Freshness)}, with a JSON text as body. */
    public static ApiResponse cacheable(ApiRequest request, String json, EntityTag tag, Freshness freshness) {
        Map<String, String> headers = new LinkedHashMap<>(Map.of(
                "ETag", tag.value(), "Cache-Control", freshness.cacheControl(), "Vary", "X-API-Key, Authorization"));
        if (tag.isAmong(request.header("if-none-match"))) {
            return new ApiResponse(304, headers, "");
        }
        headers.put(CONTENT_TYPE, "application/json");
        return new ApiResponse(200, headers, json);
    }

    /** Returns a 204 response. */
    public static ApiResponse noContent() {
        return new ApiResponse(204, Map.of(), "");
    }

    /** Returns the response to a refused request. */
    public static ApiResponse problem(ApiError problem, String instance) {
        Map<String, String> headers = new LinkedHashMap<>(problem.headers());
        headers.put(CONTENT_TYPE, "application/problem+json");
        headers.put("Cache-Control", "no-store");
        return new ApiResponse(problem.status(), headers, Json.text(document(problem, instance)));
    }

    /** Returns the RFC 9457 document of a refusal, as a tree. */
    public static ObjectNode document(ApiError problem, String instance) {
        ObjectNode document = Json.object();
        document.put("type", "urn:agent-health:problem:" + problem.error());
        document.put("title", ApiErrorTitles.of(problem.status()));
        document.put("status", problem.status());
        document.put("detail", problem.detail());
        if (!instance.isEmpty()) {
            document.put("instance", instance);
        }
        document.put("error", problem.error());
        problem.members().forEach(document::set);
        if (!problem.errors().isEmpty()) {
            ArrayNode errors = document.putArray("errors");
            problem.errors()
                    .forEach(e -> errors.addObject().put("field", e.field()).put("message", e.message()));
        }
        return document;
    }

    /** Returns the same response with one more header. */
    public ApiResponse with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new ApiResponse(status, more, body, base64, stream);
    }

    /** Returns the same response with another media type; a response without a body stays as it is. */
    public ApiResponse as(String mediaType) {
        return headers.containsKey(CONTENT_TYPE) ? with(CONTENT_TYPE, mediaType) : this;
    }

    /** Returns the same response without its body, as HEAD requires. */
    public ApiResponse withoutBody() {
        return new ApiResponse(status, headers, "");
    }

    /** Returns the response in the form of API Gateway. A stream also writes its body, if the process can stream. */
    public APIGatewayV2HTTPResponse toEvent() {
        if (stream.isPresent()) {
            return new Streamed(status, headers, stream.get());
        }
        return APIGatewayV2HTTPResponse.builder()
                .withStatusCode(status)
                .withHeaders(headers)
                .withBody(body)
                .withIsBase64Encoded(base64)
                .build();
    }

    /** A response that writes its body itself. Both sides of the runtime know the interface {@code RequestStreamHandler}. */
    private static final class Streamed extends APIGatewayV2HTTPResponse implements RequestStreamHandler {

        private final Stream stream;

        Streamed(int status, Map<String, String> headers, Stream stream) {
            super(status, headers, Map.of(), List.of(), "", false);
            this.stream = stream;
        }

        @Override
        public void handleRequest(InputStream none, OutputStream body, Context context) throws IOException {
            stream.writeTo(body);
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }
}
