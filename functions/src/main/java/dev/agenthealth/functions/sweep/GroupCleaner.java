package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.functions.storage.workflows.GroupStore.Group;
import dev.agenthealth.functions.storage.workflows.WorkflowStore;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.GroupStatistics;
import dev.agenthealth.model.health.statistics.GroupUse;
import dev.agenthealth.model.health.statistics.GroupUse.Decision;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;
import dev.agenthealth.model.identity.GroupNumber;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Removes unused names of roles, providers and platforms, once an hour. Thread-safe.
 *
 * <p>A name is unused if no agent has it. Roles that a workflow declares stay, and so do blocked providers. Two passes may do this at the
 * same time.
 */
final class GroupCleaner {

    private static final long SECONDS_OF_AN_HOUR = Duration.ofHours(1).toSeconds();

    private final GroupStore groups;
    private final WorkflowStore workflows;
    private final BlockStore blocks;

    GroupCleaner(GroupStore groups, WorkflowStore workflows, BlockStore blocks) {
        this.groups = groups;
        this.workflows = workflows;
        this.blocks = blocks;
    }

    /** Returns whether a pass is the first of an hour, also if another process ran the previous pass. */
    static boolean isDue(Instant previousStart, Instant now) {
        return previousStart.isAfter(Instant.EPOCH)
                && previousStart.getEpochSecond() / SECONDS_OF_AN_HOUR < now.getEpochSecond() / SECONDS_OF_AN_HOUR;
    }

    /**
     * Marks and removes unused names, and adds missing names.
     *
     * @param statistics the statistics of all agents that are not archived
     * @param timeLeft whether there is time for one more transaction
     */
    void run(FleetStatistics statistics, Instant now, BooleanSupplier timeLeft) {
        Set<String> declared = workflows.declaredRoles();
        Set<String> unnamed = new HashSet<>(declared);
        for (GroupKind kind : GroupKind.values()) {
            Map<Decision, List<Group>> decided = new EnumMap<>(Decision.class);
            List<Group> used = new ArrayList<>();
            groups.all(kind).forEach(group -> {
                boolean isUsed = mayHave(statistics.of(kind), group.name())
                        || kind == GroupKind.ROLE && declared.contains(group.name());
                decided.computeIfAbsent(
                                GroupUse.decide(isUsed, group.unusedSince(), now), decision -> new ArrayList<>())
                        .add(group);
                if (isUsed) {
                    used.add(group);
                }
                if (kind == GroupKind.ROLE) {
                    unnamed.remove(group.name());
                }
            });
            if (!timeLeft.getAsBoolean()) {
                return;
            }
            groups.markUsed(kind, used);
            List<String> unused = decided.getOrDefault(Decision.MARK_UNUSED, List.of()).stream()
                    .map(Group::name)
                    .toList();
            groups.markUnused(kind, unused, now, timeLeft);
            groups.remove(kind, removable(kind, decided.getOrDefault(Decision.REMOVE, List.of())), timeLeft);
            if (kind == GroupKind.ROLE) {
                groups.noteRoles(unnamed);
            }
        }
    }

    /** Returns the unused names without blocked providers. */
    private List<Group> removable(GroupKind kind, List<Group> unused) {
        if (kind != GroupKind.PROVIDER || unused.isEmpty()) {
            return unused;
        }
        List<OfProvider> providers =
                unused.stream().map(group -> new OfProvider(group.name())).toList();
        Map<OfProvider, Block> found = blocks.of(providers);
        return unused.stream()
                .filter(group -> !found.get(new OfProvider(group.name())).inForce())
                .toList();
    }

    /** Returns whether an agent may have this name. If the statistics count small groups together, each name may be among them. */
    private static boolean mayHave(GroupStatistics counted, String name) {
        return !counted.others().equals(AgentStatistics.NONE)
                || counted.byNumber().containsKey(GroupNumber.of(name));
    }
}
