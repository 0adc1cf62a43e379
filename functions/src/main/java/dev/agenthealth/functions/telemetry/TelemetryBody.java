package dev.agenthealth.functions.telemetry;

import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.Problem;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

/** The body of a request as it was before it was compressed. */
final class TelemetryBody {

    /** The maximum size of a body as it is sent. Larger ones would not fit into an invocation of a function, which has them in base64. */
    static final int MAX_SENT_BYTES = 4 * 1024 * 1024;

    /** The maximum size of a body that was compressed. */
    static final int MAX_BYTES = 16 * 1024 * 1024;

    private static final int CHUNK = 64 * 1024;

    private TelemetryBody() {}

    /**
     * The bytes of a body; at most {@link #MAX_BYTES} of a compressed one are ever in memory.
     *
     * @throws Problem 413 where it is too large before or after it is decompressed, 415 for another compression
     */
    static byte[] of(ApiRequest request) throws UnreadableSpansException {
        byte[] sent = request.bodyBytes(MAX_SENT_BYTES);
        return switch (request.header("content-encoding").toLowerCase(Locale.ROOT)) {
            case "", "identity" -> sent;
            case "gzip", "x-gzip" -> inflated(sent);
            default -> throw Problem.unsupportedMediaType("The Content-Encoding of a request is gzip or none.");
        };
    }

    private static byte[] inflated(byte[] compressed) throws UnreadableSpansException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(compressed.length);
        byte[] chunk = new byte[CHUNK];
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed), CHUNK)) {
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                if (out.size() + read > MAX_BYTES) {
                    throw Problem.tooLarge("The decompressed request body may have at most " + MAX_BYTES + " bytes.");
                }
                out.write(chunk, 0, read);
            }
        } catch (IOException e) {
            throw new UnreadableSpansException("The request body is not valid gzip.");
        }
        return out.toByteArray();
    }
}
