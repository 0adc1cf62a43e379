package dev.agenthealth.model.health;

import dev.agenthealth.model.WireNamed;
import java.math.BigInteger;

/** The direction in which the response ratio changes from one window to the next (Agent Health State §4.5). */
public enum CalibrationTrend implements WireNamed {
    STABLE,
    DECLINING,
    IMPROVING;

    /**
     * Returns the trend from one window to the next. The ratio must change by more than 0.10, computed without rounding. The trend is stable if
     * either window has fewer than {@value Measurement#MIN_SAMPLES} samples.
     */
    public static CalibrationTrend between(
            long previousSuccesses, long previousSamples, long currentSuccesses, long currentSamples) {
        if (previousSamples < Measurement.MIN_SAMPLES || currentSamples < Measurement.MIN_SAMPLES) {
            return STABLE;
        }
        // Compares current/n - previous/m with 1/10, both multiplied by 10 n m.
        BigInteger change = BigInteger.valueOf(currentSuccesses)
                .multiply(BigInteger.valueOf(previousSamples))
                .subtract(BigInteger.valueOf(previousSuccesses).multiply(BigInteger.valueOf(currentSamples)))
                .multiply(BigInteger.TEN);
        BigInteger bound = BigInteger.valueOf(currentSamples).multiply(BigInteger.valueOf(previousSamples));
        if (change.abs().compareTo(bound) <= 0) {
            return STABLE;
        }
        return change.signum() < 0 ? DECLINING : IMPROVING;
    }
}
