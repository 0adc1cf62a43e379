package dev.agenthealth.model.health.trust;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The weighted outcomes of an agent or a provider at one moment. Older outcomes weigh less.
 *
 * @param good the weight of the successes, at least 0
 * @param bad the weight of the failures, at least 0
 */
public record Evidence(double good, double bad) {

    /** Nothing is known. */
    public static final Evidence NONE = new Evidence(0, 0);

    private static final int SHOWN_DECIMALS = 4;

    /** The weight of the prior, half successes and half failures. Because of it, a single outcome changes little. */
    private static final double PRIOR = 10;

    /** The number of successes that weigh as much as one failure. */
    private static final double FAILURE_FACTOR = 5;

    public Evidence {
        if (!(good >= 0 && bad >= 0)) {
            throw new IllegalArgumentException("evidence of " + good + " and " + bad);
        }
    }

    /**
     * Returns the reputation (ServiceNet, Trust record fields), from 0 to 1 with four decimals, 0.5 without evidence. It rises with every success
     * and falls with every failure.
     */
    public BigDecimal reputation() {
        double reputation = (PRIOR / 2 + good) / (PRIOR + good + FAILURE_FACTOR * bad);
        BigDecimal rounded = BigDecimal.valueOf(reputation)
                .setScale(SHOWN_DECIMALS, RoundingMode.HALF_UP)
                .stripTrailingZeros();
        return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
    }
}
