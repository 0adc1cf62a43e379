package dev.agenthealth.model.identity;

import java.time.Instant;
import java.util.List;

/**
 * An OpenID Connect provider whose tokens are accepted.
 *
 * @param name by which it is configured
 * @param issuer its URL, exactly as the tokens name it
 * @param audiences of which a token names one
 * @param clientId by which people sign in; empty if only workloads have its tokens
 * @param scopes that people ask for
 * @param algorithms with which tokens may be signed, out of {@link #ALGORITHMS}
 * @param jwks its public keys as a JSON Web Key Set; empty if they are read from the issuer
 * @param grants what holders may do: the first that matches decides
 * @param version counts its changes, from 1
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

    /** Of public keys only: a key that verifies by a symmetric algorithm also signs. */
    public static final List<String> ALGORITHMS =
            List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA");

    public IdentityProvider {
        audiences = List.copyOf(audiences);
        algorithms = List.copyOf(algorithms);
        grants = List.copyOf(grants);
    }
}
