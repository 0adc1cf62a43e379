package dev.agenthealth.functions.api.identity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.model.gateway.Endpoint;
import java.util.Optional;

/**
 * The addresses of a provider (OpenID Connect Discovery 1.0 §3).
 *
 * @param authorizationEndpoint the address at which people sign in; empty for none
 * @param tokenEndpoint the address that issues tokens; empty for none
 * @param deviceEndpoint the address at which the device flow begins (RFC 8628); empty for none
 * @param endSessionEndpoint the address at which people sign out of the provider (RP-Initiated Logout 1.0 §2.1); empty for none
 * @param revocationEndpoint the address that revokes tokens (RFC 7009); empty for none
 */
public record ProviderMetadata(
        String jwksUri,
        String authorizationEndpoint,
        String tokenEndpoint,
        String deviceEndpoint,
        String endSessionEndpoint,
        String revocationEndpoint) {

    private static final String PATH = "/.well-known/openid-configuration";

    /** Returns the address of an issuer's document. */
    static String address(String issuer) {
        return (issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer) + PATH;
    }

    /** Reads the document of an issuer; empty if the document belongs to another issuer. */
    static Optional<ProviderMetadata> of(String issuer, JsonNode document) {
        return document.path("issuer").asText().equals(issuer)
                ? Optional.of(new ProviderMetadata(
                        url(document, "jwks_uri"),
                        url(document, "authorization_endpoint"),
                        url(document, "token_endpoint"),
                        url(document, "device_authorization_endpoint"),
                        url(document, "end_session_endpoint"),
                        url(document, "revocation_endpoint")))
                : Optional.empty();
    }

    private static String url(JsonNode document, String name) {
        String url = document.path(name).asText("");
        return Endpoint.of(url).isPresent() ? url : "";
    }
}
