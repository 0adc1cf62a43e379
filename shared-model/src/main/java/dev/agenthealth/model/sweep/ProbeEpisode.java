package dev.agenthealth.model.sweep;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/**
 * The time in which failed probes prove nothing about some agents, because most probes failed at once. Immutable.
 *
 * @param inconclusiveSince the moment from which most probes failed at once; {@link Instant#MIN} while probes are conclusive
 * @param conclusiveFrom the moment at which probes became conclusive again; missing answers before it do not count; initially {@link Instant#EPOCH}
 */
public record ProbeEpisode(Instant inconclusiveSince, Instant conclusiveFrom) {

    /** The value before the first episode. */
    public static final ProbeEpisode NONE = new ProbeEpisode(Instant.MIN, Instant.EPOCH);

    /** The maximum time for which simultaneous failures of most agents do not count while others answer. */
    public static final Duration MAX_TROUBLE = Duration.ofHours(6);

    /** Returns whether failed probes prove nothing about the agents. */
    public boolean isInconclusive() {
        return inconclusiveSince.isAfter(Instant.MIN);
    }

    /**
     * Returns the moment from which missing answers of the agents count.
     *
     * @param others whether other agents answer. The network works for them, so that failures that last longer than {@link #MAX_TROUBLE} count as
     *     failures of the agents.
     */
    Instant silenceCountsFrom(boolean others, Instant now) {
        if (!isInconclusive()) {
            return conclusiveFrom;
        }
        Instant taken = inconclusiveSince.plus(MAX_TROUBLE);
        return others && taken.isBefore(now) ? taken : now;
    }

    /** Returns the present episode. A change is always after the previous one, even if another server with another clock wrote that. */
    ProbeEpisode with(boolean inconclusive, Instant now) {
        if (inconclusive == isInconclusive()) {
            return this;
        }
        Instant changed = isInconclusive() ? inconclusiveSince : conclusiveFrom;
        Instant at = now.isAfter(changed) ? now : changed.plusMillis(1);
        return inconclusive ? new ProbeEpisode(at, conclusiveFrom) : new ProbeEpisode(Instant.MIN, at);
    }

    /** Returns the episode in which missing answers count from this moment, unless they count from a later moment. */
    ProbeEpisode notBefore(Instant moment) {
        return moment.isAfter(conclusiveFrom) ? new ProbeEpisode(inconclusiveSince, moment) : this;
    }

    /** Returns the episode in which missing answers count from now, if a clock that ran ahead wrote a later moment. */
    ProbeEpisode bounded(Duration maxAhead, Instant now) {
        return new ProbeEpisode(inconclusiveSince, ClockRule.bounded(conclusiveFrom, maxAhead, now));
    }
}
