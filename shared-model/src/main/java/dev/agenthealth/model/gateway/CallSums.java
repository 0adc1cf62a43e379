package dev.agenthealth.model.gateway;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The sums of the calls of one caller to one agent in a window.
 *
 * @param calls the number of finished calls of the agent
 * @param failures the number of calls that failed
 */
public record CallSums(long calls, long failures) {

    /** No call. */
    public static final CallSums NONE = new CallSums(0, 0);

    private static final int RATE_DECIMALS = 4;

    public CallSums plus(CallSums other) {
        return new CallSums(calls + other.calls, failures + other.failures);
    }

    /** Returns the share of failed calls, rounded to {@value #RATE_DECIMALS} decimals; 0 without a call. */
    public BigDecimal failureRate() {
        return calls == 0
                ? BigDecimal.ZERO
                : BigDecimal.valueOf(failures).divide(BigDecimal.valueOf(calls), RATE_DECIMALS, RoundingMode.HALF_UP);
    }
}
