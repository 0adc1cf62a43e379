package dev.agenthealth.model.health;

import dev.agenthealth.model.WireNamed;
import java.math.BigInteger;

/** Where the response ratio goes (Agent Health State §4.5). */
public enum CalibrationTrend implements WireNamed {
    STABLE,
    DECLINING,
    IMPROVING;

    /**
     * The trend from one window to the next: a change of the response ratio by more than 0.10, computed without rounding. With fewer than
     * {@value Measurement#MIN_SAMPLES} samples in either window it is stable.
     */
    public static CalibrationTrend between(
            long previousSuccesses, long previousSamples, long currentSuccesses, long currentSamples) {
        if (previousSamples < Measurement.MIN_SAMPLES || currentSamples < Measurement.MIN_SAMPLES) {
            return STABLE;
        }
        // current/n - previous/m > 1/10, multiplied by 10 n m.
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
