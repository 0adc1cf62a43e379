package dev.agenthealth.functions.notification.delivery;

import java.net.URI;
import java.util.Map;

/**
 * A request to a receiver.
 *
 * @param body JSON
 */
record Post(URI url, Map<String, String> headers, byte[] body) {

    Post {
        headers = Map.copyOf(headers);
    }
}
