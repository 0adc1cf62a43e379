package dev.agenthealth.model.health;

import dev.agenthealth.model.WireNamed;
import java.math.BigDecimal;

/** An advice on calling an agent now (Agent Health State, Appendix A). Later ones are worse. */
public enum CallAdvice implements WireNamed {
    /** Nothing is known against it. */
    PROCEED,
    /** Call it with a time-out and another agent at hand, or call another one. */
    CAUTION,
    /** Call another agent. */
    AVOID;

    /** The reputation below which to be cautious: that of an agent without any evidence. */
    public static final BigDecimal CAUTIOUS_REPUTATION = new BigDecimal("0.5");

    /** The advice of a verdict alone. */
    public static CallAdvice of(Verdict verdict) {
        return switch (verdict) {
            case OK -> PROCEED;
            case UNKNOWN, DEGRADED -> CAUTION;
            case DOWN, BLOCKED, GONE -> AVOID;
        };
    }

    /** The advice of the public health status alone, for callers that do not see the verdict. */
    public static CallAdvice of(HealthStatus status) {
        return switch (status) {
            case HEALTHY -> PROCEED;
            case DEGRADED, UNKNOWN -> CAUTION;
            case UNHEALTHY -> AVOID;
        };
    }

    /** The advice of a reputation from 0 to 1 alone. It is never to avoid an agent: that is an operator's decision, which is a block. */
    public static CallAdvice ofReputation(BigDecimal reputation) {
        return reputation.compareTo(CAUTIOUS_REPUTATION) < 0 ? CAUTION : PROCEED;
    }

    /** The worse of the two. */
    public CallAdvice or(CallAdvice other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
