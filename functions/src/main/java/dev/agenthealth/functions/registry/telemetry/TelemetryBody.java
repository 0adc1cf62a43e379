package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;

/** The size of a request with spans. */
final class TelemetryBody {

    /** The maximum size of a body as it is sent. Larger ones would not fit into an invocation of a function, which has them in base64. */
    static final int MAX_SENT_BYTES = 4 * 1024 * 1024;

    /** The maximum size of a body that was compressed. */
    static final int MAX_BYTES = 16 * 1024 * 1024;

    private TelemetryBody() {}

    /**
     * Returns the bytes of a body.
     *
     * @throws ApiError 413 if it is too large before or after it is decompressed, 415 for another encoding, 400 if it cannot be read
     */
    static byte[] of(ApiRequest request) {
        return request.bodyBytes(MAX_SENT_BYTES, MAX_BYTES);
    }
}
