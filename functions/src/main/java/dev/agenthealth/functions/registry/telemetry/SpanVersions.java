package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.model.registry.telemetry.Execution;
import dev.agenthealth.model.registry.telemetry.SpanUsage;
import dev.agenthealth.model.registry.usage.HourUsage;
import dev.agenthealth.model.registry.usage.ModelName;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageCounter;
import dev.agenthealth.model.registry.usage.UsageSource;
import dev.agenthealth.model.registry.version.VersionSums;
import java.util.List;
import java.util.Map;

/** Adds the executions and tokens of spans to the version of their agent. */
final class SpanVersions {

    private SpanVersions() {}

    /**
     * Returns the usage of an execution with the sums of its version. The tokens of its calls in the same request say how much executions differ.
     *
     * @param declared the version that the agent declares; empty without one
     */
    static HourUsage with(HourUsage usage, Execution execution, List<SpanUsage> calls, String declared) {
        String version = execution.span().version(declared);
        if (version.isEmpty()) {
            return usage;
        }
        String trace = execution.span().key().traceId();
        long ofCalls = calls.stream()
                .filter(call -> call.span().key().traceId().equals(trace))
                .mapToLong(call -> call.usage().tokens(true))
                .sum();
        Usage one = Usage.of(ModelName.UNKNOWN, Map.of(UsageCounter.EXECUTIONS, 1L));
        Usage own = SpanUsage.ofExecution(execution);
        return usage.with(
                version,
                VersionSums.of(execution.outcome())
                        .with(UsageSource.EXECUTION_SPANS, own.tokens(true) > 0 ? own : Usage.NONE)
                        .with(UsageSource.CALL_SPANS, one, ofCalls));
    }

    /** Returns the usage of a call with the tokens of its version. */
    static HourUsage of(SpanUsage call, String declared) {
        return HourUsage.of(UsageSource.CALL_SPANS, call.usage())
                .with(call.span().version(declared), VersionSums.NONE.with(UsageSource.CALL_SPANS, call.usage(), 0));
    }
}
