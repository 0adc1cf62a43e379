package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.health.availability.AgentDayRule;
import dev.agenthealth.model.health.statistics.FleetRow;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.ArchivalRule;
import dev.agenthealth.model.registry.lifecycle.DrainRule;
import dev.agenthealth.model.registry.lifecycle.HeartbeatTimeoutRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.StallChange;
import dev.agenthealth.model.registry.lifecycle.StallRule;
import dev.agenthealth.model.registry.profile.ProbeSchedule;
import dev.agenthealth.model.sweep.MarkRule;
import dev.agenthealth.model.sweep.ProbeTimeoutRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows that a pass may have to write.
 *
 * @param graceFrom silence before this moment does not count, of agents that send heartbeats
 * @param watched judges the silence of watched agents
 * @param now the moment of the pass
 * @param markSince agents that took their status after this moment are marked
 * @param maxAhead how far times of rows may lie ahead
 * @param daysAfter days of agents are stored that are due after this moment
 * @param ended credentials that are no longer valid, or not for long, and the owners that take their place
 */
record DueRows(
        Instant graceFrom,
        ProbeTimeoutRule watched,
        Instant now,
        Duration maxAhead,
        Instant markSince,
        Instant daysAfter,
        Map<KeyHash, Owner> ended) {

    static DueRows of(Inspection inspection, Map<KeyHash, Owner> ended) {
        return new DueRows(
                inspection.graceFrom(),
                inspection.watched(),
                inspection.now(),
                inspection.maxAhead(),
                inspection.markSince(),
                inspection.daysAfter(),
                ended);
    }

    boolean isDue(FleetRow row) {
        return isUnmarked(row.pulse()) || !days(row.pulse()).isEmpty() || mayChange(row);
    }

    /** Returns whether the status is so recent that the agent may not have been marked since. */
    boolean isUnmarked(Pulse pulse) {
        return MarkRule.isDue(pulse, markSince);
    }

    /** The days of the agent that are to be stored, since 1970. */
    List<Long> days(Pulse pulse) {
        return daysAfter.isBefore(now) ? AgentDayRule.due(pulse, daysAfter, now) : List.of();
    }

    /** Returns whether the row itself may have to be written. */
    boolean mayChange(FleetRow row) {
        return mayChangeStatus(row) || mayTidyUp(row.pulse(), row);
    }

    /** Returns whether the agent may be silent, drained or stalled: a pass handles such rows first. */
    boolean mayChangeStatus(FleetRow row) {
        Pulse pulse = row.pulse();
        Instant from = graceFrom(row);
        return isAhead(pulse)
                || HeartbeatTimeoutRule.due(pulse, from, now).isPresent()
                || DrainRule.mayEnd(pulse, from, now)
                || stallChange(pulse).isPresent();
    }

    /** Returns whether an agent with this pulse, which may be newer than its row, has leases to end, another credential, or is archived. */
    boolean mayTidyUp(Pulse pulse, FleetRow row) {
        return successor(row.pulse()).isPresent()
                || pulse.stall().releasesLeases()
                || pulse.cleanUpOf() != Pulse.NOTHING_TO_CLEAN_UP
                || mayBeArchived(pulse, row);
    }

    /** Returns whether times of the row lie ahead of the pass. */
    boolean isAhead(Pulse pulse) {
        return pulse.isAhead(maxAhead, now);
    }

    /** The moment before which silence of the agent does not count. */
    Instant graceFrom(FleetRow row) {
        return row.isJudgedByProbes() ? watched.graceFrom() : graceFrom;
    }

    /** The stall that is to be published, or the end of one. */
    Optional<StallChange> stallChange(Pulse pulse) {
        return StallRule.due(pulse, graceFrom, now);
    }

    /** Returns whether an agent with this pulse, which may be newer than its row, is archived. */
    boolean mayBeArchived(Pulse pulse, FleetRow row) {
        return ArchivalRule.isDue(pulse, now)
                && !pulse.stall().isOpen()
                && !ProbeSchedule.isProbed(pulse, row.watchSeconds(), now);
    }

    /** The owner that takes the place of the one on the row; empty where that stays. */
    Optional<Owner> successor(Pulse pulse) {
        return Optional.ofNullable(ended.get(pulse.owner().credential()));
    }
}
