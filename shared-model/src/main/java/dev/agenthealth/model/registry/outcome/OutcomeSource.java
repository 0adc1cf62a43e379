package dev.agenthealth.model.registry.outcome;

import dev.agenthealth.model.WireNamed;

/** Who says how an execution ended. Health uses what all say; reputation never uses what an agent says about itself, or its spans do. */
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

    /** The counter of the successes that this source reported. */
    public OutcomeCounter successes() {
        return successes;
    }

    /** The counter of the failures that this source reported. */
    public OutcomeCounter failures() {
        return failures;
    }
}
