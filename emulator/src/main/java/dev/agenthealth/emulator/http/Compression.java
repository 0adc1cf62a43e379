package dev.agenthealth.emulator.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses answers for clients that accept gzip (RFC 9110 §12.5.3). Answers of heartbeats are below the minimum size. The entity tag stays,
 * so that a client can send it back in {@code If-Match} without a second form for each encoding.
 */
final class Compression {

    /** Below this size, the header and the time cost more than the bytes. */
    private static final int MIN_BYTES = 1_024;

    /** Larger bodies are lists, which compress well at the fastest level. */
    private static final int MAX_THOROUGH_BYTES = 128 * 1024;

    private static final Pattern COMPRESSIBLE =
            Pattern.compile("text/.*|application/(.*[+])?json.*|application/(openmetrics-text|yaml).*|image/svg.*");

    private Compression() {}

    /** Returns an answer in the encoding that suits the client. */
    static RawResponse of(RawResponse answer, RawRequest request) {
        if (answer.body().length < MIN_BYTES || answer.stream().isPresent() || !isCompressible(answer)) {
            return answer;
        }
        List<String> vary = answer.headers().getOrDefault("Vary", List.of());
        RawResponse varied =
                answer.with("Vary", vary.isEmpty() ? "Accept-Encoding" : String.join(", ", vary) + ", Accept-Encoding");
        return acceptsGzip(request.header("Accept-Encoding"))
                        && !request.method().equals("HEAD")
                ? new RawResponse(varied.status(), varied.headers(), gzip(varied.body()))
                        .with("Content-Encoding", "gzip")
                : varied;
    }

    private static boolean isCompressible(RawResponse answer) {
        List<String> type = answer.headers().getOrDefault("Content-Type", List.of());
        return !answer.headers().containsKey("Content-Encoding")
                && type.size() == 1
                && (type.get(0).equals("application/json")
                        || COMPRESSIBLE
                                .matcher(type.get(0).toLowerCase(Locale.ROOT))
                                .matches());
    }

    /** Returns true if a client lists gzip without the weight 0. */
    static boolean acceptsGzip(String acceptEncoding) {
        if (acceptEncoding.isEmpty()) {
            return false;
        }
        for (String coding : acceptEncoding.toLowerCase(Locale.ROOT).split(",")) {
            String[] parts = coding.strip().split("\\s*;\\s*");
            if (parts[0].equals("gzip") || parts[0].equals("x-gzip")) {
                return parts.length == 1 || !parts[1].matches("q\\s*=\\s*0([.]0*)?");
            }
        }
        return false;
    }

    private static byte[] gzip(byte[] body) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(body.length / 4);
        int level = body.length > MAX_THOROUGH_BYTES ? Deflater.BEST_SPEED : Deflater.DEFAULT_COMPRESSION;
        try (GZIPOutputStream gzip = new Leveled(compressed, level)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }

    /** A gzip stream of a level. */
    private static final class Leveled extends GZIPOutputStream {

        Leveled(ByteArrayOutputStream out, int level) throws IOException {
            super(out);
            def.setLevel(level);
        }
    }
}
