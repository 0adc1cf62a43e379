package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.model.registry.telemetry.Execution;
import dev.agenthealth.model.registry.telemetry.SpanCall;
import dev.agenthealth.model.registry.telemetry.SpanStep;
import dev.agenthealth.model.registry.upstream.UpstreamCall;
import java.util.ArrayList;
import java.util.List;

/** The spans of one request that show how an agent works. Not thread-safe. */
final class SpanWork {

    /** The spans that may count as progress. */
    final List<SpanStep> steps = new ArrayList<>();

    /** The calls of tools and models. */
    final List<SpanCall> calls = new ArrayList<>();

    /** The calls of model providers. */
    final List<UpstreamCall> upstream = new ArrayList<>();

    /** The executions that ended. */
    final List<Execution> executions = new ArrayList<>();

    /** Returns whether the spans can begin or end a repetition of calls. */
    boolean hasCalls() {
        return !calls.isEmpty() || !executions.isEmpty();
    }
}
