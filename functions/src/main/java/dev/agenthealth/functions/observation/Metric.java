package dev.agenthealth.functions.observation;

import java.util.Optional;

/**
 * Every metric that the functions report, in namespace {@link #NAMESPACE}. The alarms and the dashboard of the template use these and no others.
 *
 * <p>Each has the dimension {@link #STACK}, so that two stacks in one account never mix, and at most one more.
 */
public enum Metric {
    /** Heartbeats accepted, added up in memory and reported at most every ten seconds by each instance. */
    HEARTBEATS("Heartbeats", Unit.COUNT),
    /** Responses 500 and 503, by function: they make a canary deployment roll back. */
    SERVER_ERRORS("ServerErrors", Unit.COUNT, "Function"),
    /** Requests to DynamoDB that it throttled, by function. */
    STORAGE_THROTTLES("StorageThrottles", Unit.COUNT, "Function"),
    /** Heartbeats with a drifting clock. */
    CLOCK_DRIFTS("ClockDrifts", Unit.COUNT),
    /** Changes of the lifecycle status that a sweep made, by the status they led to. */
    TRANSITIONS("Transitions", Unit.COUNT, "To"),
    /** Passes of the sweep that ended. None for minutes: silent agents are not found. */
    SWEEP_PASSES("SweepPasses", Unit.COUNT),
    /** How long a pass of the sweep took. */
    SWEEP_DURATION("SweepDuration", Unit.MILLISECONDS),
    /** Agents that a pass could not change; the next one tries again. */
    SWEEP_FAILURES("SweepFailures", Unit.COUNT),
    /** The longest time between a threshold that passed and its detection, in a pass that detected something. */
    DETECTION_LAG("DetectionLag", Unit.MILLISECONDS),
    /** Monitored agents by lifecycle status. */
    AGENTS("Agents", Unit.COUNT, "Status"),
    /** Self-checks that failed: heartbeats do not arrive, so no status changes. */
    SELF_CHECK_FAILURES("SelfCheckFailures", Unit.COUNT),
    /** Most of the fleet is silent. */
    MASS_SILENCE("MassSilence", Unit.COUNT),
    /** Pools that fell below their minimum. */
    POOLS_BELOW_MINIMUM("PoolsBelowMinimum", Unit.COUNT),
    /** Runs of the measurement that ended. */
    MEASUREMENT_RUNS("MeasurementRuns", Unit.COUNT),
    /** How long a run of the measurement took. */
    MEASUREMENT_DURATION("MeasurementDuration", Unit.MILLISECONDS),
    /** Agents whose health was computed. */
    HEALTH_COMPUTATIONS("HealthComputations", Unit.COUNT),
    /** Agents whose health could not be computed; they stay due. */
    MEASUREMENT_FAILURES("MeasurementFailures", Unit.COUNT),
    /** Agents for which a run had no time. */
    MEASUREMENTS_POSTPONED("MeasurementsPostponed", Unit.COUNT),
    /** Events that the bus accepted. */
    EVENTS_PUBLISHED("EventsPublished", Unit.COUNT),
    /** Events that the bus rejected; they are retried. */
    EVENTS_REJECTED("EventsRejected", Unit.COUNT),
    /** Age of the oldest event of a batch when it was sent to the bus. */
    OUTBOX_LAG("OutboxLag", Unit.MILLISECONDS),
    /** Invocations that failed, by kind of failure. */
    INVOCATION_FAILURES("InvocationFailures", Unit.COUNT, "Kind");

    /** The namespace of all metrics. */
    public static final String NAMESPACE = "AgentHealth";

    /** The dimension that every metric has: the name of the stack. */
    public static final String STACK = "Stack";

    private final String word;
    private final Unit unit;
    private final Optional<String> dimension;

    Metric(String word, Unit unit) {
        this.word = word;
        this.unit = unit;
        this.dimension = Optional.empty();
    }

    Metric(String word, Unit unit, String dimension) {
        this.word = word;
        this.unit = unit;
        this.dimension = Optional.of(dimension);
    }

    /** The metric's name in CloudWatch. */
    public String word() {
        return word;
    }

    /** What its values count. */
    public Unit unit() {
        return unit;
    }

    /** The dimension that it has besides the stack, if any. */
    public Optional<String> dimension() {
        return dimension;
    }

    /** CloudWatch's units, as far as metrics use them. */
    public enum Unit {
        COUNT("Count"),
        MILLISECONDS("Milliseconds");

        private final String word;

        Unit(String word) {
            this.word = word;
        }

        /** The unit's name in CloudWatch. */
        public String word() {
            return word;
        }
    }
}
