package dev.agenthealth.model.registry.outcome;

/** The counters of outcomes. All of them add up over slices. The order is stored: a new counter goes to the end. */
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
    /** Executions that were reported as breaches of the SLA, or were longer than it allows. */
    SLA_BREACHES,
    /** Executions longer than 5 times the expected runtime. */
    LONG_RUNNING,
    /** Executions longer than 3 times the baseline latency. */
    ABOVE_BASELINE,
    /** Executions that reported a latency. */
    LATENCIES,
    /** Sum of all latencies in microseconds. */
    LATENCY_MICROS,
    /** Executions that were reported as breaches of the SLA, whatever their latency. */
    SLA_REPORTED,
    TELEMETRY_SUCCESSES,
    TELEMETRY_FAILURES
}
