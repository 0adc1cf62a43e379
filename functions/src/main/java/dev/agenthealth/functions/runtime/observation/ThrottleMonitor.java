package dev.agenthealth.functions.runtime.observation;

import java.util.function.Supplier;

/** Reports throttled DynamoDB requests: one metric per invocation with throttled requests. Thread-safe. */
public final class ThrottleMonitor {

    private final String function;
    private final StorageMeter meter;
    private final Log log;

    /** @param function the function's logical id in the template */
    public ThrottleMonitor(String function, StorageMeter meter, Log log) {
        this.function = function;
        this.meter = meter;
        this.log = log;
    }

    /** Runs an invocation. */
    public <T> T during(Supplier<T> work) {
        return during(new StorageMeter.Tally(), work);
    }

    /** Runs an invocation and counts its usage in {@code tally}. */
    public <T> T during(StorageMeter.Tally tally, Supplier<T> work) {
        try {
            return meter.during(tally, work);
        } finally {
            long throttles = tally.use().throttles();
            if (throttles > 0) {
                log.metric(Metric.STORAGE_THROTTLES, throttles, function);
            }
        }
    }
}
