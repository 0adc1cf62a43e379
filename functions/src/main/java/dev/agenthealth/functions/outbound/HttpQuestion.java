package dev.agenthealth.functions.outbound;

import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A request whose response is read whatever its status is.
 *
 * @param method of HTTP
 * @param body the JSON to send; empty for none
 * @param isAnswer whether the data of a server-sent event is the answer; earlier events are left out
 */
public record HttpQuestion(
        String method, Map<String, String> headers, Optional<byte[]> body, Predicate<String> isAnswer) {

    /** Gets a resource. */
    public static HttpQuestion get(Map<String, String> headers) {
        return new HttpQuestion("GET", headers, Optional.empty(), event -> true);
    }
}
