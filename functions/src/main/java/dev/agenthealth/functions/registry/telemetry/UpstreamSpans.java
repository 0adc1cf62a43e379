package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.model.registry.telemetry.AgentName;
import dev.agenthealth.model.registry.telemetry.Execution;
import dev.agenthealth.model.registry.telemetry.ModelCall;
import dev.agenthealth.model.registry.telemetry.Span;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The calls of model providers in the spans of one request. A call belongs to the agent that its span names, otherwise to the agent of the
 * execution in the same trace. Not thread-safe.
 */
final class UpstreamSpans {

    private final List<ModelCall> calls;
    private final Set<String> failedTraces;

    private UpstreamSpans(List<ModelCall> calls) {
        this.calls = new ArrayList<>(calls);
        this.failedTraces = calls.stream()
                .filter(call -> call.call().isFailure())
                .map(call -> call.span().key().traceId())
                .collect(Collectors.toCollection(HashSet::new));
    }

    static UpstreamSpans of(List<Span> spans) {
        return new UpstreamSpans(
                spans.stream().flatMap(span -> ModelCall.of(span).stream()).toList());
    }

    /** Returns an execution, marked if a call of a provider failed in its trace. */
    Execution attributed(Execution execution) {
        return execution.upstream(failedTraces.contains(execution.span().key().traceId()));
    }

    /**
     * Removes the calls of agents beyond the maximum number of agents of a request.
     *
     * @param counts whether an agent, by its id or name, is one of the agents of the request
     */
    void keep(Predicate<String> counts) {
        calls.removeIf(call -> call.namesAgent()
                && !counts.test(call.agentId().isEmpty() ? call.agent().id() : call.agentId()));
    }

    /** Returns the names of agents to look up. */
    Set<AgentName> names() {
        return calls.stream()
                .filter(call -> call.namesAgent() && call.agentId().isEmpty())
                .map(ModelCall::agent)
                .collect(Collectors.toSet());
    }

    /**
     * Adds the calls to the work of their agents.
     *
     * @param agentOfName returns the agent of a name; empty for an unknown name
     * @param agentOfTrace the agents of executions, by trace
     */
    void addTo(
            Map<String, SpanWork> work,
            Function<AgentName, Optional<String>> agentOfName,
            Map<String, String> agentOfTrace) {
        for (ModelCall call : calls) {
            agentOf(call, agentOfName)
                    .or(() -> Optional.ofNullable(
                            agentOfTrace.get(call.span().key().traceId())))
                    .ifPresent(id -> work.computeIfAbsent(id, key -> new SpanWork())
                            .upstream
                            .add(call.call()));
        }
    }

    private static Optional<String> agentOf(ModelCall call, Function<AgentName, Optional<String>> agentOfName) {
        if (!call.namesAgent()) {
            return Optional.empty();
        }
        return call.agentId().isEmpty() ? agentOfName.apply(call.agent()) : Optional.of(call.agentId());
    }
}
