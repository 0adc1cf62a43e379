package dev.agenthealth.model.health;

import dev.agenthealth.model.WireNamed;
import java.math.BigDecimal;

/** Advice for a consumer that is about to call an agent (Agent Health State, Appendix A). The constants are in ascending order of severity. */
public enum CallAdvice implements WireNamed {
    /** Nothing speaks against a call. */
    PROCEED,
    /** Call the agent with a time-out and a fallback, or call another agent. */
    CAUTION,
    /** Call another agent. */
    AVOID;

    /** The reputation below which the advice is caution. An agent without any evidence has this reputation. */
    public static final BigDecimal CAUTIOUS_REPUTATION = new BigDecimal("0.5");

    /** Returns the advice that follows from a verdict alone. */
    public static CallAdvice of(Verdict verdict) {
        return switch (verdict) {
            case OK -> PROCEED;
            case UNKNOWN, DEGRADED -> CAUTION;
            case DOWN, BLOCKED, GONE -> AVOID;
        };
    }

    /** Returns the advice that follows from the public health status alone, for callers that do not see the verdict. */
    public static CallAdvice of(HealthStatus status) {
        return switch (status) {
            case HEALTHY -> PROCEED;
            case DEGRADED, UNKNOWN -> CAUTION;
            case UNHEALTHY -> AVOID;
        };
    }

    /** Returns the advice that follows from a reputation from 0 to 1 alone. It is never {@link #AVOID}: only an operator's block forbids calls. */
    public static CallAdvice ofReputation(BigDecimal reputation) {
        return reputation.compareTo(CAUTIOUS_REPUTATION) < 0 ? CAUTION : PROCEED;
    }

    /** Returns the more severe of two pieces of advice. */
    public CallAdvice or(CallAdvice other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
