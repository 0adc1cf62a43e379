package dev.agenthealth.functions.runtime.outbound;

import dev.agenthealth.model.ReceivedText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.util.Timeout;

/**
 * A response of server-sent events that is read as it arrives, or another response as a whole. The connection stays open until the caller
 * closes it or its time has passed. Not thread-safe.
 */
public final class HttpStream implements AutoCloseable {

    /** The maximum time for which {@link #next} waits for an event. */
    static final Duration PAUSE = Duration.ofSeconds(5);

    /** The maximum size of a stream, in bytes. The maximum size of an event is {@link PinnedHttpClient#MAX_BYTES}. */
    static final long MAX_BYTES = 16L * 1024 * 1024;

    private final Deadline deadline;
    private final Optional<byte[]> whole;
    private final EventReader events;
    private final boolean framed;
    private int pauses;

    private HttpStream(Deadline deadline, Optional<byte[]> whole, InputStream events, boolean framed) {
        this.deadline = deadline;
        this.framed = framed;
        this.whole = whole;
        this.events = new EventReader(events, PinnedHttpClient.MAX_BYTES, MAX_BYTES);
    }

    /** Reads a response completely, unless it is a stream of events, which is read later. */
    static HttpStream of(ClassicHttpResponse response, DefaultBHttpClientConnection connection, Deadline deadline)
            throws IOException {
        Header type = response.getFirstHeader("Content-Type");
        boolean isStream = response.getCode() / 100 == 2
                && response.getEntity() != null
                && type != null
                && type.getValue().toLowerCase(Locale.ROOT).startsWith("text/event-stream");
        if (!isStream) {
            byte[] body = PinnedHttpClient.successful(response, deadline);
            return new HttpStream(deadline, Optional.of(body), new ByteArrayInputStream(new byte[0]), true);
        }
        connection.setSocketTimeout(Timeout.of(PAUSE));
        HttpEntity entity = response.getEntity();
        boolean framed = entity.isChunked() || entity.getContentLength() >= 0;
        return new HttpStream(deadline, Optional.empty(), entity.getContent(), framed);
    }

    /** Returns the whole body; empty if the response is a stream of events. */
    public Optional<byte[]> whole() {
        return whole;
    }

    /**
     * Returns the data of the next event, or the whole response. The text is empty if no event arrived for some seconds. The result is
     * empty at the end.
     *
     * @throws CallFailedException if the connection broke, the server sent too much or the time has passed
     */
    public Optional<String> next() {
        if (whole.isPresent()) {
            boolean first = pauses++ == 0;
            return first ? whole.map(ReceivedText::of) : Optional.empty();
        }
        return PinnedHttpClient.reading(deadline, () -> {
            try {
                Optional<String> next = events.next();
                pauses = 0;
                return next;
            } catch (SocketTimeoutException e) {
                if (deadline.hasPassed()) {
                    throw e;
                }
                pauses++;
                return Optional.of("");
            }
        });
    }

    /** Returns the time since the last event, rounded down to {@link #PAUSE}. */
    public Duration silence() {
        return whole.isPresent() ? Duration.ZERO : PAUSE.multipliedBy(pauses);
    }

    /** Returns whether the end of the response shows that it is complete. If the end is only a closed connection, the response may be incomplete. */
    public boolean isFramed() {
        return framed;
    }

    /** Returns whether the time of the response has passed. */
    public boolean isOver() {
        return deadline.hasPassed();
    }

    /** Closes the connection, whatever the server still sends. */
    @Override
    public void close() {
        deadline.close();
    }
}
