package dev.agenthealth.model.registry.outcome;

/** The counters of outcomes. All counters add up over slices. Their order is stored, so add new counters at the end. */
public enum OutcomeCounter {
    GATEWAY_SUCCESSES,
    GATEWAY_FAILURES,
    COORDINATOR_SUCCESSES,
    COORDINATOR_FAILURES,
    SELF_SUCCESSES,
    SELF_FAILURES,
    CLIENT_ERRORS,
    SERVER_ERRORS,
    TIMEOUTS,
    MALFORMED,
    OTHER_ERRORS,
    TRIGGER_FAILURES,
    /** The number of executions that were reported as SLA breaches or took longer than the SLA permits. */
    SLA_BREACHES,
    /** The number of executions longer than 5 times the expected runtime. */
    LONG_RUNNING,
    /** The number of executions longer than 3 times the baseline latency. */
    ABOVE_BASELINE,
    /** The number of executions with a reported latency. */
    LATENCIES,
    /** The sum of all latencies in microseconds. */
    LATENCY_MICROS,
    /** The number of executions that were reported as SLA breaches, independent of their latency. */
    SLA_REPORTED,
    TELEMETRY_SUCCESSES,
    TELEMETRY_FAILURES,
    /** The number of failures that their reporter attributes to a model provider. */
    UPSTREAM_ERRORS,
    /** The number of evaluations in outcomes. */
    EVALUATIONS,
    /** The sum of the qualities in outcomes, in millionths. */
    QUALITY_MICROS,
    /** The number of evaluations in events of OpenTelemetry. */
    EVENT_EVALUATIONS,
    /** The sum of the qualities in these events, in millionths. */
    EVENT_QUALITY_MICROS
}
