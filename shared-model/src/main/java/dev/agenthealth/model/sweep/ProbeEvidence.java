package dev.agenthealth.model.sweep;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/**
 * The evidence of all probes about the network between the registry and watched agents. Immutable.
 *
 * @param sample the latest results
 * @param inconclusiveSince the moment from which most probes failed at once; {@link Instant#MIN} while probes are conclusive
 * @param conclusiveFrom the moment at which probes became conclusive again; silence of watched agents before it does not count; initially
 *     {@link Instant#EPOCH}
 */
public record ProbeEvidence(ProbeSample sample, Instant inconclusiveSince, Instant conclusiveFrom) {

    /** The evidence before the first probe. */
    public static final ProbeEvidence NONE = new ProbeEvidence(ProbeSample.EMPTY, Instant.MIN, Instant.EPOCH);

    /** The maximum time for which simultaneous failures of most agents do not count while others answer. */
    public static final Duration MAX_TROUBLE = Duration.ofHours(6);

    /** Returns whether failed probes prove nothing about agents. */
    public boolean isInconclusive() {
        return inconclusiveSince.isAfter(Instant.MIN);
    }

    /**
     * Returns the moment from which the silence of watched agents counts. While some agents answer, the network works for them. Failures of others
     * that last longer than {@link #MAX_TROUBLE} then count as failures of these agents.
     */
    public Instant silenceCountsFrom(Instant now) {
        if (!isInconclusive()) {
            return conclusiveFrom;
        }
        Instant taken = inconclusiveSince.plus(MAX_TROUBLE);
        return sample.failed() < sample.results().size() && taken.isBefore(now) ? taken : now;
    }

    /** Returns the evidence with silence that counts from now, if a clock that ran ahead wrote a later moment. */
    ProbeEvidence bounded(Duration maxAhead, Instant now) {
        return new ProbeEvidence(sample, inconclusiveSince, ClockRule.bounded(conclusiveFrom, maxAhead, now));
    }

    /** Returns the evidence with a later sample. A change is always after the previous one, even if another server with another clock wrote that. */
    public ProbeEvidence with(ProbeSample later, Instant now) {
        if (later.isInconclusive() == isInconclusive()) {
            return new ProbeEvidence(later, inconclusiveSince, conclusiveFrom);
        }
        Instant changed = isInconclusive() ? inconclusiveSince : conclusiveFrom;
        Instant at = now.isAfter(changed) ? now : changed.plusMillis(1);
        return isInconclusive()
                ? new ProbeEvidence(later, Instant.MIN, at)
                : new ProbeEvidence(later, at, conclusiveFrom);
    }
}
