package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The results of the probes of a watched agent.
 *
 * @param last the last probe
 * @param series the probes before it with the same result
 * @param certificate the certificate of the host
 * @param card the last agent card
 * @param responses the durations of the stored answers
 */
public record ProbeState(Last last, Series series, Certificate certificate, Card card, ResponseTimes responses) {

    /**
     * The last probe.
     *
     * @param failure the reason for the failure, in a few words; empty after a success
     * @param at the end of the probe; after a success, up to {@link #REFRESH} earlier
     * @param declared the status in the agent's health document; empty without a document
     * @param millis the duration of the answer
     */
    public record Last(String failure, Instant at, String declared, long millis) {}

    /**
     * A series of probes.
     *
     * @param since the end of the first probe with the same result as the last one
     * @param failingSince the end of the first probe in the present series of failures, for any reason; {@link Instant#EPOCH} after a
     *     success
     */
    public record Series(Instant since, Instant failingSince) {}

    /**
     * The certificate of a host.
     *
     * @param ends the end of the certificate; {@link Instant#EPOCH} without a certificate
     * @param warning the last event about the end of a certificate
     */
    public record Certificate(Instant ends, CertificateWarning warning) {

        /** No certificate, and no event about one. */
        public static final Certificate NONE = new Certificate(Instant.EPOCH, CertificateWarning.NONE);
    }

    /**
     * An agent card.
     *
     * @param signature the result of verifying the signatures; empty without a card
     * @param declaration the digest of the last readable declaration; empty without one
     */
    public record Card(Optional<CardSignature> signature, String declaration) {

        /** No card. */
        public static final Card NONE = new Card(Optional.empty(), "");
    }

    /** The state before the first probe. */
    public static final ProbeState NONE = new ProbeState(
            new Last("", Instant.EPOCH, "", 0),
            new Series(Instant.EPOCH, Instant.EPOCH),
            Certificate.NONE,
            Card.NONE,
            ResponseTimes.NONE);

    /** The time between two writes of the state while the agent keeps answering. */
    public static final Duration REFRESH = Duration.ofMinutes(5);

    /** Returns whether any probe has ended. */
    public boolean isKnown() {
        return at().isAfter(Instant.EPOCH);
    }

    /** Returns whether the last probe failed. */
    public boolean isFailing() {
        return !failure().isEmpty();
    }

    /** Returns whether any probe has succeeded. */
    public boolean hasAnswered() {
        return !responses.byHour().isEmpty();
    }

    /** Returns the state after a probe. */
    public ProbeState then(ProbeResult found) {
        Optional<CardSignature> signed =
                found.isAlive() ? found.signature() : found.signature().or(this::signature);
        boolean same = isKnown()
                && failure().equals(found.failure())
                && declared().equals(found.declared())
                && signature().equals(signed);
        Instant failingSince = isFailing() ? ClockRule.bounded(failingSince(), Duration.ZERO, found.at()) : found.at();
        return new ProbeState(
                new Last(found.failure(), found.at(), found.declared(), found.millis()),
                new Series(
                        same ? ClockRule.bounded(since(), Duration.ZERO, found.at()) : found.at(),
                        found.isAlive() ? Instant.EPOCH : failingSince),
                found.hasCertificate()
                        ? new Certificate(found.certificateEnds(), warning().then(found.certificateEnds(), found.at()))
                        : certificate,
                new Card(signed, found.isAlive() ? found.declaration() : declaration()),
                found.isAlive() ? responses.with(found.at(), found.millis()) : responses);
    }

    /** Returns whether a later state has to be written: it has a failure, another result or declaration, or a warning, or this state is old. */
    public boolean isOutdatedBy(ProbeState later) {
        return later.isFailing()
                || !later.since().equals(since())
                || !later.declaration().equals(declaration())
                || later.isWarningAfter(this)
                || ClockRule.hasPassed(at(), REFRESH, later.at());
    }

    /** Returns whether the change from an earlier state publishes an event about the end of the certificate. */
    public boolean isWarningAfter(ProbeState earlier) {
        return !warning().equals(earlier.warning());
    }

    public String failure() {
        return last.failure();
    }

    public Instant at() {
        return last.at();
    }

    public String declared() {
        return last.declared();
    }

    public long millis() {
        return last.millis();
    }

    public Instant since() {
        return series.since();
    }

    public Instant failingSince() {
        return series.failingSince();
    }

    public Instant certificateEnds() {
        return certificate.ends();
    }

    public CertificateWarning warning() {
        return certificate.warning();
    }

    public Optional<CardSignature> signature() {
        return card.signature();
    }

    public String declaration() {
        return card.declaration();
    }
}
