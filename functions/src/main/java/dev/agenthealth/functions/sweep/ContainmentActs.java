package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.containment.ContainmentStore;
import dev.agenthealth.functions.storage.containment.StoredContainment;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.health.HealthStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.health.containment.ContainmentAction;
import dev.agenthealth.model.health.containment.ContainmentCase;
import dev.agenthealth.model.health.containment.ContainmentChange;
import dev.agenthealth.model.health.containment.ContainmentGuard;
import dev.agenthealth.model.health.containment.ContainmentGuard.RoleState;
import dev.agenthealth.model.health.containment.ContainmentPlan;
import dev.agenthealth.model.health.containment.ContainmentPlan.Due;
import dev.agenthealth.model.health.containment.ContainmentRule;
import dev.agenthealth.model.health.containment.HeldBack;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.Containment;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.upstream.Upstreams;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The acts of containment rules in one pass of the sweep, rule by rule. Not thread-safe. */
final class ContainmentActs {

    /** The maximum number of agents of a rule that a pass reads to act on them. The next pass continues. */
    private static final int MAX_DUE = 50;

    private final ContainmentStore store;
    private final AgentStore agents;
    private final BlockStore blocks;
    private final HealthStore health;
    private final Log log;
    private final Map<String, Map<String, ContainmentChange>> cases = new LinkedHashMap<>();
    private final Upstreams upstreams;
    private final Instant now;
    private final BooleanSupplier timeLeft;
    private long acts;

    /**
     * @param acts the number of acts before this pass
     * @param cases the cases of each rule after this pass saw the agents
     * @param upstreams the model providers that fail for many agents; their agents are left alone
     */
    ContainmentActs(
            Database database,
            Log log,
            long acts,
            Map<String, List<ContainmentChange>> cases,
            Upstreams upstreams,
            Instant now,
            BooleanSupplier timeLeft) {
        this.store = new ContainmentStore(database);
        this.agents = new AgentStore(database);
        this.blocks = new BlockStore(database);
        this.health = new HealthStore(database);
        this.log = log;
        this.acts = acts;
        this.upstreams = upstreams;
        this.now = now;
        this.timeLeft = timeLeft;
        cases.forEach((rule, changes) -> {
            Map<String, ContainmentChange> byAgent = new LinkedHashMap<>();
            changes.forEach(change -> byAgent.put(change.agentId(), change));
            this.cases.put(rule, byAgent);
        });
    }

    /** Returns whether a rule covers an agent. */
    static boolean covers(ContainmentRule rule, StoredAgent agent) {
        return rule.filter().covers(agent.pulse().owner().keyId(), agent.profile());
    }

    /** Applies a rule to its cases that are due. Returns the changes of cases that are still to be written. */
    List<ContainmentChange> apply(StoredContainment stored, ContainmentRoles roles) {
        ContainmentRule rule = stored.rule();
        Map<String, StoredAgent> read = new HashMap<>();
        List<ContainmentCase> ready = ready(rule, read);
        Map<OfAgent, Block> decided = ready.isEmpty()
                ? Map.of()
                : blocks.of(
                        ready.stream().map(one -> new OfAgent(one.agentId())).toList());
        Map<Long, RoleState> states = new HashMap<>();
        ready.forEach(one -> states.computeIfAbsent(
                one.roleNumber(),
                number -> roles.of(
                        rule,
                        number,
                        cases.values().stream()
                                .flatMap(ofRule -> ofRule.values().stream())
                                .flatMap(change -> change.after().stream()))));
        List<Due> due = ready.stream()
                .map(one -> new Due(one, decided.get(new OfAgent(one.agentId()))))
                .toList();
        ContainmentPlan plan = ContainmentPlan.of(due, states, now);
        plan.acting().forEach(one -> act(stored, one, read.get(one.open().agentId())));
        holdBack(stored, plan, read);
        return List.copyOf(cases.get(rule.name()).values());
    }

    /**
     * Returns the cases whose agents may be acted upon. A case is dropped if the profile of its agent excludes the agent from the rule.
     *
     * @param read gets the agents of the cases
     */
    private List<ContainmentCase> ready(ContainmentRule rule, Map<String, StoredAgent> read) {
        Map<String, ContainmentChange> changes = cases.get(rule.name());
        List<ContainmentCase> ready = new ArrayList<>();
        for (ContainmentCase one : turn(rule, changes)) {
            Optional<StoredAgent> agent = timeLeft.getAsBoolean() ? agents.find(one.agentId()) : Optional.empty();
            if (agent.isEmpty() || !agent.get().hasProfile()) {
                continue;
            }
            if (!covers(rule, agent.get())) {
                changes.computeIfPresent(
                        one.agentId(), (id, change) -> new ContainmentChange(change.before(), Optional.empty()));
            } else if (isPossible(rule, agent.get().pulse()) && hasEnough(rule, one.agentId())) {
                read.put(one.agentId(), agent.get());
                ready.add(one);
            }
        }
        return ready;
    }

    /** Returns the cases that are due, the longest waiting first. Passes take turns if there are more than one pass handles. */
    private List<ContainmentCase> turn(ContainmentRule rule, Map<String, ContainmentChange> changes) {
        List<ContainmentCase> due = changes.values().stream()
                .flatMap(change -> change.after().stream())
                .filter(one ->
                        one.isDue(rule, now) && upstreams.of(one.agentId()).isEmpty())
                .sorted(Comparator.comparing(ContainmentCase::since).thenComparing(ContainmentCase::agentId))
                .toList();
        if (due.size() <= MAX_DUE) {
            return due;
        }
        int from = Math.floorMod(now.getEpochSecond(), due.size());
        List<ContainmentCase> turn = new ArrayList<>(due.subList(from, Math.min(due.size(), from + MAX_DUE)));
        turn.addAll(due.subList(0, MAX_DUE - turn.size()));
        return turn;
    }

    /** Returns whether the action is possible now. Only an active agent without a command can be asked to drain. */
    private static boolean isPossible(ContainmentRule rule, Pulse pulse) {
        return rule.action() == ContainmentAction.BLOCK
                || pulse.status() == LifecycleStatus.ACTIVE
                        && !pulse.coordination().pendingDrain().isPending();
    }

    private boolean hasEnough(ContainmentRule rule, String agentId) {
        return rule.when().minExecutions() == 0
                || health.find(agentId, false)
                        .flatMap(HealthStore.StoredHealth::health)
                        .filter(computed -> computed.measurement().sampleCount()
                                >= rule.when().minExecutions())
                        .isPresent();
    }

    /** Acts on an agent, or publishes that the rule would. If something changed meanwhile, the next pass decides again. */
    private void act(StoredContainment stored, Due due, StoredAgent agent) {
        ContainmentRule rule = stored.rule();
        String agentId = due.open().agentId();
        ContainmentCase after = due.open().did(rule, now);
        ContainmentChange change = cases.get(rule.name()).get(agentId).to(after);
        if (!timeLeft.getAsBoolean() || !write(stored, change, due, agent)) {
            return;
        }
        acts += rule.enforces() ? 1 : 0;
        // The case is written with its act.
        cases.get(rule.name()).put(agentId, new ContainmentChange(change.after(), change.after()));
        log.info(
                rule.enforces() ? "containment_acted" : "containment_would_act",
                Map.of(
                        "rule",
                        rule.name(),
                        "id",
                        agentId,
                        "action",
                        rule.action().wireName()));
    }

    private boolean write(StoredContainment stored, ContainmentChange change, Due due, StoredAgent agent) {
        ContainmentRule rule = stored.rule();
        if (!rule.enforces()) {
            return store.wouldAct(stored, change, agent);
        }
        if (rule.action() == ContainmentAction.BLOCK) {
            Containment containment = Containment.by(
                    rule.name(), rule.release().after(), rule.release().trialCalls(), now);
            Block decided = due.block().contained(reason(rule, due.open()), containment, now);
            return store.block(stored, change, agent, decided, acts);
        }
        Pulse pulse = agent.pulse();
        PendingDrain drain = PendingDrain.ofRule(
                rule.name(), pulse.coordination().drainTimeout(), rule.action() == ContainmentAction.RESTART);
        return store.command(
                stored,
                change,
                pulse.withOneMoreEvent().withPendingDrain(drain),
                agent.profile().roleId(),
                acts);
    }

    private static String reason(ContainmentRule rule, ContainmentCase open) {
        return "containment rule " + rule.name() + ": "
                + String.join(
                        ", ",
                        open.reasons().stream()
                                .sorted()
                                .map(WireNamed::wireName)
                                .toList());
    }

    /** Stores whether the guards of a rule hold back agents, if this or the guard changed. */
    private void holdBack(StoredContainment stored, ContainmentPlan plan, Map<String, StoredAgent> read) {
        Optional<Map.Entry<Due, ContainmentGuard>> first = plan.heldBack().entrySet().stream()
                .min(Comparator.comparing(held -> held.getKey().open().agentId()));
        Optional<ContainmentGuard> guard = first.map(Map.Entry::getValue);
        if (guard.equals(stored.heldBack().map(HeldBack::guard))) {
            return;
        }
        store.holdBack(
                stored,
                guard.map(found -> new HeldBack(found, plan.heldBack().size(), now)),
                first.map(held -> read.get(held.getKey().open().agentId())
                                .profile()
                                .roleId())
                        .orElse(""));
        guard.ifPresent(found -> log.info(
                "containment_held_back",
                Map.of(
                        "rule",
                        stored.name(),
                        "guard",
                        found.wireName(),
                        "agents",
                        plan.heldBack().size())));
    }
}
