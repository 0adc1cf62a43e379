package dev.agenthealth.functions.outbound;

import dev.agenthealth.model.gateway.Endpoint;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * Makes connections secure, each as if it were the first one. What a server hands out for the next connection (a session's id or ticket) is
 * never shown to anybody: the name may lead to another server by then, to which these bytes would come from us. Thread-safe.
 */
public final class SecureSockets {

    private final TrustManager trusted;

    private SecureSockets(TrustManager trusted) {
        this.trusted = trusted;
    }

    /** Certificates are trusted as this says. */
    public static SecureSockets trusting(TrustManager trusted) {
        return new SecureSockets(trusted);
    }

    /** Certificates are trusted as the Java runtime does. */
    public static SecureSockets usual() {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init((KeyStore) null);
            return new SecureSockets(trust.getTrustManagers()[0]);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime trusts somebody", e);
        }
    }

    /**
     * A secure connection over a socket that is connected to one of the endpoint's addresses; the certificate is that of the endpoint's host.
     *
     * @throws IOException where none came about
     */
    SSLSocket over(Socket socket, Endpoint endpoint) throws IOException {
        String host = endpoint.host().text().replaceAll("[\\[\\]]", "");
        SSLSocket secured = (SSLSocket) context().getSocketFactory().createSocket(socket, host, endpoint.port(), true);
        SSLParameters parameters = secured.getSSLParameters();
        // Without this, any trusted certificate would do, whoever's it is.
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    /** A context remembers sessions, so each connection has one of its own. */
    private SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {trusted}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has TLS", e);
        }
    }
}
