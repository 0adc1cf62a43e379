package dev.agenthealth.emulator.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.eclipse.jetty.http.HttpStatus;

/**
 * An answer to a request. {@link WebServer} adds the connection's headers, and leaves out the body if HTTP allows none.
 *
 * @param status from 200 to 599
 * @param headers names and values that HTTP allows
 * @param stream writes the body instead of the bytes; empty for bytes
 */
public record RawResponse(int status, Map<String, List<String>> headers, byte[] body, Optional<Stream> stream) {

    public RawResponse {
        headers = inAnyCase(headers);
    }

    private static Map<String, List<String>> inAnyCase(Map<String, List<String>> headers) {
        if (headers instanceof TreeMap<String, List<String>> sorted
                && sorted.comparator() == String.CASE_INSENSITIVE_ORDER) {
            return headers;
        }
        Map<String, List<String>> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        anyCase.putAll(headers);
        return anyCase;
    }

    /** A body that is generated while it is sent. */
    @FunctionalInterface
    public interface Stream {

        /**
         * Writes the body in the thread that answers the request; called once.
         *
         * @throws IOException if the client is gone
         */
        void writeTo(OutputStream out) throws IOException;
    }

    /** Creates an answer with a complete body. */
    public RawResponse(int status, Map<String, List<String>> headers, byte[] body) {
        this(status, headers, body, Optional.empty());
    }

    /** Returns an answer without a body. */
    public static RawResponse empty(int status) {
        return new RawResponse(status, Map.of(), new byte[0]);
    }

    /** Returns an answer with a body of the content type. */
    public static RawResponse of(int status, String contentType, byte[] body) {
        return new RawResponse(status, Map.of("Content-Type", List.of(contentType)), body);
    }

    /** Returns an answer with a JSON body. */
    public static RawResponse json(int status, ObjectNode body) {
        return of(status, "application/json", Json.bytes(body));
    }

    /**
     * Returns a refusal by the server itself: a problem document (RFC 9457), like the answers of the functions.
     *
     * @param error a code of the API's description
     */
    public static RawResponse problem(int status, String error, String detail) {
        ObjectNode document = Json.object()
                .put("type", "urn:agent-health:problem:" + error)
                .put("title", HttpStatus.getMessage(status))
                .put("status", status)
                .put("detail", detail)
                .put("error", error);
        return of(status, "application/problem+json", Json.bytes(document)).with("Cache-Control", "no-store");
    }

    /** Returns this answer with an additional header. */
    public RawResponse with(String name, String value) {
        Map<String, List<String>> more = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        more.putAll(headers);
        more.put(name, List.of(value));
        return new RawResponse(status, more, body, stream);
    }
}
