package dev.agenthealth.model.health;

import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import java.time.Instant;

/**
 * The part of an agent's health on its row. The sweep reads all rows anyway, and so computes statistics of the fleet from these parts.
 *
 * @param measured the last computed health status by the outcomes alone
 * @param hundredths the score in hundredths of a point, 0 to 10,000, or {@link #INACTIVE}
 * @param providerNumber the number of the agent's provider; {@link GroupNumber#NONE} without a provider
 * @param platformNumber the number of the agent's platform; {@link GroupNumber#NONE} without a platform
 * @param lowQuality whether the quality of the executions is below the minimum that the agent declares
 * @param restartsDegradeUntil the moment until which restarts alone degrade the agent; {@link Instant#EPOCH} if they do not
 */
public record HealthSummary(
        HealthStatus measured,
        int hundredths,
        long providerNumber,
        long platformNumber,
        boolean lowQuality,
        Instant restartsDegradeUntil) {

    /** The value that replaces the score of an agent without executions in its window. */
    public static final int INACTIVE = -1;

    /** The highest score, 100 points, in hundredths. */
    public static final int MAX_HUNDREDTHS = 10_000;

    /** The number of decimals of a score in hundredths. */
    public static final int DECIMALS = 2;

    /** The summary of an agent without a computed health, a provider or a platform. */
    public static final HealthSummary NONE =
            new HealthSummary(HealthStatus.UNKNOWN, INACTIVE, GroupNumber.NONE, GroupNumber.NONE, Instant.EPOCH);

    /** Creates a summary without low quality. */
    public HealthSummary(
            HealthStatus measured,
            int hundredths,
            long providerNumber,
            long platformNumber,
            Instant restartsDegradeUntil) {
        this(measured, hundredths, providerNumber, platformNumber, false, restartsDegradeUntil);
    }

    public HealthSummary {
        if (hundredths < INACTIVE || hundredths > MAX_HUNDREDTHS) {
            throw new IllegalArgumentException("a score of " + hundredths + " hundredths");
        }
    }

    /** Returns whether the agent has no score. */
    public boolean isInactive() {
        return hundredths == INACTIVE;
    }

    /** Returns the health status of an agent in this lifecycle status. */
    public HealthStatus status(LifecycleStatus lifecycle) {
        return measured.under(lifecycle);
    }

    /** Returns this summary with a provider and a platform; either may be empty. */
    public HealthSummary in(String providerId, String platform) {
        return new HealthSummary(
                measured,
                hundredths,
                GroupNumber.of(providerId),
                GroupNumber.of(platform),
                lowQuality,
                restartsDegradeUntil);
    }

    /** Returns this summary with these restarts. */
    public HealthSummary after(Restarts restarts) {
        return new HealthSummary(
                measured, hundredths, providerNumber, platformNumber, lowQuality, restarts.degradeUntil());
    }
}
