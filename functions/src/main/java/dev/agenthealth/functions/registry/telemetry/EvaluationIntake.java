package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.outcomes.SpanStore;
import dev.agenthealth.functions.storage.telemetry.SpanMapping;
import dev.agenthealth.functions.storage.telemetry.TelemetryStore;
import dev.agenthealth.functions.storage.telemetry.TraceStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.telemetry.AgentName;
import dev.agenthealth.model.registry.telemetry.EvaluationEvent;
import dev.agenthealth.model.registry.telemetry.EvaluationRejection;
import dev.agenthealth.model.registry.telemetry.ExecutionParents;
import dev.agenthealth.model.registry.telemetry.Span;
import dev.agenthealth.model.registry.telemetry.SpanRejection;
import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Counts evaluations of executions in log records. Thread-safe.
 *
 * <p>The agent of an evaluation is the agent on the record, otherwise the agent of the execution in its trace, otherwise the agent of its resource. A
 * client may repeat a request that failed half-way, because each evaluation counts once.
 */
final class EvaluationIntake {

    private final AgentStore agents;
    private final SpanStore spans;
    private final TelemetryStore telemetry;
    private final TraceStore traces;
    private final AgentTasks tasks;
    private final Clock clock;

    /** @param tasks counts the evaluations of several agents concurrently */
    EvaluationIntake(Database database, AgentTasks tasks, Clock clock) {
        this.agents = new AgentStore(database);
        this.spans = new SpanStore(database);
        this.telemetry = new TelemetryStore(database);
        this.traces = new TraceStore(database);
        this.tasks = tasks;
        this.clock = clock;
    }

    /** Counts the evaluations of the caller's agents. Returns the records that are not used. */
    UnusedRecords take(Caller caller, List<Span> records) {
        UnusedRecords unused = new UnusedRecords();
        List<EvaluationEvent> events = new ArrayList<>();
        Set<String> named = new HashSet<>();
        for (Span record : records) {
            EvaluationEvent event = new EvaluationEvent(record);
            event.rejection().or(() -> tooMany(event, named)).ifPresentOrElse(unused::add, () -> events.add(event));
        }
        if (events.isEmpty()) {
            return unused;
        }
        Map<String, Map<String, String>> ofTrace = traces.find(
                caller.keyId(), events.stream().map(EvaluationEvent::traceId).collect(Collectors.toSet()));
        Map<AgentName, SpanMapping> mappings = mappings(caller, events);
        Map<String, List<EvaluationEvent>> byAgent = new LinkedHashMap<>();
        for (EvaluationEvent event : events) {
            Map<String, String> executions = ofTrace.getOrDefault(event.traceId(), Map.of());
            agentOf(event, executions, mappings)
                    .ifPresentOrElse(
                            id -> byAgent.computeIfAbsent(id, key -> new ArrayList<>())
                                    .add(event),
                            () -> unused.add(
                                    executions.isEmpty()
                                            ? EvaluationRejection.UNKNOWN_EXECUTION
                                            : EvaluationRejection.SEVERAL_AGENTS));
        }
        tasks.forAll(byAgent.keySet(), agentId -> agents.find(agentId)
                .filter(agent -> caller.owns(agent.pulse().owner()))
                .ifPresentOrElse(agent -> count(agent, byAgent.get(agentId), unused), () -> byAgent.get(agentId)
                        .forEach(event -> unused.add(EvaluationRejection.UNKNOWN_EXECUTION))));
        return unused;
    }

    /** Returns a rejection if the request names too many agents and traces. Each of them costs reads, even if it does not exist. */
    private static Optional<EvaluationRejection> tooMany(EvaluationEvent event, Set<String> named) {
        Set<String> more = new TreeSet<>(
                List.of(event.traceId(), event.agent().id(), event.ownAgentId(), event.agentIdOfResource()));
        more.removeAll(named);
        if (!more.isEmpty() && named.size() >= SpanRejection.MAX_AGENTS) {
            return Optional.of(EvaluationRejection.TOO_MANY_AGENTS);
        }
        named.addAll(more);
        return Optional.empty();
    }

    private Map<AgentName, SpanMapping> mappings(Caller caller, List<EvaluationEvent> events) {
        Set<AgentName> names = new HashSet<>();
        events.stream().map(EvaluationEvent::agent).filter(AgentName::isValid).forEach(name -> {
            names.add(name);
            names.add(name.ofWholeService());
        });
        return telemetry.find(caller.keyId(), names);
    }

    /** Returns the id of the agent; empty if it is unknown, or is one of several agents of the trace. */
    private static Optional<String> agentOf(
            EvaluationEvent event, Map<String, String> executions, Map<AgentName, SpanMapping> mappings) {
        if (!event.ownAgentId().isEmpty()) {
            return Optional.of(event.ownAgentId());
        }
        if (executions.containsKey(event.spanId())) {
            return Optional.of(executions.get(event.spanId()));
        }
        Set<String> ofTrace = Set.copyOf(executions.values());
        if (ofTrace.size() == 1) {
            return ofTrace.stream().findFirst();
        }
        return Optional.of(event.agentIdOfResource())
                .filter(id -> !id.isEmpty())
                .or(() -> Optional.ofNullable(mappings.getOrDefault(
                                event.agent(), mappings.get(event.agent().ofWholeService())))
                        .map(SpanMapping::agentId))
                .filter(id -> ofTrace.isEmpty() || ofTrace.contains(id));
    }

    private void count(StoredAgent agent, List<EvaluationEvent> events, UnusedRecords unused) {
        MeasurementWindow window = agent.profile().basis().window();
        Instant now = clock.instant();
        List<SpanStore.CountedSpan> counted = new ArrayList<>();
        for (EvaluationEvent event : events) {
            if (event.at().isBefore(window.earliest(now))) {
                unused.add(EvaluationRejection.TOO_OLD);
            } else if (event.at().isAfter(window.latest(now))) {
                unused.add(EvaluationRejection.IN_FUTURE);
            } else {
                counted.add(SpanStore.CountedSpan.of(event));
            }
        }
        spans.count(counted, agent.profile(), ExecutionParents.NONE);
    }
}
