package dev.agenthealth.functions.runtime.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** The encodings that a request's body may have (RFC 9110 §8.4). */
enum ContentEncoding {
    /** No encoding. */
    IDENTITY,

    /** Compressed once by gzip. */
    GZIP;

    private static final int CHUNK = 16 * 1_024;

    /** Returns the encoding that the header {@code Content-Encoding} names; empty if no request may have it. */
    static Optional<ContentEncoding> find(String header) {
        if (header.isEmpty()) {
            return Optional.of(IDENTITY);
        }
        List<String> codings = Arrays.stream(header.toLowerCase(Locale.ROOT).split(","))
                .map(String::trim)
                .filter(coding -> !coding.isEmpty() && !coding.equals("identity"))
                .toList();
        if (codings.isEmpty()) {
            return Optional.of(IDENTITY);
        }
        return codings.equals(List.of("gzip")) || codings.equals(List.of("x-gzip"))
                ? Optional.of(GZIP)
                : Optional.empty();
    }

    /**
     * Returns the decoded body. At most {@code maxBytes} of the body are ever in memory.
     *
     * @throws ApiError 413 if it is larger, 400 if it is not valid gzip
     */
    byte[] decoded(byte[] sent, int maxBytes) {
        BodyStart start = start(sent, maxBytes);
        if (!start.fault().isEmpty()) {
            throw ApiError.malformed("The request body " + start.fault() + ".");
        }
        if (!start.isWhole()) {
            throw this == GZIP
                    ? ApiError.tooLarge("The decompressed request body may have at most " + maxBytes + " bytes.")
                    : ApiError.tooLarge(maxBytes);
        }
        return start.bytes();
    }

    /** Returns the first bytes of the decoded body, as far as they can be decoded. */
    BodyStart start(byte[] sent, int maxBytes) {
        if (this == IDENTITY || sent.length == 0) {
            boolean isWhole = sent.length <= maxBytes;
            return new BodyStart(isWhole ? sent : Arrays.copyOf(sent, maxBytes), isWhole, "");
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(Math.min(sent.length, maxBytes));
        byte[] chunk = new byte[CHUNK];
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(sent), CHUNK)) {
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                if (out.size() + read > maxBytes) {
                    out.write(chunk, 0, maxBytes - out.size());
                    return new BodyStart(out.toByteArray(), false, "");
                }
                out.write(chunk, 0, read);
            }
            return new BodyStart(out.toByteArray(), true, "");
        } catch (EOFException e) {
            return new BodyStart(out.toByteArray(), false, "ends before its gzip does");
        } catch (IOException e) {
            return new BodyStart(out.toByteArray(), false, "is not valid gzip");
        }
    }
}
