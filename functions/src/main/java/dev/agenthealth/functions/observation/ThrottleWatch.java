package dev.agenthealth.functions.observation;

import java.util.function.Supplier;

/** Tells how often DynamoDB throttled a function: one metric for each invocation in which it did. Thread-safe. */
public final class ThrottleWatch {

    private final String function;
    private final StorageMeter meter;
    private final Log log;

    /**
     * @param function its logical id in the template
     */
    public ThrottleWatch(String function, StorageMeter meter, Log log) {
        this.function = function;
        this.meter = meter;
        this.log = log;
    }

    /** Does the work of an invocation. */
    public <T> T during(Supplier<T> work) {
        return during(new StorageMeter.Tally(), work);
    }

    /** Does the work of an invocation; what it uses counts on {@code tally}. */
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
