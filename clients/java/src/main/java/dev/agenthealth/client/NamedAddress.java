package dev.agenthealth.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/**
 * Decides whether the client uses an address that the registry names in an answer. The key goes along, so that it never leaves an encrypted
 * connection. It goes to another host only if the registry named that host over TLS.
 */
final class NamedAddress {

    private NamedAddress() {}

    /** Returns the address. Empty if the address is no absolute http or https URL, or if the key must not go to its host. */
    static Optional<URI> usable(URI registry, String named) {
        URI url;
        try {
            url = new URI(named);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
        boolean encrypted = "https".equalsIgnoreCase(url.getScheme());
        boolean http = encrypted || "http".equalsIgnoreCase(url.getScheme());
        if (!http || url.getHost() == null || url.getRawUserInfo() != null) {
            return Optional.empty();
        }
        boolean allowed = "https".equalsIgnoreCase(registry.getScheme())
                ? encrypted
                : url.getHost().equalsIgnoreCase(registry.getHost());
        return allowed ? Optional.of(url) : Optional.empty();
    }
}
