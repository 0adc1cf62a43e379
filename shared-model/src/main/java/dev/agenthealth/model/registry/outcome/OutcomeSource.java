package dev.agenthealth.model.registry.outcome;

import dev.agenthealth.model.WireNamed;

/** The reporter of an outcome. Health counts outcomes from all reporters. Reputation never counts reports or spans of the agent itself. */
public enum OutcomeSource implements WireNamed {
    GATEWAY(OutcomeCounter.GATEWAY_SUCCESSES, OutcomeCounter.GATEWAY_FAILURES),
    COORDINATOR(OutcomeCounter.COORDINATOR_SUCCESSES, OutcomeCounter.COORDINATOR_FAILURES),
    SELF(OutcomeCounter.SELF_SUCCESSES, OutcomeCounter.SELF_FAILURES),
    /** Spans of the agent's executions, sent by an OpenTelemetry exporter. */
    TELEMETRY(OutcomeCounter.TELEMETRY_SUCCESSES, OutcomeCounter.TELEMETRY_FAILURES);

    private final OutcomeCounter successes;
    private final OutcomeCounter failures;

    OutcomeSource(OutcomeCounter successes, OutcomeCounter failures) {
        this.successes = successes;
        this.failures = failures;
    }

    /** Returns the counter of successes from this source. */
    public OutcomeCounter successes() {
        return successes;
    }

    /** Returns the counter of failures from this source. */
    public OutcomeCounter failures() {
        return failures;
    }
}
