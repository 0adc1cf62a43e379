package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;

/** Reads the body of a request with spans, up to its maximum size. */
final class TelemetryBody {

    /**
     * The maximum size of a body as sent, in bytes. A larger body would not fit into the invocation of a function, which has it in base64.
     */
    static final int MAX_SENT_BYTES = 4 * 1024 * 1024;

    /** The maximum size of a decompressed body, in bytes. */
    static final int MAX_BYTES = 16 * 1024 * 1024;

    private TelemetryBody() {}

    /**
     * Returns the bytes of a body.
     *
     * @throws ApiError 400 if the body cannot be read; 413 if it is too large before or after decompression; 415 for another encoding
     */
    static byte[] of(ApiRequest request) {
        return request.bodyBytes(MAX_SENT_BYTES, MAX_BYTES);
    }
}
