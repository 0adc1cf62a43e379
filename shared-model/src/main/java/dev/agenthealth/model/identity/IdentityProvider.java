package dev.agenthealth.model.identity;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An OpenID Connect provider whose tokens the registry accepts.
 *
 * @param name the name in the configuration
 * @param tokens the tokens that the registry accepts
 * @param signIn the sign-in of people
 * @param grants the rights of holders; the first matching grant decides
 * @param version the number of changes, from 1
 */
public record IdentityProvider(
        String name, AcceptedTokens tokens, SignIn signIn, List<Grant> grants, Instant createdAt, long version) {

    /** The supported algorithms, all with public keys. A key that verifies by a symmetric algorithm could also sign. */
    public static final List<String> ALGORITHMS =
            List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA");

    public IdentityProvider {
        grants = List.copyOf(grants);
    }

    /**
     * The tokens that the registry accepts.
     *
     * @param issuer the URL of the issuer, exactly as tokens name it
     * @param audiences the accepted audiences; a token must name one of them
     * @param algorithms the accepted signature algorithms, from {@link #ALGORITHMS}
     * @param jwks the public keys as a JSON Web Key Set; empty if the registry reads them from the issuer
     * @param trustDomain the SPIFFE trust domain of all subjects, such as {@code example.org}; empty for any subject
     */
    public record AcceptedTokens(
            String issuer, List<String> audiences, List<String> algorithms, String jwks, String trustDomain) {

        /** The maximum number of characters of a trust domain (SPIFFE ID §2.3). */
        public static final int MAX_TRUST_DOMAIN = 255;

        private static final Pattern TRUST_DOMAIN = Pattern.compile("[a-z0-9._-]{1," + MAX_TRUST_DOMAIN + "}");

        public AcceptedTokens {
            audiences = List.copyOf(audiences);
            algorithms = List.copyOf(algorithms);
        }

        /** Returns whether a text may be a trust domain. */
        public static boolean isTrustDomain(String text) {
            return TRUST_DOMAIN.matcher(text).matches();
        }

        /**
         * Returns whether these tokens may have an issuer and a subject. A token of a trust domain may leave out its issuer, and its subject is in the
         * trust domain (JWT-SVID §3).
         *
         * @param issuerOfToken the issuer that the token names; empty if it names none
         */
        public boolean mayHave(String issuerOfToken, String subject) {
            return trustDomain.isEmpty()
                    ? issuer.equals(issuerOfToken)
                    : (issuerOfToken.isEmpty() || issuer.equals(issuerOfToken))
                            && subject.startsWith("spiffe://" + trustDomain + "/");
        }
    }

    /**
     * The sign-in of people.
     *
     * @param clientId the client id; empty if only workloads have tokens
     * @param scopes the scopes that people request
     */
    public record SignIn(String clientId, String scopes) {}

    /** Returns this provider as the next version of an earlier provider; as the first version if there is none. */
    public IdentityProvider after(Optional<IdentityProvider> before) {
        return new IdentityProvider(
                name,
                tokens,
                signIn,
                grants,
                before.map(IdentityProvider::createdAt).orElse(createdAt),
                before.map(IdentityProvider::version).orElse(0L) + 1);
    }

    public String issuer() {
        return tokens.issuer();
    }

    public List<String> audiences() {
        return tokens.audiences();
    }

    public List<String> algorithms() {
        return tokens.algorithms();
    }

    public String jwks() {
        return tokens.jwks();
    }

    public String trustDomain() {
        return tokens.trustDomain();
    }

    public String clientId() {
        return signIn.clientId();
    }

    public String scopes() {
        return signIn.scopes();
    }
}
