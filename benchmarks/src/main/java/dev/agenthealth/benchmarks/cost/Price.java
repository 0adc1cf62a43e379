package dev.agenthealth.benchmarks.cost;

import java.util.Locale;

/** Everything that has a unit price. */
public enum Price {
    HTTP_API_REQUESTS,
    DATA_TRANSFER_OUT_GB,
    LAMBDA_REQUESTS,
    LAMBDA_GB_SECONDS,
    DYNAMODB_WRITE_UNITS,
    DYNAMODB_READ_UNITS,
    DYNAMODB_WRITE_CAPACITY_HOURS,
    DYNAMODB_READ_CAPACITY_HOURS,
    DYNAMODB_STORAGE_GB,
    DYNAMODB_RECOVERY_GB,
    EVENTBRIDGE_EVENTS,
    EVENTBRIDGE_ARCHIVE_GB,
    EVENTBRIDGE_ARCHIVE_STORAGE_GB,
    SCHEDULER_INVOCATIONS,
    SQS_REQUESTS,
    LAMBDA_LOGS_GB,
    LOGS_GB,
    LOGS_STORAGE_GB,
    METRICS,
    ALARMS,
    DASHBOARDS,
    XRAY_TRACES;

    /** Its name in {@code prices.json}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
