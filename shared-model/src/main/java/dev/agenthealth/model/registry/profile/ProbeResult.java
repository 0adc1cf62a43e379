package dev.agenthealth.model.registry.profile;

import java.time.Instant;
import java.util.Optional;

/**
 * The result of one probe of a watched agent.
 *
 * @param at the end of the probe
 * @param failure the reason for a failure, in a few words; empty after a success
 * @param declared the status in the agent's health document; empty without a document
 * @param millis the duration of the answer
 * @param certificateEnds the end of the host's certificate; {@link Instant#EPOCH} if the probe saw none
 * @param signature the result of verifying the signatures of the agent card; empty without a card
 * @param declaration the digest of the agent's declaration; empty if the probe did not see it
 */
public record ProbeResult(
        Instant at,
        String failure,
        String declared,
        long millis,
        Instant certificateEnds,
        Optional<CardSignature> signature,
        String declaration) {

    /** Creates a result without a card. */
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
