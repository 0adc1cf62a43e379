package dev.agenthealth.emulator.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An answer to a request. {@link WebServer} adds the headers that belong to the connection and leaves out the body where HTTP allows none.
 *
 * @param status from 200 to 599
 * @param headers names and values that HTTP allows
 */
public record RawResponse(int status, Map<String, List<String>> headers, byte[] body) {

    public RawResponse {
        Map<String, List<String>> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        anyCase.putAll(headers);
        headers = anyCase;
    }

    /** An answer without a body. */
    public static RawResponse empty(int status) {
        return new RawResponse(status, Map.of(), new byte[0]);
    }

    /** An answer with a body of the content type. */
    public static RawResponse of(int status, String contentType, byte[] body) {
        return new RawResponse(status, Map.of("Content-Type", List.of(contentType)), body);
    }

    /** An answer with a JSON body. */
    public static RawResponse json(int status, ObjectNode body) {
        return of(status, "application/json", Json.bytes(body));
    }

    /** An answer with the body {@code {"message": ...}}, the form of API Gateway's own errors. */
    public static RawResponse message(int status, String message) {
        return json(status, Json.object().put("message", message));
    }

    /** The same answer with one more header. */
    public RawResponse with(String name, String value) {
        Map<String, List<String>> more = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        more.putAll(headers);
        more.put(name, List.of(value));
        return new RawResponse(status, more, body);
    }
}
