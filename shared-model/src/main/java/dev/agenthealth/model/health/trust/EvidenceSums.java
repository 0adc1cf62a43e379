package dev.agenthealth.model.health.trust;

import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import java.math.BigInteger;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sums of outcomes: one sum of successes and one sum of failures per era (see {@link ForwardDecay}). The sums are whole numbers, so that the order
 * of additions does not matter.
 *
 * @param good the sums of the successes by era, without eras that have none
 * @param bad the sums of the failures by era, without eras that have none
 */
public record EvidenceSums(Map<Long, BigInteger> good, Map<Long, BigInteger> bad) {

    /** The sums without any outcome. */
    public static final EvidenceSums NONE = new EvidenceSums(Map.of(), Map.of());

    public EvidenceSums {
        good = Map.copyOf(good);
        bad = Map.copyOf(bad);
    }

    /** Returns the sums of one outcome. */
    public static EvidenceSums of(boolean success, Instant at) {
        Map<Long, BigInteger> sum = Map.of(ForwardDecay.era(at), BigInteger.valueOf(ForwardDecay.weight(at)));
        return success ? new EvidenceSums(sum, Map.of()) : new EvidenceSums(Map.of(), sum);
    }

    /**
     * Returns the sums of a reported outcome. Only reports of coordinators count: an agent's own reports do not, and outcomes of the gateway are no
     * reports. A trigger failure does not count.
     */
    public static EvidenceSums reported(OutcomeSource by, OutcomeResult result, Instant at) {
        return by == OutcomeSource.COORDINATOR && result != OutcomeResult.TRIGGER_FAILURE
                ? of(result == OutcomeResult.SUCCESS, at)
                : NONE;
    }

    /** Returns the sums of all outcomes of both. */
    public EvidenceSums plus(EvidenceSums other) {
        return new EvidenceSums(plus(good, other.good), plus(bad, other.bad));
    }

    /** Returns whether there is no outcome at all. */
    public boolean isNone() {
        return good.isEmpty() && bad.isEmpty();
    }

    /** Returns the evidence at a moment, at which older outcomes weigh less. */
    public Evidence at(Instant now) {
        return new Evidence(worth(good, now), worth(bad, now));
    }

    private static Map<Long, BigInteger> plus(Map<Long, BigInteger> one, Map<Long, BigInteger> other) {
        Map<Long, BigInteger> sums = new HashMap<>(one);
        other.forEach((era, sum) -> sums.merge(era, sum, BigInteger::add));
        return sums;
    }

    private static double worth(Map<Long, BigInteger> sums, Instant now) {
        double worth = 0;
        // Sums of fractions depend on the order of the additions, so the order is fixed.
        for (Map.Entry<Long, BigInteger> sum : new TreeMap<>(sums).entrySet()) {
            worth += ForwardDecay.worth(sum.getValue().doubleValue(), sum.getKey(), now);
        }
        return worth;
    }
}
