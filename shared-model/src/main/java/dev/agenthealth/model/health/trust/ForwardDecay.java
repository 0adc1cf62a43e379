package dev.agenthealth.model.health.trust;

import java.time.Duration;
import java.time.Instant;

/**
 * Evidence that loses half of its worth every 30 days without any update.
 *
 * <p>A new outcome has a weight that doubles every 30 days. A reader divides the sum by the weight of the day of reading. So evidence is only ever
 * added, in any order, and nothing has to be aged.
 *
 * <p>Weights would grow without bounds. Therefore they start again with every <em>era</em> of 360 days, and each era has its own sum. Days are days
 * of UTC.
 */
final class ForwardDecay {

    /** The weight on the first day of an era. Weights are rounded to whole numbers, which changes them by at most one in two million. */
    private static final double FIRST_WEIGHT = 1_000_000;

    private static final int HALF_LIFE_DAYS = 30;
    private static final int ERA_DAYS = 12 * HALF_LIFE_DAYS;

    private ForwardDecay() {}

    /** Returns the number of the era of a moment. */
    static long era(Instant at) {
        return Math.floorDiv(day(at), ERA_DAYS);
    }

    /** Returns the weight that an outcome of this moment adds to the sum of its era. */
    static long weight(Instant at) {
        return Math.round(FIRST_WEIGHT * doublings(Math.floorMod(day(at), ERA_DAYS)));
    }

    /** Returns the worth of an era's sum at a moment, in outcomes of that day. */
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
