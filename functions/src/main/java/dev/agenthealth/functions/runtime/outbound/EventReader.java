package dev.agenthealth.functions.runtime.outbound;

import dev.agenthealth.model.ReceivedText;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads server-sent events, after a byte order mark if there is one (HTML, "Parsing an event stream"). A time-out of the stream loses no
 * data that was read before. Not thread-safe.
 */
final class EventReader {

    private static final String DATA = "data:";

    private final InputStream in;
    private final int maxEvent;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final StringBuilder data = new StringBuilder();
    private final byte[] buffer = new byte[8 * 1024];
    private int begin;
    private int end;
    private long left;
    private boolean afterReturn;
    private boolean isFirstLine = true;

    /**
     * @param maxEvent the maximum size of an event, in bytes
     * @param maxBytes the maximum size of all events, in bytes
     */
    EventReader(InputStream in, int maxEvent, long maxBytes) {
        this.in = in;
        this.maxEvent = maxEvent;
        this.left = maxBytes;
    }

    /**
     * Returns the data of the next event. The text is empty for a block without data, such as a comment. The result is empty at the end of
     * the stream.
     */
    Optional<String> next() throws IOException {
        while (true) {
            int next = read();
            if (next >= 0 && (--left < 0 || line.size() + data.length() > maxEvent)) {
                throw new CallFailedException(InvocationFailure.TOO_LARGE);
            }
            boolean ofLineEnd = next == '\n' && afterReturn;
            afterReturn = next == '\r';
            if (ofLineEnd) {
                continue;
            }
            if (next >= 0 && next != '\n' && next != '\r') {
                line.write(next);
                continue;
            }
            String text = isFirstLine ? ReceivedText.of(line.toByteArray()) : line.toString(StandardCharsets.UTF_8);
            isFirstLine = false;
            line.reset();
            if (text.startsWith(DATA)) {
                data.append(data.isEmpty() ? "" : "\n")
                        .append(text.substring(DATA.length()).strip());
            }
            if (next < 0 && data.isEmpty()) {
                return Optional.empty();
            }
            if (next < 0 || text.isEmpty()) {
                String event = data.toString();
                data.setLength(0);
                return Optional.of(event);
            }
            if (text.startsWith(":")) {
                return Optional.of("");
            }
        }
    }

    /** Reads several bytes at once: if bytes were read one by one, a chunk that breaks off would look like the end of the stream. */
    private int read() throws IOException {
        if (begin == end) {
            int read = in.read(buffer);
            begin = 0;
            end = Math.max(0, read);
            if (read < 0) {
                return -1;
            }
        }
        return buffer[begin++] & 0xff;
    }
}
