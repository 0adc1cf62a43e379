package dev.agenthealth.model.sweep;

import java.time.Duration;
import java.time.Instant;

/**
 * The state that one pass of the sweep leaves for the next; everything else is recomputed from the rows.
 *
 * @param graceFrom silence before this moment does not count; only rises; initially {@link Instant#EPOCH}
 * @param blackoutSince when the self-check began to fail; {@link Instant#MIN} while it succeeds
 * @param inconclusiveSince since when limits refuse the heartbeats of the self-check; {@link Instant#MIN} where they do not
 * @param massSilenceSince when the mass silence began; {@link Instant#MIN} outside of one
 * @param massRestartSince when a mass restart began to postpone deaths; {@link Instant#MIN} outside of one
 * @param fleetSize monitored agents at the last count, 0 before the first
 * @param firstStartedAt when the first pass ever started; {@link Instant#MIN} where there was none
 * @param startedAt when the pass before this one started, or was last known to be sweeping; {@link Instant#MIN} where there was none
 * @param markedThrough the start of the last pass that is known to have marked every agent whose status had changed; {@link Instant#MIN}
 *     where none is
 * @param daysThrough the start of the last pass that is known to have stored every day of an agent that was due; {@link Instant#MIN} where none is
 * @param probes what probes show about the network
 */
public record SweepState(
        Instant graceFrom,
        Instant blackoutSince,
        Instant inconclusiveSince,
        Instant massSilenceSince,
        Instant massRestartSince,
        long fleetSize,
        Instant firstStartedAt,
        Instant startedAt,
        Instant markedThrough,
        Instant daysThrough,
        ProbeEvidence probes) {

    /** The sweep starts at least once a minute; a start that is a minute late is on time. */
    public static final Duration ON_TIME = Duration.ofMinutes(2);

    /** Returns whether a pass has ever started. */
    public boolean hasStarted() {
        return startedAt.isAfter(Instant.MIN);
    }

    /** Returns since when the sweep runs without an outage; {@link Instant#MIN} before the first pass. */
    public Instant runsSince() {
        return graceFrom.isAfter(Instant.EPOCH) ? graceFrom : firstStartedAt;
    }

    /** Returns whether a pass started within {@link #ON_TIME}. */
    public boolean isOnTime(Instant now) {
        return !startedAt.isBefore(now.minus(ON_TIME));
    }

    /** Returns the moment from which silence counts: now, where the registry fails its self-check or the sweep has not run since an outage. */
    public Instant silenceFrom(Instant now) {
        return hasStarted() && (isBlackout() || !isOnTime(now)) ? now : graceFrom;
    }

    public boolean isBlackout() {
        return blackoutSince.isAfter(Instant.MIN);
    }

    public boolean isInconclusive() {
        return inconclusiveSince.isAfter(Instant.MIN);
    }

    public boolean isMassSilence() {
        return massSilenceSince.isAfter(Instant.MIN);
    }

    public boolean isMassRestart() {
        return massRestartSince.isAfter(Instant.MIN);
    }

    /** The state with a grace period from this moment, or from the earlier one where that is later. */
    public SweepState withGraceFrom(Instant moment) {
        return moment.isAfter(graceFrom)
                ? new SweepState(
                        moment,
                        blackoutSince,
                        inconclusiveSince,
                        massSilenceSince,
                        massRestartSince,
                        fleetSize,
                        firstStartedAt,
                        startedAt,
                        markedThrough,
                        daysThrough,
                        probes)
                : this;
    }
}
