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
 * Removes the names of roles, providers and platforms that no agent has any more, once an hour. A role that a workflow declares stays, and so
 * does a blocked provider. Two passes may do this at the same time. Thread-safe.
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

    /** Returns whether a pass is the first of an hour; it need not be the first of this process. */
    static boolean isDue(Instant previousStart, Instant now) {
        return previousStart.isAfter(Instant.EPOCH)
                && previousStart.getEpochSecond() / SECONDS_OF_AN_HOUR < now.getEpochSecond() / SECONDS_OF_AN_HOUR;
    }

    /**
     * Marks and removes unused names, and notes those that are missing.
     *
     * @param statistics all agents that are not archived
     * @param timeLeft whether there is time to begin one more transaction
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

    /** Blocked providers stay. */
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

    /** Where there are more groups than are counted one by one, each may be among the others. */
    private static boolean mayHave(GroupStatistics counted, String name) {
        return !counted.others().equals(AgentStatistics.NONE)
                || counted.byNumber().containsKey(GroupNumber.of(name));
    }
}
