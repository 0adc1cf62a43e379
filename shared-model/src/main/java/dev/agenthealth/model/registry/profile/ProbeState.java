package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The results of the probes of a watched agent.
 *
 * @param failure why the last one failed, in a few words; empty where it succeeded
 * @param since when the first of the probes ended that found the same
 * @param failingSince when the first of the probes ended that failed one after the other, for whatever reason; {@link Instant#EPOCH} where
 *     the last one succeeded
 * @param at when the last of them ended; where it succeeded, up to {@link #REFRESH} ago
 * @param declared what the agent's health document says; empty without one
 * @param millis how long that answer took
 * @param certificateEnds when the certificate of the host ends; {@link Instant#EPOCH} without one
 * @param signature what the signatures of the agent's card are worth that was read last; empty without a card
 * @param declaration the digest of what the last answer declared; empty where it declared nothing that could be read
 * @param warning the last event about the end of a certificate
 * @param responses how long the answers took that were stored
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

    /** No probe has ended. */
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

    /** The state of an agent that keeps answering is written so often. */
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

    /** Returns whether a later state is worth a write: a failure, which is evidence of a silence, another result or declaration, a warning, or an old one. */
    public boolean isOutdatedBy(ProbeState later) {
        return later.isFailing()
                || !later.since.equals(since)
                || !later.declaration.equals(declaration)
                || later.isWarningAfter(this)
                || ClockRule.hasPassed(at, REFRESH, later.at);
    }

    /** Returns whether the end of the certificate is to be published with the change from an earlier state. */
    public boolean isWarningAfter(ProbeState earlier) {
        return !warning.equals(earlier.warning);
    }
}
