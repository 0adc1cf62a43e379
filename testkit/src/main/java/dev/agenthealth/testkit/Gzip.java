package dev.agenthealth.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/** Compresses request bodies. */
public final class Gzip {

    private Gzip() {}

    /** Returns the bytes, compressed by gzip. */
    public static byte[] of(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("bytes in memory can always be written", e);
        }
        return out.toByteArray();
    }
}
