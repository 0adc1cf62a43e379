package dev.agenthealth.functions.runtime.observation;

import java.util.Optional;

/**
 * The metrics of all functions, in namespace {@link #NAMESPACE}. The alarms and the dashboard of the template use only these metrics.
 *
 * <p>Each metric has the dimension {@link #STACK}, which separates the stacks of an account, and at most one more dimension.
 */
public enum Metric {
    /** Accepted heartbeats; each instance reports their number at most every ten seconds. */
    HEARTBEATS("Heartbeats", Unit.COUNT),
    /** Responses 500 and 503, by function. A canary deployment rolls back if they occur. */
    SERVER_ERRORS("ServerErrors", Unit.COUNT, "Function"),
    /** Answers 500 and 503 of one version of a function. The dimension is the function and its version. */
    VERSION_SERVER_ERRORS("VersionServerErrors", Unit.COUNT, "Version"),
    /** Throttled DynamoDB requests, by function. */
    STORAGE_THROTTLES("StorageThrottles", Unit.COUNT, "Function"),
    /** Heartbeats with a drifting clock. */
    CLOCK_DRIFTS("ClockDrifts", Unit.COUNT),
    /** Lifecycle transitions by the sweep, by new status. */
    TRANSITIONS("Transitions", Unit.COUNT, "To"),
    /** Completed sweep passes. Without sweep passes, missing heartbeats are not detected. */
    SWEEP_PASSES("SweepPasses", Unit.COUNT),
    /** The duration of a sweep pass. */
    SWEEP_DURATION("SweepDuration", Unit.MILLISECONDS),
    /** Agents whose update failed in a pass; the next pass retries them. */
    SWEEP_FAILURES("SweepFailures", Unit.COUNT),
    /** The longest time between a passed threshold and its detection, for a pass that detected something. */
    DETECTION_LAG("DetectionLag", Unit.MILLISECONDS),
    /** Monitored agents, by lifecycle status. */
    AGENTS("Agents", Unit.COUNT, "Status"),
    /** Monitored agents of a role with its own metrics. */
    ROLE_AGENTS("RoleAgents", Unit.COUNT, "Role"),
    /** Blocked or down agents of a role with its own metrics. */
    ROLE_AGENTS_DOWN("RoleAgentsDown", Unit.COUNT, "Role"),
    /** Degraded agents of a role with its own metrics. */
    ROLE_AGENTS_DEGRADED("RoleAgentsDegraded", Unit.COUNT, "Role"),
    /** Failed self-checks. If heartbeats do not arrive, the sweep changes no status. */
    SELF_CHECK_FAILURES("SelfCheckFailures", Unit.COUNT),
    /** Mass silences that began. */
    MASS_SILENCE("MassSilence", Unit.COUNT),
    /** Mass restarts that began to postpone deaths. */
    MASS_RESTART("MassRestart", Unit.COUNT),
    /** Pools that fell below their minimum. */
    POOLS_BELOW_MINIMUM("PoolsBelowMinimum", Unit.COUNT),
    /** Completed measurement runs. */
    MEASUREMENT_RUNS("MeasurementRuns", Unit.COUNT),
    /** The duration of a measurement run. */
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
    /** The age of the oldest event of a batch when the function sent it to the bus. */
    OUTBOX_LAG("OutboxLag", Unit.MILLISECONDS),
    /** Runs of notifications that ended. A missing run means that operators learn nothing. */
    NOTIFICATION_RUNS("NotificationRuns", Unit.COUNT),
    /** Rules and batches of events that failed in runs of notifications. */
    NOTIFICATION_FAILURES("NotificationFailures", Unit.COUNT),
    /** Runs of sources that ended. */
    SOURCE_RUNS("SourceRuns", Unit.COUNT),
    /** Invocations that failed, by kind of failure. */
    INVOCATION_FAILURES("InvocationFailures", Unit.COUNT, "Kind"),
    /** Requests that were refused because of their sender: key, token, address, role or agent. */
    REFUSED_REQUESTS("RefusedRequests", Unit.COUNT, "Cause");

    /** The namespace of all metrics. */
    public static final String NAMESPACE = "AgentHealth";

    /** The dimension that every metric has: the name of the stack. */
    public static final String STACK = "Stack";

    private final String wireName;
    private final Unit unit;
    private final Optional<String> dimension;

    Metric(String wireName, Unit unit) {
        this.wireName = wireName;
        this.unit = unit;
        this.dimension = Optional.empty();
    }

    Metric(String wireName, Unit unit, String dimension) {
        this.wireName = wireName;
        this.unit = unit;
        this.dimension = Optional.of(dimension);
    }

    /** Returns the metric's name in CloudWatch. */
    public String wireName() {
        return wireName;
    }

    /** Returns the unit of the metric's values. */
    public Unit unit() {
        return unit;
    }

    /** Returns the dimension that the metric has besides the stack, if any. */
    public Optional<String> dimension() {
        return dimension;
    }

    /** The units of CloudWatch that metrics use. */
    public enum Unit {
        COUNT("Count"),
        MILLISECONDS("Milliseconds");

        private final String wireName;

        Unit(String wireName) {
            this.wireName = wireName;
        }

        /** Returns the unit's name in CloudWatch. */
        public String wireName() {
            return wireName;
        }
    }
}
