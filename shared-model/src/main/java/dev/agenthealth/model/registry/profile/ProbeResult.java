package dev.agenthealth.model.registry.profile;

import java.time.Instant;
import java.util.Optional;

/**
 * The result of one probe of a watched agent.
 *
 * @param at when it ended
 * @param failure why it failed, in a few words; empty where it succeeded
 * @param declared what the agent's health document says; empty without one
 * @param millis how long the answer took
 * @param certificateEnds when the certificate of the host ends; {@link Instant#EPOCH} where the probe saw none
 * @param signature what the signatures of the agent's card are worth; empty without a card
 * @param declaration the digest of what the agent declares; empty where the probe did not see that
 */
public record ProbeResult(
        Instant at,
        String failure,
        String declared,
        long millis,
        Instant certificateEnds,
        Optional<CardSignature> signature,
        String declaration) {

    /** A result without a card. */
    public ProbeResult(Instant at, String failure, String declared, long millis, Instant certificateEnds) {
        this(at, failure, declared, millis, certificateEnds, Optional.empty(), "");
    }

    /** Returns whether the agent counts as alive. */
    public boolean isAlive() {
        return failure.isEmpty();
    }

    /** Returns whether the probe saw a certificate. */
    public boolean hasCertificate() {
        return certificateEnds.isAfter(Instant.EPOCH);
    }
}
