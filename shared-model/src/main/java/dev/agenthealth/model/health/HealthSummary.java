package dev.agenthealth.model.health;

import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import java.time.Instant;

/**
 * The part of an agent's health on its row, so that the sweep adds up the fleet from the rows it reads anyway.
 *
 * @param measured the health status by the outcomes alone, as it was last computed
 * @param hundredths the score in hundredths of a point, 0 to 10,000, or {@link #INACTIVE}
 * @param providerNumber number of the agent's provider; {@link GroupNumber#NONE} for none
 * @param platformNumber number of the platform it runs on; {@link GroupNumber#NONE} for none
 * @param restartsDegradeUntil until when its restarts alone make it degraded; {@link Instant#EPOCH} where they do not
 */
public record HealthSummary(
        HealthStatus measured, int hundredths, long providerNumber, long platformNumber, Instant restartsDegradeUntil) {

    /** In place of the score of an agent without any execution in its window. */
    public static final int INACTIVE = -1;

    /** The highest score, 100 points, in hundredths. */
    public static final int MAX_HUNDREDTHS = 10_000;

    /** Decimals of a score in hundredths. */
    public static final int DECIMALS = 2;

    /** The summary of an agent whose health was never computed, and which names neither provider nor platform. */
    public static final HealthSummary NONE =
            new HealthSummary(HealthStatus.UNKNOWN, INACTIVE, GroupNumber.NONE, GroupNumber.NONE, Instant.EPOCH);

    public HealthSummary {
        if (hundredths < INACTIVE || hundredths > MAX_HUNDREDTHS) {
            throw new IllegalArgumentException("a score of " + hundredths + " hundredths");
        }
    }

    /** Returns whether there is no score. */
    public boolean isInactive() {
        return hundredths == INACTIVE;
    }

    /** The health status of an agent in this lifecycle status. */
    public HealthStatus status(LifecycleStatus lifecycle) {
        return measured.under(lifecycle);
    }

    /** Returns this summary of an agent of this provider on this platform; either may be empty. */
    public HealthSummary in(String providerId, String platform) {
        return new HealthSummary(
                measured, hundredths, GroupNumber.of(providerId), GroupNumber.of(platform), restartsDegradeUntil);
    }

    /** Returns this summary of an agent with these restarts. */
    public HealthSummary after(Restarts restarts) {
        return new HealthSummary(measured, hundredths, providerNumber, platformNumber, restarts.degradeUntil());
    }
}
