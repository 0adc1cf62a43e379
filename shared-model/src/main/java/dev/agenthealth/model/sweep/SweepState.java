package dev.agenthealth.model.sweep;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The state that one pass of the sweep leaves for the next; everything else is recomputed from the rows.
 *
 * @param graceFrom silence before this moment does not count; only rises, unless a clock ran ahead; initially {@link Instant#EPOCH}
 * @param blackoutSince when the self-check began to fail; {@link Instant#MIN} while it succeeds
 * @param inconclusiveSince since when limits refuse the heartbeats of the self-check; {@link Instant#MIN} if they do not
 * @param massSilenceSince when the mass silence began; {@link Instant#MIN} outside of one
 * @param massRestartSince when a mass restart began to postpone deaths; {@link Instant#MIN} outside of one
 * @param fleetSize monitored agents at the last count, 0 before the first
 * @param firstStartedAt when the first pass ever started; {@link Instant#MIN} if there was none
 * @param startedAt when the pass before this one started, or was last known to be sweeping; {@link Instant#MIN} if there was none
 * @param markedThrough the start of the last pass that is known to have marked every agent whose status had changed; {@link Instant#MIN} if none is
 * @param daysThrough the start of the last pass that is known to have stored every day of an agent that was due; {@link Instant#MIN} if none is
 * @param probes what probes show about the network
 * @param clock whether a step of the clock has effects
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
        ProbeEvidence probes,
        ClockEpisode clock) {

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
        return !ClockRule.isTooFarAhead(startedAt, ON_TIME, now) && !startedAt.isBefore(now.minus(ON_TIME));
    }

    /** Returns the moment from which silence counts: now, if the registry fails its self-check or the sweep has not run since an outage. */
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

    /** Returns whether a clock that ran ahead left times in the state that delay something. */
    public boolean isAhead(Duration maxAhead, Instant now) {
        return !bounded(maxAhead, now).equals(this);
    }

    /**
     * Returns the state without times that lie ahead: silence counts from now, and passes look back as the first one does.
     *
     * @param maxAhead the maximum difference between the clocks of two passes
     */
    public SweepState bounded(Duration maxAhead, Instant now) {
        return new SweepState(
                ClockRule.bounded(graceFrom, maxAhead, now),
                blackoutSince,
                inconclusiveSince,
                massSilenceSince,
                massRestartSince,
                fleetSize,
                firstStartedAt,
                startedAt,
                ClockRule.isTooFarAhead(markedThrough, maxAhead, now) ? Instant.MIN : markedThrough,
                ClockRule.isTooFarAhead(daysThrough, maxAhead, now) ? Instant.MIN : daysThrough,
                probes.bounded(maxAhead, now),
                clock);
    }

    /** Returns the latest time of the state that may delay something; {@link Instant#MIN} for none. */
    public Instant latest() {
        return Stream.of(graceFrom, markedThrough, daysThrough, probes.conclusiveFrom())
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
    }

    /** Returns the state with a grace period from this moment, or from the earlier one if that is later. */
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
                        probes,
                        clock)
                : this;
    }
}
