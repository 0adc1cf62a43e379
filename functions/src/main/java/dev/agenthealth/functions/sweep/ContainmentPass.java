package dev.agenthealth.functions.sweep;

import static java.util.stream.Collectors.groupingBy;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.containment.ContainmentStore;
import dev.agenthealth.functions.storage.containment.ContainmentStore.Watch;
import dev.agenthealth.functions.storage.containment.StoredContainment;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.ghosts.GhostStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.workflows.PoolStore;
import dev.agenthealth.model.health.containment.ContainmentCandidate;
import dev.agenthealth.model.health.containment.ContainmentCase;
import dev.agenthealth.model.health.containment.ContainmentChange;
import dev.agenthealth.model.health.containment.ContainmentReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Applies the rules that contain agents to the fleet as a pass read it. Without a rule, it costs nothing. Thread-safe.
 *
 * <p>The rows give the agents with a reason. Each of them has a case, which says since when the reason holds. {@link ContainmentActs} acts on the
 * cases that are due.
 */
final class ContainmentPass {

    /** The maximum number of agents with a process that goes on after their end. */
    private static final int MAX_GHOSTS = 50;

    private final Database database;
    private final ContainmentStore store;
    private final BlockStore blocks;
    private final Log log;

    ContainmentPass(Database database, Log log) {
        this.database = database;
        this.store = new ContainmentStore(database);
        this.blocks = new BlockStore(database);
        this.log = log;
    }

    /**
     * Applies the rules.
     *
     * @param pools the declared minimums of pools
     * @param timeLeft whether there is time for one more agent
     */
    void run(FleetReading reading, PoolStore.Watch pools, Instant now, BooleanSupplier timeLeft) {
        if (!reading.candidates().needed()) {
            return;
        }
        Watch watch = store.watch();
        List<ContainmentCandidate> candidates = found(watch, reading);
        BlockStore.InForce inForce = candidates.isEmpty() ? BlockStore.InForce.NONE : blocks.inForce();
        Map<String, List<ContainmentCase>> cases = watch.cases().stream().collect(groupingBy(ContainmentCase::rule));
        Map<String, List<ContainmentCandidate>> found =
                candidates.stream().collect(groupingBy(ContainmentCandidate::rule));
        Map<String, List<ContainmentChange>> seen = new LinkedHashMap<>();
        for (StoredContainment rule : watch.rules()) {
            seen.put(
                    rule.name(),
                    ContainmentChange.seen(
                            cases.getOrDefault(rule.name(), List.of()),
                            found.getOrDefault(rule.name(), List.of()),
                            inForce.agents(),
                            now));
        }
        ContainmentActs acts =
                new ContainmentActs(database, log, watch.acts(), seen, inForce.upstreams(), now, timeLeft);
        ContainmentRoles roles = new ContainmentRoles(reading, pools);
        List<ContainmentChange> changes = new ArrayList<>();
        watch.rules().forEach(rule -> changes.addAll(acts.apply(rule, roles)));
        // Cases of a rule that was deleted.
        cases.keySet().stream().filter(rule -> !seen.containsKey(rule)).forEach(rule -> cases.get(rule)
                .forEach(one -> changes.add(ContainmentChange.removed(one))));
        store.write(changes.stream().filter(ContainmentChange::isChange).toList(), timeLeft);
    }

    /** Returns the agents with a reason: from the rows, and agents with a process that goes on after their end. */
    private List<ContainmentCandidate> found(Watch watch, FleetReading reading) {
        List<ContainmentCandidate> found = new ArrayList<>(reading.candidates().agents());
        List<StoredContainment> rules = watch.rules().stream()
                .filter(rule -> rule.rule().when().reasons().contains(ContainmentReason.ACTIVE_WHILE_GONE))
                .toList();
        if (rules.isEmpty()) {
            return found;
        }
        AgentStore agents = new AgentStore(database);
        Map<String, StoredAgent> gone = new HashMap<>();
        for (String agentId : new GhostStore(database).active(MAX_GHOSTS)) {
            agents.find(agentId)
                    .filter(agent ->
                            agent.hasProfile() && agent.pulse().status().hasEnded())
                    .ifPresent(agent -> gone.put(agentId, agent));
        }
        rules.forEach(rule -> gone.forEach((agentId, agent) -> {
            if (ContainmentActs.covers(rule.rule(), agent)) {
                found.add(new ContainmentCandidate(
                        rule.name(),
                        agentId,
                        agent.pulse().coordination().roleNumber(),
                        Set.of(ContainmentReason.ACTIVE_WHILE_GONE)));
            }
        }));
        return found;
    }
}
