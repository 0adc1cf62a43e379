package dev.agenthealth.model.outcome;

/** What is counted of outcomes. All of it adds up over slices. */
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
    SLA_BREACHES,
    /** Executions longer than 5 times the expected runtime that held when they were reported. */
    LONG_RUNNING,
    /** Executions longer than 3 times the baseline latency that held when they were reported. */
    ABOVE_BASELINE,
    /** Executions that reported a latency. */
    LATENCIES,
    /** Sum of all latencies in microseconds. */
    LATENCY_MICROS
}
