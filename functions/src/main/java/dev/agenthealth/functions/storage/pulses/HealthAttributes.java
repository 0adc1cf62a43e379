package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.putNumber;

import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.identity.GroupNumber;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores a summary of the health in short attributes of the row. */
public final class HealthAttributes {

    private static final int DIGIT = 10;

    /** Health statuses by their digit under {@link PulseItem#HEALTH}. */
    private static final List<HealthStatus> STATUSES =
            List.of(HealthStatus.UNKNOWN, HealthStatus.HEALTHY, HealthStatus.DEGRADED, HealthStatus.UNHEALTHY);

    /** The distance between the digit of a status and the digit of the same status with low quality. */
    private static final int LOW_QUALITY = 4;

    private HealthAttributes() {}

    static void put(Map<String, AttributeValue> item, HealthSummary health) {
        putNumber(item, PulseItem.HEALTH, number(health.measured(), health.lowQuality(), health.hundredths()), 0);
        putNumber(item, PulseItem.PROVIDER_NUMBER, health.providerNumber(), GroupNumber.NONE);
        putNumber(item, PulseItem.PLATFORM_NUMBER, health.platformNumber(), GroupNumber.NONE);
        putNumber(
                item,
                PulseItem.RESTARTS_DEGRADE_UNTIL,
                health.restartsDegradeUntil().toEpochMilli(),
                0);
    }

    /** Returns the number under {@link PulseItem#HEALTH}; 0 for an unknown health without a score. */
    static long number(HealthStatus status, boolean lowQuality, int hundredths) {
        return (long) (hundredths - HealthSummary.INACTIVE) * DIGIT
                + STATUSES.indexOf(status)
                + (lowQuality ? LOW_QUALITY : 0);
    }

    /** Returns the health summary of a row; {@link HealthSummary#NONE} if the row has none. */
    public static HealthSummary read(Map<String, AttributeValue> item) {
        long health = Values.number(item, PulseItem.HEALTH, 0);
        int digit = (int) (health % DIGIT);
        boolean lowQuality = digit >= LOW_QUALITY;
        int status = lowQuality ? digit - LOW_QUALITY : digit;
        return new HealthSummary(
                status < STATUSES.size() ? STATUSES.get(status) : HealthStatus.UNKNOWN,
                (int) (health / DIGIT) + HealthSummary.INACTIVE,
                Values.number(item, PulseItem.PROVIDER_NUMBER, GroupNumber.NONE),
                Values.number(item, PulseItem.PLATFORM_NUMBER, GroupNumber.NONE),
                lowQuality,
                moment(item, PulseItem.RESTARTS_DEGRADE_UNTIL, Instant.EPOCH));
    }
}
