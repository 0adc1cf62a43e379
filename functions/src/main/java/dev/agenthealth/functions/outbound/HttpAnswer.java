package dev.agenthealth.functions.outbound;

import dev.agenthealth.model.gateway.InvocationFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;

/**
 * The response to a question.
 *
 * @param status from 200 on
 * @param session the MCP session that the response begins; empty for none
 * @param text the body as UTF-8; of server-sent events, the data of the first one
 * @param certificateEnds when the certificate of the host ends; empty without TLS
 */
public record HttpAnswer(int status, String session, String text, Optional<Instant> certificateEnds) {

    /** The maximum size of a body, in bytes. */
    public static final int MAX_BYTES = 64 * 1024;

    private static final String DATA = "data:";

    static HttpAnswer of(ClassicHttpResponse response, DefaultBHttpClientConnection connection) throws IOException {
        byte[] body = new byte[0];
        boolean events =
                header(response, "Content-Type").toLowerCase(Locale.ROOT).startsWith("text/event-stream");
        if (response.getEntity() != null) {
            // Not closed: closing would read the rest, which may be endless. The socket is closed instead.
            InputStream content = response.getEntity().getContent();
            body = events ? firstEvent(content) : content.readNBytes(MAX_BYTES + 1);
        }
        if (body.length > MAX_BYTES) {
            throw new CallFailedException(InvocationFailure.TOO_LARGE);
        }
        String text = new String(body, StandardCharsets.UTF_8);
        return new HttpAnswer(
                response.getCode(),
                header(response, "Mcp-Session-Id"),
                events ? data(text) : text,
                certificateEnds(connection.getSSLSession()));
    }

    private static String header(ClassicHttpResponse response, String name) {
        Header header = response.getFirstHeader(name);
        return header == null || header.getValue() == null ? "" : header.getValue();
    }

    /** Reads to the end of the first event with data: the server may keep the stream open. */
    private static byte[] firstEvent(InputStream content) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        StringBuilder line = new StringBuilder();
        boolean data = false;
        for (int next = content.read(); next >= 0 && read.size() <= MAX_BYTES; next = content.read()) {
            read.write(next);
            if (next == '\r') {
                continue;
            }
            if (next != '\n') {
                line.append((char) next);
                continue;
            }
            if (data && line.isEmpty()) {
                break;
            }
            data |= line.length() > DATA.length() && line.indexOf(DATA) == 0;
            line.setLength(0);
        }
        return read.toByteArray();
    }

    private static String data(String events) {
        StringBuilder data = new StringBuilder();
        events.lines()
                .filter(line -> line.startsWith(DATA))
                .forEach(line -> data.append(line.substring(DATA.length())));
        return data.toString();
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
