package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.health.availability.AgentDayRule;
import dev.agenthealth.model.health.statistics.FleetRow;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.AheadRule;
import dev.agenthealth.model.registry.lifecycle.ArchivalRule;
import dev.agenthealth.model.registry.lifecycle.DrainRule;
import dev.agenthealth.model.registry.lifecycle.FailedRun;
import dev.agenthealth.model.registry.lifecycle.HeartbeatTimeoutRule;
import dev.agenthealth.model.registry.lifecycle.LimitCommandRule;
import dev.agenthealth.model.registry.lifecycle.LoopChange;
import dev.agenthealth.model.registry.lifecycle.LoopRule;
import dev.agenthealth.model.registry.lifecycle.PublishedFindings;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.StallChange;
import dev.agenthealth.model.registry.lifecycle.StallRule;
import dev.agenthealth.model.registry.lifecycle.WaitingChange;
import dev.agenthealth.model.registry.lifecycle.WaitingRule;
import dev.agenthealth.model.registry.profile.ProbeSchedule;
import dev.agenthealth.model.sweep.MarkRule;
import dev.agenthealth.model.sweep.ProbeTimeoutRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the rows that a pass may have to write.
 *
 * @param graceFrom the time from which missing heartbeats count, for agents that send heartbeats
 * @param watched the timeout rules for watched agents
 * @param now the time of the pass
 * @param maxAhead how far times of rows may lie in the future
 * @param after the times after which work is due
 * @param inForce the blocks and stops in force, and the model providers that fail for many agents
 * @param ended the new owner by old credential, for credentials that ended or end soon
 */
record DueRows(
        Instant graceFrom,
        ProbeTimeoutRules watched,
        Instant now,
        Duration maxAhead,
        Inspection.After after,
        BlockStore.InForce inForce,
        Map<KeyHash, Owner> ended) {

    static DueRows of(Inspection inspection, BlockStore.InForce inForce, Map<KeyHash, Owner> ended) {
        return new DueRows(
                inspection.graceFrom(),
                inspection.watched(),
                inspection.now(),
                inspection.maxAhead(),
                inspection.after(),
                inForce,
                ended);
    }

    boolean isDue(FleetRow row) {
        return isUnmarked(row.pulse()) || !days(row).isEmpty() || mayChange(row);
    }

    /** Returns whether the status changed so recently that no pass may have marked the agent since. */
    boolean isUnmarked(Pulse pulse) {
        return MarkRule.isDue(pulse, after.marks());
    }

    /** Returns the days of the agent that a pass has to store, as numbers of days since 1970. */
    List<Long> days(FleetRow row) {
        return after.days().isBefore(now) ? AgentDayRule.due(row, after.days(), now) : List.of();
    }

    /** Returns whether a pass may have to write the row itself. */
    boolean mayChange(FleetRow row) {
        return mayChangeStatus(row) || mayTidyUp(row.pulse(), row);
    }

    /** Returns whether the agent may be past its heartbeat timeout, drained, stalled, looping or waiting. A pass handles such rows first. */
    boolean mayChangeStatus(FleetRow row) {
        Pulse pulse = row.pulse();
        Instant from = graceFrom(row);
        return isAhead(pulse)
                || HeartbeatTimeoutRule.due(pulse, from, now).isPresent()
                || DrainRule.mayEnd(pulse, from, now)
                || stallChange(pulse).isPresent()
                || waitingChange(pulse).isPresent()
                || loopChange(pulse).isPresent()
                || hasOutlivingRun(pulse);
    }

    /**
     * Returns whether a pass may have to end leases of the agent, replace its credential, let it follow a stop or lose the command of a limit, or archive it.
     *
     * @param pulse the pulse of the agent, which may be newer than the row
     */
    boolean mayTidyUp(Pulse pulse, FleetRow row) {
        return successor(row.pulse()).isPresent()
                || pulse.stall().releasesLeases()
                || inForce.stops().due(pulse).isPresent()
                || mayLoseCommand(pulse)
                || pulse.loop().releasesLeases()
                || pulse.cleanUp().isPending()
                || mayBeArchived(pulse, row);
    }

    /** Returns whether the limit that asks the agent to drain or to restart may no longer be used up. */
    boolean mayLoseCommand(Pulse pulse) {
        return LimitCommandRule.isOver(pulse, inForce.shared(), now);
    }

    /** Returns whether times of the row lie in the future. */
    boolean isAhead(Pulse pulse) {
        return AheadRule.isAhead(pulse, maxAhead, now);
    }

    /** Returns the time from which missing heartbeats of the agent count. */
    Instant graceFrom(FleetRow row) {
        return row.isJudgedByProbes() ? watched.of(row.pulse().owner()).graceFrom() : graceFrom;
    }

    /** Returns the beginning, change or end of a stall that a pass has to publish. */
    Optional<StallChange> stallChange(Pulse pulse) {
        return StallRule.due(pulse, graceFrom, isShared(pulse), now);
    }

    /** Returns the beginning, change or end of a loop that a pass has to publish. */
    Optional<LoopChange> loopChange(Pulse pulse) {
        return LoopRule.due(pulse, isShared(pulse), now);
    }

    /** Returns whether a pass has to publish again that the last run failed. */
    boolean hasOutlivingRun(Pulse pulse) {
        return FailedRun.outlivesProvider(pulse, isShared(pulse));
    }

    private boolean isShared(Pulse pulse) {
        return inForce.upstreams().of(pulse.agentId()).isPresent();
    }

    /** Returns the beginning or end of a wait for a person that a pass has to publish. */
    Optional<WaitingChange> waitingChange(Pulse pulse) {
        return WaitingRule.due(pulse, after.waits(), now);
    }

    /**
     * Returns whether a pass archives the agent.
     *
     * @param pulse the pulse of the agent, which may be newer than the row
     */
    boolean mayBeArchived(Pulse pulse, FleetRow row) {
        return ArchivalRule.isDue(pulse, now)
                && !pulse.stall().isOpen()
                && pulse.publishedWait().equals(PublishedFindings.NO_WAIT)
                && !pulse.loop().isOpen()
                && !ProbeSchedule.isProbed(pulse, row.watchSeconds(), now);
    }

    /** Returns the owner that replaces the owner on the row; empty if the owner stays. */
    Optional<Owner> successor(Pulse pulse) {
        return Optional.ofNullable(ended.get(pulse.owner().credential()));
    }
}
