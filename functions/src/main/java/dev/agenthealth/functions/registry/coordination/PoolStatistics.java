package dev.agenthealth.functions.registry.coordination;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.lifecycle.DownRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.LoopRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.StallRule;
import dev.agenthealth.model.registry.workflow.PoolCapacity;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;

/**
 * The total capacity of a pool by lifecycle status (RFC-0016 §7.2). The capacity is the sum over all members that are not gone. Draining
 * members count, because they still work on their tasks.
 *
 * @param byStatus the total capacity of the members in each status
 * @param stalled the number of members without progress for longer than they declare
 * @param looping the number of members that repeat the same calls at least as often as they declare
 * @param asOf the time of the count
 * @param truncated whether there are more members, which are not counted
 */
record PoolStatistics(
        Map<LifecycleStatus, PoolCapacity> byStatus, long stalled, long looping, Instant asOf, boolean truncated) {

    /** Returns the statistics of these members. */
    static PoolStatistics of(Collection<Pulse> members, Instant asOf, boolean truncated) {
        Map<LifecycleStatus, PoolCapacity> byStatus = new EnumMap<>(LifecycleStatus.class);
        for (LifecycleStatus status : LifecycleStatus.values()) {
            if (status != LifecycleStatus.REGISTERING) {
                byStatus.put(status, PoolCapacity.EMPTY);
            }
        }
        // Dead members that are gone do not count, as in the sweep.
        members.stream()
                .filter(pulse -> pulse.status() != LifecycleStatus.DEAD || !DownRule.isOver(pulse, asOf))
                .forEach(pulse -> byStatus.merge(pulse.status(), PoolCapacity.of(pulse), PoolCapacity::plus));
        return new PoolStatistics(
                byStatus,
                members.stream().filter(StallRule::isStalled).count(),
                members.stream().filter(LoopRule::isLooping).count(),
                asOf,
                truncated);
    }

    /** Returns the number of members. */
    long members() {
        return byStatus.values().stream().mapToLong(PoolCapacity::members).sum();
    }

    boolean isEmpty() {
        return members() == 0;
    }

    /** Puts the statistics, and the bounds that a workflow declares; null if no workflow declares bounds. */
    void put(ObjectNode json, GroupStore.Role role) {
        PoolCapacity capacity = byStatus.entrySet().stream()
                .filter(part -> !part.getKey().hasEnded())
                .map(Map.Entry::getValue)
                .reduce(PoolCapacity.EMPTY, PoolCapacity::plus);
        put(json.putObject("capacity"), capacity);
        ObjectNode statuses = json.putObject("by_status");
        byStatus.forEach((status, part) -> {
            ObjectNode ofStatus = statuses.putObject(status.wireName());
            ofStatus.put("members", part.members());
            put(ofStatus, part);
        });
        json.put("stalled", stalled);
        json.put("looping", looping);
        if (role.declared()) {
            WorkflowJson.putBounds(json, role.defaults().pool());
        } else {
            json.putNull("min_instances");
            json.putNull("max_instances");
        }
        json.put(
                "below_minimum",
                role.defaults()
                        .pool()
                        .isBelow(byStatus.get(LifecycleStatus.ACTIVE).members()));
        json.put("truncated", truncated);
        json.put("as_of", Timestamps.text(asOf));
    }

    private static void put(ObjectNode json, PoolCapacity capacity) {
        json.put("max_concurrent_tasks", capacity.maxConcurrentTasks());
        json.put("current_load", capacity.currentLoad());
        json.put("available", capacity.available());
    }
}
