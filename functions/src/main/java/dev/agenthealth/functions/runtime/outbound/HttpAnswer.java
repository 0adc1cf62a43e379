package dev.agenthealth.functions.runtime.outbound;

import dev.agenthealth.model.ReceivedText;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.io.IOException;
import java.io.InputStream;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;

/**
 * The response to a request.
 *
 * @param status 200 or higher
 * @param session the MCP session that the response begins; empty for none
 * @param challenges whether the response says how to authenticate ({@code WWW-Authenticate})
 * @param text the body as UTF-8; for server-sent events, the data of the event that is the answer
 * @param certificateEnds the end of the host's certificate; empty without TLS
 */
public record HttpAnswer(
        int status, String session, boolean challenges, String text, Optional<Instant> certificateEnds) {

    /** The maximum size of a body, in bytes. */
    public static final int MAX_BYTES = 64 * 1024;

    static HttpAnswer of(
            ClassicHttpResponse response, DefaultBHttpClientConnection connection, Predicate<String> isAnswer)
            throws IOException {
        return new HttpAnswer(
                response.getCode(),
                header(response, "Mcp-Session-Id"),
                response.containsHeader("WWW-Authenticate"),
                response.getEntity() == null ? "" : text(response, isAnswer),
                certificateEnds(connection.getSSLSession()));
    }

    private static String text(ClassicHttpResponse response, Predicate<String> isAnswer) throws IOException {
        // The stream stays open: closing it would read the rest, which may be endless. The socket is closed instead.
        InputStream content = response.getEntity().getContent();
        if (header(response, "Content-Type").toLowerCase(Locale.ROOT).startsWith("text/event-stream")) {
            return event(content, isAnswer);
        }
        byte[] body = content.readNBytes(MAX_BYTES + 1);
        if (body.length > MAX_BYTES) {
            throw new CallFailedException(InvocationFailure.TOO_LARGE);
        }
        return ReceivedText.of(body);
    }

    private static String header(ClassicHttpResponse response, String name) {
        Header header = response.getFirstHeader(name);
        return header == null || header.getValue() == null ? "" : header.getValue();
    }

    /** Reads to the end of the event that is the answer, because the server may keep the stream open. */
    private static String event(InputStream content, Predicate<String> isAnswer) throws IOException {
        EventReader events = new EventReader(content, MAX_BYTES, MAX_BYTES);
        Optional<String> event = events.next();
        while (event.isPresent() && (event.get().isEmpty() || !isAnswer.test(event.get()))) {
            event = events.next();
        }
        return event.orElse("");
    }

    private static Optional<Instant> certificateEnds(SSLSession session) {
        try {
            return session != null && session.getPeerCertificates()[0] instanceof X509Certificate certificate
                    ? Optional.of(certificate.getNotAfter().toInstant())
                    : Optional.empty();
        } catch (SSLPeerUnverifiedException e) {
            return Optional.empty();
        }
    }
}
