package dev.agenthealth.client.gate;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/** The URL of the health document of an agent. */
final class DocumentUrl {

    private static final String PATH = "/.well-known/agent-health";
    private static final int MAX_LENGTH = 2_048;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private DocumentUrl() {}

    /**
     * Returns the URL of the document for any URL of the agent (RFC 8615 §3): the well-known path of the same origin. A URL of a document
     * is returned unchanged. Empty if the text is no http or https URL, or has user information.
     */
    static Optional<URI> of(String url) {
        try {
            URI given = new URI(url.strip());
            boolean usable = given.getScheme() != null
                    && given.getHost() != null
                    && given.getRawUserInfo() == null
                    && url.length() <= MAX_LENGTH
                    && given.getPort() <= 65_535;
            if (!usable) {
                return Optional.empty();
            }
            String scheme = given.getScheme().toLowerCase(Locale.ROOT);
            String host = given.getHost().toLowerCase(Locale.ROOT);
            int port = port(scheme, given.getPort());
            boolean complete = given.getRawPath().endsWith(PATH);
            String path = complete ? given.getRawPath() : PATH;
            String query = complete && given.getRawQuery() != null ? "?" + given.getRawQuery() : "";
            boolean http = scheme.equals("http") || scheme.equals("https");
            return http
                    ? Optional.of(new URI(scheme + "://" + host + (port < 0 ? "" : ":" + port) + path + query))
                    : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the target of a redirect. Empty unless it stays on the host and keeps the port or goes to the port of https. An agent must
     * not be able to send its callers to services inside their network.
     */
    static Optional<URI> redirected(URI from, String location) {
        URI to;
        try {
            to = from.resolve(new URI(location));
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
        boolean samePlace =
                from.getScheme().equalsIgnoreCase(to.getScheme()) && effectivePort(from) == effectivePort(to);
        boolean upgrade = "https".equalsIgnoreCase(to.getScheme()) && effectivePort(to) == HTTPS_PORT;
        boolean sameHost = from.getHost().equalsIgnoreCase(to.getHost()) && to.getRawUserInfo() == null;
        return sameHost && (samePlace || upgrade) ? Optional.of(to) : Optional.empty();
    }

    private static int effectivePort(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : defaultPort(uri.getScheme());
    }

    private static int port(String scheme, int port) {
        return port == defaultPort(scheme) ? -1 : port;
    }

    private static int defaultPort(String scheme) {
        return scheme.equalsIgnoreCase("https") ? HTTPS_PORT : HTTP_PORT;
    }
}
