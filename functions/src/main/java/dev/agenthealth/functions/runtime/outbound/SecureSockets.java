package dev.agenthealth.functions.runtime.outbound;

import dev.agenthealth.model.gateway.Endpoint;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * Opens TLS connections without session resumption. The host name may lead to another server next time, and that server must not receive
 * the session id or ticket of this connection. Thread-safe.
 */
public final class SecureSockets {

    private final Supplier<TrustManager> trusted;

    private SecureSockets(Supplier<TrustManager> trusted) {
        this.trusted = trusted;
    }

    /** Returns sockets that trust the certificates that {@code trusted} accepts. */
    public static SecureSockets trusting(TrustManager trusted) {
        return new SecureSockets(() -> trusted);
    }

    /** Returns sockets that trust the certificates of the Java runtime. They read the certificates now, which takes a tenth of a second. */
    public static SecureSockets usual() {
        return trusting(ofRuntime());
    }

    /** Returns sockets that trust the certificates of the Java runtime. Each connection reads them from the runtime, which reads the files once. */
    public static SecureSockets usualWhenUsed() {
        return new SecureSockets(SecureSockets::ofRuntime);
    }

    private static TrustManager ofRuntime() {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init((KeyStore) null);
            return trust.getTrustManagers()[0];
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has trusted certificates", e);
        }
    }

    /**
     * Returns a TLS connection over a connected socket. The certificate must match the endpoint's host.
     *
     * @throws IOException if the handshake fails
     */
    SSLSocket over(Socket socket, Endpoint endpoint) throws IOException {
        String host = endpoint.host().text().replaceAll("[\\[\\]]", "");
        SSLSocket secured = (SSLSocket) context().getSocketFactory().createSocket(socket, host, endpoint.port(), true);
        SSLParameters parameters = secured.getSSLParameters();
        // Without this setting, a trusted certificate of any host would be accepted.
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    /** Returns a new context for each connection, because a context caches sessions. */
    private SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {trusted.get()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has TLS", e);
        }
    }
}
