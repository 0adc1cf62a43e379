package dev.agenthealth.model.profile;

import java.time.Duration;
import java.time.Instant;

/**
 * What the probes of a watched agent found.
 *
 * @param failure why the last one failed, in a few words; empty where it succeeded
 * @param since when the first of the probes ended that found the same
 * @param at when the last of them ended, up to {@link #REFRESH} ago
 * @param declared what the agent's health document says; empty without one
 * @param millis how long that answer took
 * @param certificateEnds when the certificate of the host ends; {@link Instant#EPOCH} without one
 */
public record ProbeState(
        String failure, Instant since, Instant at, String declared, long millis, Instant certificateEnds) {

    /** No probe has ended. */
    public static final ProbeState NONE = new ProbeState("", Instant.EPOCH, Instant.EPOCH, "", 0, Instant.EPOCH);

    /** A state that does not change is written so often. */
    public static final Duration REFRESH = Duration.ofMinutes(5);

    /** Returns whether any probe has ended. */
    public boolean isKnown() {
        return at.isAfter(Instant.EPOCH);
    }

    /** Returns whether the last probe failed. */
    public boolean isFailing() {
        return !failure.isEmpty();
    }

    /** Returns the state after a probe that found {@code found}, of which the moment in {@code since} does not count. */
    public ProbeState then(ProbeState found) {
        boolean same = isKnown() && failure.equals(found.failure) && declared.equals(found.declared);
        return new ProbeState(
                found.failure,
                same ? since : found.at,
                found.at,
                found.declared,
                found.millis,
                found.certificateEnds.isAfter(Instant.EPOCH) ? found.certificateEnds : certificateEnds);
    }

    /** Returns whether a later state is worth a write: another result, or an old one. */
    public boolean isOutdatedBy(ProbeState later) {
        return !later.since.equals(since) || !later.at.isBefore(at.plus(REFRESH));
    }
}
