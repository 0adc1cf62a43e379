package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.functions.storage.workflows.GroupStore.Group;
import dev.agenthealth.functions.storage.workflows.WorkflowStore;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.statistics.AgentStatistics;
import dev.agenthealth.model.statistics.FleetStatistics;
import dev.agenthealth.model.statistics.GroupKind;
import dev.agenthealth.model.statistics.GroupStatistics;
import dev.agenthealth.model.statistics.GroupUse;
import dev.agenthealth.model.trust.TrustSubject.OfProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
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
     * @param timeLeft whether there is time to begin one more name
     */
    void run(FleetStatistics statistics, Instant now, BooleanSupplier timeLeft) {
        Set<String> declared = workflows.declaredRoles();
        Set<String> unnamed = new HashSet<>(declared);
        for (GroupKind kind : GroupKind.values()) {
            GroupStatistics counted = statistics.of(kind);
            for (Group group : groups.all(kind)) {
                if (!timeLeft.getAsBoolean()) {
                    return;
                }
                boolean role = kind == GroupKind.ROLE;
                boolean used = mayHave(counted, group.name()) || role && declared.contains(group.name());
                keep(kind, group, used, now);
                if (role) {
                    unnamed.remove(group.name());
                }
            }
            if (kind == GroupKind.ROLE) {
                groups.noteRoles(unnamed);
            }
        }
    }

    /** Where there are more groups than are counted one by one, each may be among the others. */
    private static boolean mayHave(GroupStatistics counted, String name) {
        return !counted.others().equals(AgentStatistics.NONE)
                || counted.byNumber().containsKey(GroupNumber.of(name));
    }

    private void keep(GroupKind kind, Group group, boolean used, Instant now) {
        switch (GroupUse.decide(used, group.unusedSince(), now)) {
            case KEEP -> {
                if (used) {
                    groups.markUsed(kind, group);
                }
            }
            case MARK_UNUSED -> groups.markUnused(kind, group.name(), now);
            case REMOVE -> {
                if (kind != GroupKind.PROVIDER || !isBlocked(group.name())) {
                    groups.remove(kind, group);
                }
            }
        }
    }

    private boolean isBlocked(String providerId) {
        OfProvider provider = new OfProvider(providerId);
        return blocks.of(List.of(provider)).get(provider).inForce();
    }
}
