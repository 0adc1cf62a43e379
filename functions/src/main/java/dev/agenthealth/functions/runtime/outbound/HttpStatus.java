package dev.agenthealth.functions.runtime.outbound;

import java.io.IOException;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;

/**
 * The status of a response.
 *
 * @param code 200 or higher
 * @param retryAfter the header {@code Retry-After} as it was sent; empty without it
 */
public record HttpStatus(int code, String retryAfter) {

    /**
     * The maximum number of bytes to read before the connection is closed. Unread bytes would reset the connection, and some servers log
     * this as an error.
     */
    private static final int MAX_DISCARDED_BYTES = 8 * 1024;

    static HttpStatus of(ClassicHttpResponse response) {
        Header retryAfter = response.getFirstHeader("Retry-After");
        if (response.getEntity() != null) {
            try {
                response.getEntity().getContent().readNBytes(MAX_DISCARDED_BYTES);
            } catch (IOException e) {
                // The status was received, and only the status counts.
            }
        }
        return new HttpStatus(response.getCode(), retryAfter == null ? "" : retryAfter.getValue());
    }
}
