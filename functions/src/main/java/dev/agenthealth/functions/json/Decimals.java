package dev.agenthealth.functions.json;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Numbers with a fraction as they are shown: never with an exponent, which not every reader takes. */
public final class Decimals {

    /** With more decimals, a small number would be written with an exponent. */
    private static final int MAX_DECIMALS = 6;

    private static final BigDecimal SMALLEST = BigDecimal.ONE.movePointLeft(MAX_DECIMALS);

    private Decimals() {}

    /** A share from 0 to 1 in all its digits; one below a millionth, but above 0, is shown as a millionth. */
    public static BigDecimal share(double share) {
        BigDecimal exact = BigDecimal.valueOf(share);
        return exact.signum() > 0 && exact.compareTo(SMALLEST) < 0 ? SMALLEST : exact;
    }

    /**
     * A number rounded half up, without zeros at its end.
     *
     * @param decimals at most so many, up to 6
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
