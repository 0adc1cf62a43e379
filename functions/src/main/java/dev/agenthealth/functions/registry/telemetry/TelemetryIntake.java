package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.functions.registry.declarations.ObservedDeclarations;
import dev.agenthealth.functions.registry.lifesigns.DeclaredSigns;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.outcomes.SpanStore;
import dev.agenthealth.functions.storage.telemetry.SpanMapping;
import dev.agenthealth.functions.storage.telemetry.TelemetryStore;
import dev.agenthealth.functions.storage.telemetry.TraceStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lifecycle.SignOfLife;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.telemetry.AgentName;
import dev.agenthealth.model.registry.telemetry.Execution;
import dev.agenthealth.model.registry.telemetry.ExecutionParents;
import dev.agenthealth.model.registry.telemetry.Span;
import dev.agenthealth.model.registry.telemetry.SpanCall;
import dev.agenthealth.model.registry.telemetry.SpanKey;
import dev.agenthealth.model.registry.telemetry.SpanRejection;
import dev.agenthealth.model.registry.telemetry.SpanStep;
import dev.agenthealth.model.registry.telemetry.SpanTree;
import dev.agenthealth.model.registry.telemetry.SpanUsage;
import dev.agenthealth.model.registry.usage.HourUsage;
import dev.agenthealth.model.registry.usage.ModelName;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageCounter;
import dev.agenthealth.model.registry.usage.UsageLimits;
import dev.agenthealth.model.registry.usage.UsageSource;
import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Counts executions in spans: as outcomes of the caller's agents, as their progress, and as signs of life of agents that declare this.
 * Spans are no evidence for the reputation. Thread-safe.
 *
 * <p>A client may repeat a request that failed half-way, because each span counts once.
 */
final class TelemetryIntake {

    private final AgentStore agents;
    private final SpanStore spanStore;
    private final TelemetryStore telemetry;
    private final TraceStore traces;
    private final AutoRegistration autoRegistration;
    private final DeclaredSigns signsOfLife;
    private final SpanSteps spanSteps;
    private final ObservedDeclarations declarations;
    private final AgentTasks tasks;
    private final Clock clock;
    private final UnrecognisedSpans hints = new UnrecognisedSpans();

    /** @param tasks counts the executions of several agents concurrently */
    TelemetryIntake(
            Database database,
            AutoRegistration autoRegistration,
            DeclaredSigns signsOfLife,
            AgentTasks tasks,
            Clock clock) {
        this.agents = new AgentStore(database);
        this.spanStore = new SpanStore(database);
        this.telemetry = new TelemetryStore(database);
        this.traces = new TraceStore(database);
        this.autoRegistration = autoRegistration;
        this.signsOfLife = signsOfLife;
        this.spanSteps = new SpanSteps(database, signsOfLife, clock);
        this.declarations = new ObservedDeclarations(database);
        this.tasks = tasks;
        this.clock = clock;
    }

    /**
     * Counts the spans that are executions of the caller's agents. Returns the rejected spans. Spans that are no executions are neither
     * counted nor rejected.
     */
    Rejections take(Caller caller, List<Span> spans) {
        Rejections rejections = new Rejections();
        List<Execution> valid = new ArrayList<>();
        Set<String> named = new HashSet<>();
        UpstreamSpans upstream = UpstreamSpans.of(spans);
        for (Span span : spans) {
            Execution.of(span).map(upstream::attributed).ifPresent(execution -> execution
                    .rejection()
                    .or(() -> tooMany(execution, named))
                    .ifPresentOrElse(reason -> rejections.add(reason, execution), () -> valid.add(execution)));
        }
        if (valid.isEmpty() && rejections.count() == 0) {
            hints.hint(caller, spans, clock.instant()).ifPresent(rejections::hint);
        }
        List<SpanStep> steps = steps(spans, named);
        List<SpanCall> calls = calls(spans, named);
        SpanTree tree = new SpanTree(spans);
        List<SpanUsage> used = SpanUsage.calls(spans, tree);
        upstream.keep(name -> counts(name, named));
        Map<AgentName, SpanMapping> mappings = mappings(caller, valid, steps, calls, used, upstream);
        Map<String, Map<SpanKey, Execution>> byAgent = new LinkedHashMap<>();
        List<Execution> unknown = new ArrayList<>();
        for (Execution execution : valid) {
            String ofSpan = execution.agentId();
            Optional<String> agentId =
                    ofSpan.isEmpty() ? find(mappings, execution.name()).map(SpanMapping::agentId) : Optional.of(ofSpan);
            agentId.ifPresentOrElse(
                    id -> byAgent.computeIfAbsent(id, key -> new LinkedHashMap<>())
                            .putIfAbsent(execution.span().key(), execution),
                    () -> unknown.add(execution));
        }
        Map<String, List<SpanUsage>> usage = usage(used, byAgent, mappings, tree, named);
        Set<String> ids = new LinkedHashSet<>(byAgent.keySet());
        ids.addAll(usage.keySet());
        Map<String, StoredAgent> owned = owned(caller, ids);
        Set<String> knownTraces = new HashSet<>();
        byAgent.forEach((agentId, executions) -> {
            if (owned.containsKey(agentId)) {
                executions.keySet().forEach(key -> knownTraces.add(key.traceId()));
            } else {
                unknown.addAll(executions.values());
            }
        });
        tasks.forAll(owned.keySet(), agentId -> {
            Map<SpanKey, Execution> executions = byAgent.getOrDefault(agentId, Map.of());
            count(owned.get(agentId), executions, usage.getOrDefault(agentId, List.of()), tree, rejections);
        });
        Map<String, SpanWork> work = work(steps, calls, mappings);
        upstream.addTo(
                work, name -> find(mappings, name).map(SpanMapping::agentId), agentOfTrace(byAgent, owned.keySet()));
        byAgent.forEach((agentId, executions) -> {
            if (work.containsKey(agentId) || owned.containsKey(agentId) && declaresLoops(owned.get(agentId))) {
                SpanWork ofAgent = work.computeIfAbsent(agentId, id -> new SpanWork());
                tree.outermost(executions.keySet()).forEach(key -> ofAgent.executions.add(executions.get(key)));
            }
        });
        tasks.forAll(work.keySet(), agentId -> spanSteps.take(caller, agentId, work.get(agentId)));
        // Beside a known agent, an unknown name is most likely a part of its execution: a workflow, a node or a
        // wrapper.
        unknown.stream()
                .filter(execution ->
                        !knownTraces.contains(execution.span().key().traceId()))
                .forEach(execution -> rejections.add(SpanRejection.UNKNOWN_AGENT, execution));
        return rejections;
    }

    /** Returns a rejection if the request names too many agents. Each agent costs reads, even if it does not exist. */
    private static Optional<SpanRejection> tooMany(Execution execution, Set<String> named) {
        String agent = execution.agentId().isEmpty() ? execution.name().id() : execution.agentId();
        return counts(agent, named) ? Optional.empty() : Optional.of(SpanRejection.TOO_MANY_AGENTS);
    }

    private static boolean counts(String agent, Set<String> named) {
        return named.contains(agent) || named.size() < SpanRejection.MAX_AGENTS && named.add(agent);
    }

    /** Returns the calls with usage of each agent: the agent in the span, or the agent of the execution around it, or the agent of its service. */
    private static Map<String, List<SpanUsage>> usage(
            List<SpanUsage> calls,
            Map<String, Map<SpanKey, Execution>> byAgent,
            Map<AgentName, SpanMapping> mappings,
            SpanTree tree,
            Set<String> named) {
        Map<SpanKey, String> agents = new HashMap<>();
        byAgent.forEach((agentId, executions) -> executions.keySet().forEach(key -> agents.put(key, agentId)));
        Map<String, List<SpanUsage>> usage = new HashMap<>();
        for (SpanUsage call : calls) {
            Optional<String> agentId = Optional.of(call.agentId())
                    .filter(id -> !id.isEmpty())
                    .or(() -> tree.nearest(call.span().key(), agents.keySet()).map(agents::get))
                    .or(() -> find(mappings, call.agent()).map(SpanMapping::agentId));
            agentId.filter(id -> byAgent.containsKey(id) || counts(id, named))
                    .ifPresent(id ->
                            usage.computeIfAbsent(id, key -> new ArrayList<>()).add(call));
        }
        return usage;
    }

    /** Returns the spans that may count as progress. */
    private static List<SpanStep> steps(List<Span> spans, Set<String> named) {
        return spans.stream()
                .flatMap(span -> SpanStep.of(span).stream())
                .filter(step -> counts(step.agentId().isEmpty() ? step.name().id() : step.agentId(), named))
                .toList();
    }

    /** Returns the calls of tools and models. */
    private static List<SpanCall> calls(List<Span> spans, Set<String> named) {
        return spans.stream()
                .flatMap(span -> SpanCall.of(span).stream())
                .filter(call -> counts(call.agentId().isEmpty() ? call.agent().id() : call.agentId(), named))
                .toList();
    }

    /** Returns the steps of each agent whose steps count as progress, and the calls of each agent. */
    private static Map<String, SpanWork> work(
            List<SpanStep> steps, List<SpanCall> calls, Map<AgentName, SpanMapping> mappings) {
        Map<String, SpanWork> work = new HashMap<>();
        for (SpanStep step : steps) {
            Optional<String> agentId = step.agentId().isEmpty()
                    ? find(mappings, step.name()).filter(SpanMapping::progress).map(SpanMapping::agentId)
                    : Optional.of(step.agentId());
            agentId.ifPresent(
                    id -> work.computeIfAbsent(id, key -> new SpanWork()).steps.add(step));
        }
        for (SpanCall call : calls) {
            Optional<String> agentId = call.agentId().isEmpty()
                    ? find(mappings, call.agent()).map(SpanMapping::agentId)
                    : Optional.of(call.agentId());
            agentId.ifPresent(
                    id -> work.computeIfAbsent(id, key -> new SpanWork()).calls.add(call));
        }
        return work;
    }

    /** Returns the agent of the executions of each trace. */
    private static Map<String, String> agentOfTrace(Map<String, Map<SpanKey, Execution>> byAgent, Set<String> owned) {
        Map<String, String> agents = new HashMap<>();
        byAgent.forEach((agentId, executions) -> {
            if (owned.contains(agentId)) {
                executions.keySet().forEach(key -> agents.putIfAbsent(key.traceId(), agentId));
            }
        });
        return agents;
    }

    private static boolean declaresLoops(StoredAgent agent) {
        return agent.pulse().config().loop().isJudged();
    }

    private Map<AgentName, SpanMapping> mappings(
            Caller caller,
            List<Execution> executions,
            List<SpanStep> steps,
            List<SpanCall> calls,
            List<SpanUsage> used,
            UpstreamSpans upstream) {
        Set<AgentName> names = executions.stream()
                .filter(execution -> execution.agentId().isEmpty())
                .map(Execution::name)
                .collect(Collectors.toSet());
        Set<AgentName> candidates = new HashSet<>(names);
        steps.stream()
                .filter(step -> step.agentId().isEmpty())
                .map(SpanStep::name)
                .forEach(candidates::add);
        calls.stream()
                .filter(call -> call.agentId().isEmpty())
                .map(SpanCall::agent)
                .forEach(candidates::add);
        used.stream()
                .filter(call -> call.agentId().isEmpty() && call.agent().isValid())
                .map(SpanUsage::agent)
                .limit(SpanRejection.MAX_AGENTS)
                .forEach(candidates::add);
        candidates.addAll(upstream.names());
        List.copyOf(candidates).forEach(name -> candidates.add(name.ofWholeService()));
        Map<AgentName, SpanMapping> mappings = new HashMap<>(telemetry.find(caller.keyId(), candidates));
        List<AgentName> unmapped = names.stream()
                .filter(name -> find(mappings, name).isEmpty())
                .sorted((one, other) -> one.id().compareTo(other.id()))
                .toList();
        mappings.putAll(autoRegistration.register(caller, unmapped));
        return mappings;
    }

    private static Optional<SpanMapping> find(Map<AgentName, SpanMapping> mappings, AgentName name) {
        return Optional.ofNullable(mappings.getOrDefault(name, mappings.get(name.ofWholeService())));
    }

    private Map<String, StoredAgent> owned(Caller caller, Collection<String> agentIds) {
        Map<String, StoredAgent> owned = new LinkedHashMap<>();
        tasks.forAll(agentIds, agentId -> agents.find(agentId)
                .filter(agent -> caller.owns(agent.pulse().owner()))
                .ifPresent(agent -> {
                    synchronized (owned) {
                        owned.put(agentId, agent);
                    }
                }));
        return owned;
    }

    private void count(
            StoredAgent agent,
            Map<SpanKey, Execution> executions,
            List<SpanUsage> calls,
            SpanTree tree,
            Rejections rejections) {
        MeasurementWindow window = agent.profile().basis().window();
        Instant now = clock.instant();
        List<Execution> counted = new ArrayList<>();
        for (SpanKey key : tree.outermost(executions.keySet())) {
            Execution execution = executions.get(key);
            if (execution.endedAt().isBefore(window.earliest(now))) {
                rejections.add(SpanRejection.TOO_OLD, execution);
            } else if (execution.endedAt().isAfter(window.latest(now))) {
                rejections.add(SpanRejection.IN_FUTURE, execution);
            } else {
                counted.add(execution);
            }
        }
        UsageLimits limits = agent.profile().basis().expectations().limits();
        List<SpanStore.CountedSpan> spans = new ArrayList<>();
        AgentProfile profile = agent.profile();
        counted.forEach(execution -> spans.add(SpanStore.CountedSpan.of(
                execution, SpanVersions.with(usage(execution, calls, tree, limits), execution, calls, profile))));
        calls.stream()
                .filter(call -> !call.endedAt().isBefore(window.earliest(now))
                        && !call.endedAt().isAfter(window.latest(now)))
                .forEach(call -> spans.add(SpanStore.CountedSpan.ofCall(call, SpanVersions.of(call, profile))));
        if (profile.basis().expectations().minQuality().isPresent()) {
            List<SpanKey> keys =
                    counted.stream().map(execution -> execution.span().key()).toList();
            traces.add(agent.pulse().owner().keyId(), agent.pulse().agentId(), keys);
        }
        spanStore.count(spans, agent.profile(), new ExecutionParents(tree, executions.keySet()));
        declarations.noteServed(agent, SpanUsage.served(calls), now);
        counted.stream()
                .map(Execution::endedAt)
                .max(Instant::compareTo)
                .ifPresent(last -> signsOfLife.record(agent.pulse(), SignOfLife.SPANS, last));
    }

    /**
     * Returns the usage of an execution: its own tokens, and one execution beside the usage of its calls. The calls within it in the same request
     * count for the limits of single executions, also the calls of executions within it.
     */
    private static HourUsage usage(Execution execution, List<SpanUsage> calls, SpanTree tree, UsageLimits limits) {
        Usage own = SpanUsage.ofExecution(execution);
        if (own.tokens(true) == 0 && calls.isEmpty()) {
            return HourUsage.NONE;
        }
        Set<SpanKey> around = Set.of(execution.span().key());
        Usage ofCalls = calls.stream()
                .filter(call -> tree.isWithin(call.span().key(), around))
                .map(SpanUsage::usage)
                .reduce(Usage.NONE, Usage::plus);
        Usage one = Usage.of(ModelName.UNKNOWN, Map.of(UsageCounter.EXECUTIONS, 1L));
        return HourUsage.of(UsageSource.EXECUTION_SPANS, own)
                .plus(HourUsage.of(UsageSource.CALL_SPANS, one))
                .with(limits.peaks(own))
                .with(limits.peaks(ofCalls));
    }
}
