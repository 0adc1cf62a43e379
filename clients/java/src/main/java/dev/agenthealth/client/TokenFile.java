package dev.agenthealth.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/** A token in a file that the platform replaces before the token expires. Thread-safe. */
final class TokenFile {

    /** The maximum size that the registry accepts. */
    private static final int MAX_BYTES = 8 * 1024;

    /** The mark U+FEFF in UTF-8, which some editors write before a text. */
    private static final String BYTE_ORDER_MARK = "^\u00EF\u00BB\u00BF";

    private static final long CHECK_NANOS = Duration.ofSeconds(1).toNanos();

    private final Path file;
    private final LongSupplier nanoTime;
    private String token = "";
    private List<Object> stamp = List.of();
    private long checkedAt;

    /** @throws IllegalArgumentException if the file has no token that can be sent */
    TokenFile(Path file, LongSupplier nanoTime) {
        this.file = file;
        this.nanoTime = nanoTime;
        afterRefusal();
    }

    /**
     * Returns the token. Reads the file if it changed, at most once per second. If the file has no token for a moment, the last token stays
     * in use.
     */
    synchronized String current() {
        if (nanoTime.getAsLong() - checkedAt >= CHECK_NANOS) {
            try {
                read(stamp);
            } catch (IOException | IllegalArgumentException e) {
                // The registry decides whether the last token is still valid.
            }
        }
        return token;
    }

    /**
     * Returns the current token of the file.
     *
     * @throws IllegalArgumentException if the file has no token that can be sent
     */
    synchronized String afterRefusal() {
        try {
            read(List.of());
        } catch (IOException e) {
            throw new IllegalArgumentException("the token file " + file + " cannot be read: " + e, e);
        }
        return token;
    }

    private void read(List<Object> known) throws IOException {
        checkedAt = nanoTime.getAsLong();
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        // Read before the content, so that the next check finds a change in between.
        List<Object> now =
                List.of(attributes.lastModifiedTime(), attributes.size(), String.valueOf(attributes.fileKey()));
        if (now.equals(known)) {
            return;
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        token = checked(bytes);
        stamp = now;
    }

    private String checked(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1)
                .replaceFirst(BYTE_ORDER_MARK, "")
                .strip();
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("the token file " + file + " is larger than 8 KB");
        }
        if (text.isEmpty()) {
            throw new IllegalArgumentException("the token file " + file + " is empty");
        }
        if (!Credential.isVisibleAscii(text)) {
            throw new IllegalArgumentException("the token file " + file
                    + " has characters other than visible ASCII; it must hold the token alone");
        }
        return text;
    }
}
