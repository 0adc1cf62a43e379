package dev.agenthealth.model.identity;

import java.time.Instant;
import java.util.List;

/**
 * An OpenID Connect provider whose tokens the registry accepts.
 *
 * @param name the name in the configuration
 * @param issuer the URL of the issuer, exactly as tokens name it
 * @param audiences the accepted audiences; a token must name one of them
 * @param clientId the client id for the sign-in of people; empty if only workloads have tokens
 * @param scopes the scopes that people request
 * @param algorithms the accepted signature algorithms, from {@link #ALGORITHMS}
 * @param jwks the public keys as a JSON Web Key Set; empty if the registry reads them from the issuer
 * @param grants the rights of holders; the first matching grant decides
 * @param version the number of changes, from 1
 */
public record IdentityProvider(
        String name,
        String issuer,
        List<String> audiences,
        String clientId,
        String scopes,
        List<String> algorithms,
        String jwks,
        List<Grant> grants,
        Instant createdAt,
        long version) {

    /** The supported algorithms, all with public keys. A key that verifies by a symmetric algorithm could also sign. */
    public static final List<String> ALGORITHMS =
            List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA");

    public IdentityProvider {
        audiences = List.copyOf(audiences);
        algorithms = List.copyOf(algorithms);
        grants = List.copyOf(grants);
    }
}
