package dev.agenthealth.functions.runtime.outbound;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A request whose response is read whatever its status is.
 *
 * @param method the HTTP method
 * @param body the body, JSON unless a header says otherwise; empty for none
 * @param isAnswer whether the data of a server-sent event is the answer; earlier events are skipped
 */
public record HttpQuestion(
        String method, Map<String, String> headers, Optional<byte[]> body, Predicate<String> isAnswer) {

    /** Returns a question that posts a body and reads the whole answer. */
    public static HttpQuestion post(Map<String, String> headers, String body) {
        return new HttpQuestion("POST", headers, Optional.of(body.getBytes(StandardCharsets.UTF_8)), event -> true);
    }

    /** Returns a question that gets a resource. */
    public static HttpQuestion get(Map<String, String> headers) {
        return new HttpQuestion("GET", headers, Optional.empty(), event -> true);
    }
}
