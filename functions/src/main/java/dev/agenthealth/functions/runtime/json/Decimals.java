package dev.agenthealth.functions.runtime.json;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Formats decimal numbers in responses without an exponent, because some parsers do not accept an exponent. */
public final class Decimals {

    /** The maximum number of decimals. With more decimals, a small number would be written with an exponent. */
    private static final int MAX_DECIMALS = 6;

    private static final BigDecimal SMALLEST = BigDecimal.ONE.movePointLeft(MAX_DECIMALS);

    private Decimals() {}

    /** Returns a share from 0 to 1 with all its digits. A share between 0 and a millionth becomes a millionth. */
    public static BigDecimal share(double share) {
        BigDecimal exact = BigDecimal.valueOf(share);
        return exact.signum() > 0 && exact.compareTo(SMALLEST) < 0 ? SMALLEST : exact;
    }

    /**
     * Returns a number rounded half up, without trailing zeros.
     *
     * @param decimals the maximum number of decimals, up to 6
     */
    public static BigDecimal rounded(double number, int decimals) {
        if (decimals > MAX_DECIMALS) {
            throw new IllegalArgumentException("no more than " + MAX_DECIMALS + " decimals");
        }
        BigDecimal rounded = BigDecimal.valueOf(number)
                .setScale(decimals, RoundingMode.HALF_UP)
                .stripTrailingZeros();
        return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
    }
}
