package dev.agenthealth.functions.runtime.outbound;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A request to a receiver.
 *
 * @param body the body in JSON
 */
public record Post(URI url, Map<String, String> headers, byte[] body) {

    public Post {
        headers = Map.copyOf(headers);
    }

    /** Creates a request without further headers. */
    public Post(URI url, ObjectNode body) {
        this(url, Map.of(), Json.text(body).getBytes(StandardCharsets.UTF_8));
    }
}
