package dev.agenthealth.model.identity;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The period in which a token is accepted.
 *
 * @param issuedAt the claim {@code iat}; {@link #UNKNOWN} without it
 * @param notBefore the claim {@code nbf}; {@link Instant#EPOCH} without it
 * @param expiresAt the claim {@code exp}
 */
public record TokenPeriod(Instant issuedAt, Instant notBefore, Instant expiresAt) {

    /** The issue of a token without the claim {@code iat}. Only the token of a workload may leave it out (JWT-SVID §3). */
    public static final Instant UNKNOWN = Instant.MIN;

    /** The maximum difference between the clocks of a provider and the registry. */
    public static final Duration MAX_SKEW = Duration.ofSeconds(60);

    /** The time after which a person needs a new token, so that a change of groups takes effect. */
    public static final Duration MAX_OF_PERSON = Duration.ofMinutes(15);

    /** The maximum time from issue to end of a workload's token. */
    public static final Duration MAX_OF_WORKLOAD = Duration.ofHours(24);

    /** Returns the end of the token. It is accepted for {@link #MAX_SKEW} longer. */
    public Instant end(boolean workload) {
        Instant latest = issuedAt.plus(MAX_OF_PERSON);
        return workload || expiresAt.isBefore(latest) ? expiresAt : latest;
    }

    /** Returns the reason for which the token is not accepted at a moment; empty if it is accepted. */
    public Optional<String> refusal(boolean workload, Instant now) {
        if (!workload && issuedAt.equals(UNKNOWN)) {
            return Optional.of("does not say when it was issued");
        }
        Instant start = issuedAt.equals(UNKNOWN) ? now : issuedAt;
        if (workload && Duration.between(start, expiresAt).compareTo(MAX_OF_WORKLOAD) > 0) {
            return Optional.of("is valid for more than " + MAX_OF_WORKLOAD.toHours() + " hours");
        }
        if (now.isAfter(expiresAt.plus(MAX_SKEW))) {
            return Optional.of("has expired");
        }
        if (now.isAfter(end(workload).plus(MAX_SKEW))) {
            return Optional.of("was issued more than " + MAX_OF_PERSON.toMinutes() + " minutes ago: get a new one");
        }
        Instant latest = now.plus(MAX_SKEW);
        return issuedAt.isAfter(latest) || notBefore.isAfter(latest)
                ? Optional.of("is not valid yet")
                : Optional.empty();
    }
}
