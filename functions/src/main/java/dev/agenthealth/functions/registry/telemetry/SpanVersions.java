package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.telemetry.Execution;
import dev.agenthealth.model.registry.telemetry.Span;
import dev.agenthealth.model.registry.telemetry.SpanUsage;
import dev.agenthealth.model.registry.usage.HourUsage;
import dev.agenthealth.model.registry.usage.ModelName;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageCounter;
import dev.agenthealth.model.registry.usage.UsageSource;
import dev.agenthealth.model.registry.version.HourSums;
import dev.agenthealth.model.registry.version.VersionSums;
import java.util.List;
import java.util.Map;

/** Adds the executions and tokens of spans to the version of their agent. */
final class SpanVersions {

    private SpanVersions() {}

    /**
     * Returns the usage of an execution with the sums of its version. The tokens of its calls in the same request say how much executions differ.
     *
     * @param profile the profile of the agent
     */
    static HourSums with(HourUsage usage, Execution execution, List<SpanUsage> calls, AgentProfile profile) {
        String version = version(execution.span(), profile);
        if (version.isEmpty()) {
            return HourSums.of(usage);
        }
        String trace = execution.span().key().traceId();
        long ofCalls = calls.stream()
                .filter(call -> call.span().key().traceId().equals(trace))
                .mapToLong(call -> call.usage().tokens(true))
                .sum();
        Usage one = Usage.of(ModelName.UNKNOWN, Map.of(UsageCounter.EXECUTIONS, 1L));
        Usage own = SpanUsage.ofExecution(execution);
        return HourSums.of(usage)
                .with(
                        version,
                        VersionSums.of(execution.outcome())
                                .with(UsageSource.EXECUTION_SPANS, own.tokens(true) > 0 ? own : Usage.NONE)
                                .with(UsageSource.CALL_SPANS, one, ofCalls));
    }

    /** Returns the usage of a call with the tokens of its version. */
    static HourSums of(SpanUsage call, AgentProfile profile) {
        return HourSums.of(HourUsage.of(UsageSource.CALL_SPANS, call.usage()))
                .with(version(call.span(), profile), VersionSums.NONE.with(UsageSource.CALL_SPANS, call.usage(), 0));
    }

    private static String version(Span span, AgentProfile profile) {
        return profile.roleId().isEmpty()
                ? ""
                : span.version(profile.description().version());
    }
}
