package dev.agenthealth.model.health.trust;

import java.time.Duration;
import java.time.Instant;

/**
 * Evidence that loses half of its worth every 30 days without being touched. What arrives is counted with a weight that doubles every 30
 * days, and a sum is divided by the weight of the day on which it is read. So evidence is only ever added to, in any order, and nothing
 * has to be aged. Since weights would grow without bounds, they start again with every <em>era</em> of 360 days, and each era has a sum of its
 * own. Days are those of UTC.
 */
final class ForwardDecay {

    /** The weight on the first day of an era; rounded to whole numbers, weights are off by no more than one in two million. */
    private static final double FIRST_WEIGHT = 1_000_000;

    private static final int HALF_LIFE_DAYS = 30;
    private static final int ERA_DAYS = 12 * HALF_LIFE_DAYS;

    private ForwardDecay() {}

    /** The number of the era of a moment. */
    static long era(Instant at) {
        return Math.floorDiv(day(at), ERA_DAYS);
    }

    /** The weight that one outcome of this moment adds to the sum of its era. */
    static long weight(Instant at) {
        return Math.round(FIRST_WEIGHT * doublings(Math.floorMod(day(at), ERA_DAYS)));
    }

    /** The worth of a sum of one era at a moment, in outcomes of that day. */
    static double worth(double sum, long era, Instant now) {
        return sum / FIRST_WEIGHT / doublings(day(now) - era * ERA_DAYS);
    }

    private static double doublings(long days) {
        return Math.pow(2, (double) days / HALF_LIFE_DAYS);
    }

    private static long day(Instant at) {
        return Math.floorDiv(at.getEpochSecond(), Duration.ofDays(1).toSeconds());
    }
}
