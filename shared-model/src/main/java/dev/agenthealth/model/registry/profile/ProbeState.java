package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The results of the probes of a watched agent.
 *
 * @param failure the reason for the failure of the last probe, in a few words; empty after a success
 * @param since the end of the first probe with the same result as the last one
 * @param failingSince the end of the first probe in the present series of failures, for any reason; {@link Instant#EPOCH} after a success
 * @param at the end of the last probe; after a success, up to {@link #REFRESH} earlier
 * @param declared the status in the agent's health document; empty without a document
 * @param millis the duration of the last answer
 * @param certificateEnds the end of the host's certificate; {@link Instant#EPOCH} without a certificate
 * @param signature the result of verifying the signatures of the last agent card; empty without a card
 * @param declaration the digest of the last readable declaration; empty without one
 * @param warning the last event about the end of a certificate
 * @param responses the durations of the stored answers
 */
public record ProbeState(
        String failure,
        Instant since,
        Instant failingSince,
        Instant at,
        String declared,
        long millis,
        Instant certificateEnds,
        Optional<CardSignature> signature,
        String declaration,
        CertificateWarning warning,
        ResponseTimes responses) {

    /** The state before the first probe. */
    public static final ProbeState NONE = new ProbeState(
            "",
            Instant.EPOCH,
            Instant.EPOCH,
            Instant.EPOCH,
            "",
            0,
            Instant.EPOCH,
            Optional.empty(),
            "",
            CertificateWarning.NONE,
            ResponseTimes.NONE);

    /** The time between two writes of the state while the agent keeps answering. */
    public static final Duration REFRESH = Duration.ofMinutes(5);

    /** Returns whether any probe has ended. */
    public boolean isKnown() {
        return at.isAfter(Instant.EPOCH);
    }

    /** Returns whether the last probe failed. */
    public boolean isFailing() {
        return !failure.isEmpty();
    }

    /** Returns whether any probe has succeeded. */
    public boolean hasAnswered() {
        return !responses.byHour().isEmpty();
    }

    /** Returns the state after a probe. */
    public ProbeState then(ProbeResult found) {
        Optional<CardSignature> signed =
                found.isAlive() ? found.signature() : found.signature().or(() -> signature);
        boolean same = isKnown()
                && failure.equals(found.failure())
                && declared.equals(found.declared())
                && signature.equals(signed);
        return new ProbeState(
                found.failure(),
                same ? ClockRule.bounded(since, Duration.ZERO, found.at()) : found.at(),
                found.isAlive()
                        ? Instant.EPOCH
                        : isFailing() ? ClockRule.bounded(failingSince, Duration.ZERO, found.at()) : found.at(),
                found.at(),
                found.declared(),
                found.millis(),
                found.hasCertificate() ? found.certificateEnds() : certificateEnds,
                signed,
                found.isAlive() ? found.declaration() : declaration,
                found.hasCertificate() ? warning.then(found.certificateEnds(), found.at()) : warning,
                found.isAlive() ? responses.with(found.at(), found.millis()) : responses);
    }

    /** Returns whether a later state has to be written: it has a failure, another result or declaration, or a warning, or this state is old. */
    public boolean isOutdatedBy(ProbeState later) {
        return later.isFailing()
                || !later.since.equals(since)
                || !later.declaration.equals(declaration)
                || later.isWarningAfter(this)
                || ClockRule.hasPassed(at, REFRESH, later.at);
    }

    /** Returns whether the change from an earlier state publishes an event about the end of the certificate. */
    public boolean isWarningAfter(ProbeState earlier) {
        return !warning.equals(earlier.warning);
    }
}
