package dev.agenthealth.model.sweep;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The state that one pass of the sweep leaves for the next pass. Everything else is computed from the rows again.
 *
 * @param graceFrom the moment from which missing heartbeats count; it only rises, unless a clock ran ahead; initially {@link Instant#EPOCH}
 * @param episodes the episodes that have not ended
 * @param fleetSize the number of monitored agents at the last count; 0 before the first count
 * @param passes the earlier passes
 * @param probes the evidence of probes about the network
 * @param clock the effects of a step of the clock
 */
public record SweepState(
        Instant graceFrom, Episodes episodes, long fleetSize, Passes passes, ProbeEvidence probes, ClockEpisode clock) {

    /**
     * The episodes that have not ended.
     *
     * @param blackoutSince the moment from which the self-check failed; {@link Instant#MIN} while it succeeds
     * @param inconclusiveSince the moment from which limits refused the heartbeats of the self-check; {@link Instant#MIN} if they do not
     * @param massSilenceSince the beginning of the mass silence; {@link Instant#MIN} outside of one
     * @param massRestartSince the moment from which a mass restart postpones deaths; {@link Instant#MIN} outside of one
     */
    public record Episodes(
            Instant blackoutSince, Instant inconclusiveSince, Instant massSilenceSince, Instant massRestartSince) {}

    /**
     * The earlier passes. A time is {@link Instant#MIN} without such a pass.
     *
     * @param firstStartedAt the start of the very first pass
     * @param startedAt the start of the previous pass, or the moment at which it was last known to be sweeping
     * @param markedThrough the start of the last pass that is known to have marked every agent with a changed status
     * @param daysThrough the start of the last pass that is known to have stored every due day of an agent
     */
    public record Passes(Instant firstStartedAt, Instant startedAt, Instant markedThrough, Instant daysThrough) {

        private Passes bounded(Duration maxAhead, Instant now) {
            return new Passes(
                    firstStartedAt,
                    startedAt,
                    ClockRule.isTooFarAhead(markedThrough, maxAhead, now) ? Instant.MIN : markedThrough,
                    ClockRule.isTooFarAhead(daysThrough, maxAhead, now) ? Instant.MIN : daysThrough);
        }
    }

    /** The maximum time between two starts of the sweep that are on time. It starts at least once per minute, and may be a minute late. */
    public static final Duration ON_TIME = Duration.ofMinutes(2);

    /** Returns whether a pass has ever started. */
    public boolean hasStarted() {
        return startedAt().isAfter(Instant.MIN);
    }

    /** Returns the moment from which the sweep has run without an outage; {@link Instant#MIN} before the first pass. */
    public Instant runsSince() {
        return graceFrom.isAfter(Instant.EPOCH) ? graceFrom : firstStartedAt();
    }

    /** Returns whether a pass started within {@link #ON_TIME}. */
    public boolean isOnTime(Instant now) {
        return !ClockRule.isTooFarAhead(startedAt(), ON_TIME, now)
                && !startedAt().isBefore(now.minus(ON_TIME));
    }

    /**
     * Returns the moment from which missing heartbeats count. It is now if the registry fails its self-check, or the sweep has not run since an
     * outage.
     */
    public Instant silenceFrom(Instant now) {
        return hasStarted() && (isBlackout() || !isOnTime(now)) ? now : graceFrom;
    }

    public boolean isBlackout() {
        return episodes.blackoutSince().isAfter(Instant.MIN);
    }

    public boolean isInconclusive() {
        return episodes.inconclusiveSince().isAfter(Instant.MIN);
    }

    public boolean isMassSilence() {
        return episodes.massSilenceSince().isAfter(Instant.MIN);
    }

    public boolean isMassRestart() {
        return episodes.massRestartSince().isAfter(Instant.MIN);
    }

    /** Returns whether the state has times from a clock that ran ahead, which delay something. */
    public boolean isAhead(Duration maxAhead, Instant now) {
        return !bounded(maxAhead, now).equals(this);
    }

    /**
     * Returns the state without times in the future. Missing heartbeats count from now, and passes look back like the first pass.
     *
     * @param maxAhead the maximum difference between the clocks of two passes
     */
    public SweepState bounded(Duration maxAhead, Instant now) {
        return new SweepState(
                ClockRule.bounded(graceFrom, maxAhead, now),
                episodes,
                fleetSize,
                passes.bounded(maxAhead, now),
                probes.bounded(maxAhead, now),
                clock);
    }

    /** Returns the latest time in the state that may delay something; {@link Instant#MIN} without one. */
    public Instant latest() {
        return Stream.of(graceFrom, markedThrough(), daysThrough(), probes.latest())
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
    }

    /** Returns the state with a grace period from a moment, or from the present one if that is later. */
    public SweepState withGraceFrom(Instant moment) {
        return moment.isAfter(graceFrom) ? new SweepState(moment, episodes, fleetSize, passes, probes, clock) : this;
    }

    public Instant blackoutSince() {
        return episodes.blackoutSince();
    }

    public Instant inconclusiveSince() {
        return episodes.inconclusiveSince();
    }

    public Instant massSilenceSince() {
        return episodes.massSilenceSince();
    }

    public Instant massRestartSince() {
        return episodes.massRestartSince();
    }

    public Instant firstStartedAt() {
        return passes.firstStartedAt();
    }

    public Instant startedAt() {
        return passes.startedAt();
    }

    public Instant markedThrough() {
        return passes.markedThrough();
    }

    public Instant daysThrough() {
        return passes.daysThrough();
    }
}
