package dev.agenthealth.functions.api.identity;

import dev.agenthealth.functions.runtime.http.AccessError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.CallerKind;
import dev.agenthealth.model.identity.Grant;
import dev.agenthealth.model.identity.GrantRule;
import dev.agenthealth.model.identity.IdentityProvider;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.KeyLimits;
import dev.agenthealth.model.identity.Sha256;
import dev.agenthealth.model.identity.TokenPeriod;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Decides whether a token is valid, and what its holder may do. No other class decides this. Thread-safe. */
public final class TokenVerifier {

    private static final int PERSON_DIGITS = 20;
    private static final int MAX_SUBJECT = 1_000;

    private final IdentityProviders providers;
    private final Clock clock;

    public TokenVerifier(IdentityProviders providers, Clock clock) {
        this.providers = providers;
        this.clock = clock;
    }

    /** A token with accepted claims. */
    private record Accepted(Token token, IdentityProvider provider, Optional<Grant> grant) {}

    /**
     * Returns the holder of a token.
     *
     * @throws ApiError 401 if the token is invalid, 403 if nothing is granted to its holder, 503 if the keys of its provider cannot
     *     be read
     */
    public Caller verify(String text) {
        Accepted accepted = accept(text);
        Token token = accepted.token();
        boolean signed = providers.keys(accepted.provider(), token.keyId()).find(token.keyId()).stream()
                .anyMatch(key -> SigningKeys.verifies(key, token));
        if (!signed) {
            throw AccessError.invalidToken("is not signed by a key of its issuer");
        }
        return caller(accepted);
    }

    /**
     * Returns the holder of a token with a signature that was verified before. Everything else is verified again.
     *
     * @throws ApiError 401 if the token is no longer valid, 403 if nothing is granted to its holder any more
     */
    public Caller verifyAgain(String text) {
        return caller(accept(text));
    }

    /**
     * Returns the preferred token of the tokens that a provider gave to a person. The preferred token is the first with a grant, else the
     * first accepted token. Empty if no token is accepted. Signatures are verified when the token is used.
     */
    public Optional<String> preferred(IdentityProvider provider, String... texts) {
        List<Accepted> accepted = Arrays.stream(texts)
                .flatMap(text -> acceptIfValid(text).stream())
                .filter(found -> found.provider().name().equals(provider.name()))
                .toList();
        return accepted.stream()
                .filter(found -> found.grant().isPresent())
                .findFirst()
                .or(() -> accepted.stream().findFirst())
                .map(found -> found.token().text());
    }

    /** Returns the end of a {@link #preferred} token. */
    public Instant end(String text) {
        Accepted accepted = accept(text);
        return accepted.token()
                .period()
                .end(accepted.grant().filter(Grant::isOfWorkloads).isPresent());
    }

    private Optional<Accepted> acceptIfValid(String text) {
        try {
            return Optional.of(accept(text));
        } catch (ApiError refused) {
            return Optional.empty();
        }
    }

    private Accepted accept(String text) {
        Token token = Token.of(text);
        Claims claims = token.claims();
        String issuer = claims.text("iss");
        IdentityProvider provider = providers
                .find(one -> one.tokens().mayHave(issuer, claims.text("sub")))
                .orElseThrow(() -> AccessError.invalidToken(
                        claims.text("sub").startsWith("spiffe://")
                                ? "has an issuer or a trust domain that is not configured"
                                : "has an issuer that is not configured"));
        if (provider.trustDomain().isEmpty() && token.period().issuedAt().equals(TokenPeriod.UNKNOWN)) {
            throw AccessError.invalidToken("has no number of seconds as 'iat'");
        }
        if (!provider.algorithms().contains(token.algorithm())) {
            throw AccessError.invalidToken("is signed with an algorithm that its provider may not use");
        }
        if (Collections.disjoint(claims.values("aud"), provider.audiences())) {
            throw AccessError.invalidToken("is for another audience");
        }
        String subject = claims.text("sub");
        if (subject.isEmpty() || subject.length() > MAX_SUBJECT) {
            throw AccessError.invalidToken("names no subject");
        }
        Optional<Grant> grant = GrantRule.find(provider.grants(), claims::values);
        boolean workload =
                grant.map(Grant::isOfWorkloads).orElse(!provider.trustDomain().isEmpty());
        token.period().refusal(workload, clock.instant()).ifPresent(reason -> {
            throw AccessError.invalidToken(reason);
        });
        return new Accepted(token, provider, grant);
    }

    private static Caller caller(Accepted accepted) {
        Grant grant = accepted.grant()
                .orElseThrow(() -> AccessError.notGranted(accepted.provider().name()));
        Token token = accepted.token();
        boolean workload = grant.isOfWorkloads();
        String person = accepted.provider().issuer() + "\0" + token.claims().text("sub");
        return new Caller(
                workload
                        ? grant.ownerKeyId()
                        : Grant.PERSON
                                + HexFormat.of().formatHex(Sha256.of(person)).substring(0, PERSON_DIGITS),
                workload ? CallerKind.WORKLOAD : CallerKind.PERSON,
                token.claims().shownName(workload),
                grant.role(),
                grant.roleIds(),
                KeyHash.ofKey(token.text()),
                Optional.of(token.period().end(workload)),
                KeyLimits.NONE);
    }
}
