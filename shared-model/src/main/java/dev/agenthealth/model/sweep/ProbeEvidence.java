package dev.agenthealth.model.sweep;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/**
 * The evidence of all probes about the network between registry and watched agents. Immutable.
 *
 * @param sample the last results
 * @param inconclusiveSince when most of them failed at once; {@link Instant#MIN} while they are conclusive
 * @param conclusiveFrom when they became conclusive again: the silence of watched agents before does not count; initially
 *     {@link Instant#EPOCH}
 */
public record ProbeEvidence(ProbeSample sample, Instant inconclusiveSince, Instant conclusiveFrom) {

    /** The evidence before the first probe. */
    public static final ProbeEvidence NONE = new ProbeEvidence(ProbeSample.EMPTY, Instant.MIN, Instant.EPOCH);

    /** So long may most agents fail at once before their failures count, while others answer. */
    public static final Duration MAX_TROUBLE = Duration.ofHours(6);

    /** Returns whether failed probes show nothing about agents. */
    public boolean isInconclusive() {
        return inconclusiveSince.isAfter(Instant.MIN);
    }

    /**
     * Returns the moment from which the silence of watched agents counts. While some agents answer, the network works for them: trouble of others that
     * lasts longer than {@link #MAX_TROUBLE} is taken for theirs.
     */
    public Instant silenceCountsFrom(Instant now) {
        if (!isInconclusive()) {
            return conclusiveFrom;
        }
        Instant taken = inconclusiveSince.plus(MAX_TROUBLE);
        return sample.failed() < sample.results().size() && taken.isBefore(now) ? taken : now;
    }

    /** Returns the evidence in which silence counts from now if a clock that ran ahead says later. */
    ProbeEvidence bounded(Duration maxAhead, Instant now) {
        return new ProbeEvidence(sample, inconclusiveSince, ClockRule.bounded(conclusiveFrom, maxAhead, now));
    }

    /** Returns the evidence with a later sample. A change is after the one before it, which a server with another clock may have noted. */
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
