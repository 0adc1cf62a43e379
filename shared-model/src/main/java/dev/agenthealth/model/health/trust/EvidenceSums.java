package dev.agenthealth.model.health.trust;

import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import java.math.BigInteger;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Outcomes as they are added up: a sum for each era (see {@link ForwardDecay}) of the successes and one of the failures. Whole numbers, so that
 * it makes no difference in which order, or in how many pieces, outcomes are added.
 *
 * @param good sums of the successes by era, of the eras that have any
 * @param bad sums of the failures by era, of the eras that have any
 */
public record EvidenceSums(Map<Long, BigInteger> good, Map<Long, BigInteger> bad) {

    /** No outcome at all. */
    public static final EvidenceSums NONE = new EvidenceSums(Map.of(), Map.of());

    public EvidenceSums {
        good = Map.copyOf(good);
        bad = Map.copyOf(bad);
    }

    /** The sums of one outcome. */
    public static EvidenceSums of(boolean success, Instant at) {
        Map<Long, BigInteger> sum = Map.of(ForwardDecay.era(at), BigInteger.valueOf(ForwardDecay.weight(at)));
        return success ? new EvidenceSums(sum, Map.of()) : new EvidenceSums(Map.of(), sum);
    }

    /**
     * The sums of a reported outcome. Only reports of coordinators count: those of the agent itself do not, and the gateway's own outcomes are
     * no reports. A trigger failure does not count.
     */
    public static EvidenceSums reported(OutcomeSource by, OutcomeResult result, Instant at) {
        return by == OutcomeSource.COORDINATOR && result != OutcomeResult.TRIGGER_FAILURE
                ? of(result == OutcomeResult.SUCCESS, at)
                : NONE;
    }

    /** All outcomes of both. */
    public EvidenceSums plus(EvidenceSums other) {
        return new EvidenceSums(plus(good, other.good), plus(bad, other.bad));
    }

    /** Returns whether there is no outcome at all. */
    public boolean isNone() {
        return good.isEmpty() && bad.isEmpty();
    }

    /** The evidence at a moment, after older outcomes lost weight. */
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
        // In the order of time: a sum of fractions depends on the order.
        for (Map.Entry<Long, BigInteger> sum : new TreeMap<>(sums).entrySet()) {
            worth += ForwardDecay.worth(sum.getValue().doubleValue(), sum.getKey(), now);
        }
        return worth;
    }
}
