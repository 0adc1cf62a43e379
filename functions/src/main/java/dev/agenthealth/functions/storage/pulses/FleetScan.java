package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.statistics.FleetRow;
import dev.agenthealth.model.registry.lifecycle.AheadRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Reads the whole table of pulses, segment by segment, and does the plain writes of the sweep. The scan is eventually consistent. The
 * condition of each later write checks the scanned values. Thread-safe.
 */
public final class FleetScan {

    /** The attributes that are read of a row. The part of the profile that lists show, the index's key and the schema number are not read. */
    static final List<String> ATTRIBUTES = List.of(
            PulseItem.ID,
            PulseItem.STATUS,
            PulseItem.STATUS_SINCE,
            PulseItem.INCARNATION,
            PulseItem.VERSION,
            PulseItem.HEARTBEAT_COUNT,
            PulseItem.SEQUENCE,
            PulseItem.LAST_HEARTBEAT,
            PulseItem.INTERVAL,
            PulseItem.UNHEALTHY_AFTER,
            PulseItem.DEAD_AFTER,
            PulseItem.LIFE_SIGNS,
            PulseItem.LOAD,
            PulseItem.MAX_TASKS,
            PulseItem.TASK_LIST_HASH,
            PulseItem.TASK_COUNT,
            PulseItem.CONTEXT,
            PulseItem.CREDENTIAL,
            PulseItem.OWNER_KEY,
            PulseItem.DRAIN_DEADLINE,
            PulseItem.DRAIN_TIMEOUT,
            PulseItem.DRAIN_HEARTBEATS_BEFORE,
            PulseItem.DRAIN_REASON,
            PulseItem.DRAIN_REQUESTED_BY,
            PulseItem.CLEAN_UP_OF,
            PulseItem.CLEAN_UP_DEAD,
            PulseItem.CLEAN_UP_DEREGISTERED,
            PulseItem.CLEAN_UP_RESTARTED,
            PulseItem.STARTED_AT,
            PulseItem.DRIFT_REPORTED,
            PulseItem.PENDING_DRAIN_TIMEOUT,
            PulseItem.PENDING_DRAIN_REASON,
            PulseItem.PENDING_DRAIN_REQUESTED_BY,
            PulseItem.PENDING_RESTART,
            PulseItem.ROLE_NUMBER,
            PulseItem.DEFAULT_DRAIN_TIMEOUT,
            PulseItem.HEALTH,
            PulseItem.PROVIDER_NUMBER,
            PulseItem.PLATFORM_NUMBER,
            PulseItem.RESTARTS_DEGRADE_UNTIL,
            PulseItem.ACTIVITY,
            PulseItem.SPAN_ENDED,
            PulseItem.STALL_CONFIG,
            PulseItem.STALL,
            PulseItem.WAITS_FOR,
            PulseItem.TASK_WAIT,
            PulseItem.PUBLISHED_WAIT,
            PulseItem.REPEATED,
            PulseItem.REPEATED_IN_SPANS,
            PulseItem.LOOP_CONFIG,
            PulseItem.LOOP,
            PulseItem.USAGE,
            PulseItem.LIMIT_ACTION,
            PulseItem.SEEN_BY,
            PulseItem.DECLARATION_CHANGED,
            PulseItem.DISMISSED,
            PulseItem.RUN_FAILED,
            PulseItem.LAST_END,
            PulseItem.WATCH,
            PulseItem.CANARY);

    private final Database database;
    private final Table pulses;

    public FleetScan(Database database) {
        this.database = database;
        this.pulses = database.pulses();
    }

    /**
     * Reads one segment.
     *
     * @param agents receives the row of every agent
     * @param canaries receives the id of every canary and the time of its placement
     */
    public void segment(
            int segment, int totalSegments, Consumer<FleetRow> agents, BiConsumer<String, Instant> canaries) {
        pulses.scan(segment, totalSegments, ATTRIBUTES, row -> {
            if (PulseItem.isCanary(row)) {
                canaries.accept(
                        Values.text(row, PulseItem.ID), Values.moment(row, PulseItem.STATUS_SINCE, Instant.EPOCH));
            } else {
                agents.accept(PulseItem.readFleetRow(row));
            }
        });
    }

    /** Removes the marker that incarnations up to the marked one have to be cleaned up. Returns {@code false} if the marker changed. */
    public boolean clearCleanUp(Pulse seen) {
        return pulses.update(Update.of(PulseItem.key(seen.agentId()))
                .remove(
                        PulseItem.CLEAN_UP_OF,
                        PulseItem.CLEAN_UP_DEAD,
                        PulseItem.CLEAN_UP_DEREGISTERED,
                        PulseItem.CLEAN_UP_RESTARTED)
                .when(Condition.equal(PulseItem.CLEAN_UP_OF, n(seen.cleanUp().through()))));
    }

    /**
     * Stores a row without times that lie in the future. The clock is read now, because the pass that read the row began earlier.
     *
     * @return the pulse that is stored; empty if the agent was changed, or sent a heartbeat, since it was read
     */
    public Optional<Pulse> bound(Pulse seen, Duration maxAhead) {
        Pulse bounded = AheadRule.bounded(seen, maxAhead, database.now());
        return bounded.equals(seen) || pulses.update(PulseWrites.bounded(seen, bounded))
                ? Optional.of(bounded)
                : Optional.empty();
    }

    /** Removes the marker that leases have to be ended for a published stall. Returns {@code false} if the marker changed. */
    public boolean leasesOfStallEnded(Pulse seen) {
        return pulses.update(FindingWrites.leasesOfStallEnded(seen));
    }

    /** Removes the marker that leases have to be ended for a published loop. Returns {@code false} if the marker changed. */
    public boolean leasesOfLoopEnded(Pulse seen) {
        return pulses.update(FindingWrites.leasesOfLoopEnded(seen));
    }

    /**
     * Stores the computed health of an agent on its row. Costs one write unit, and changes no index.
     *
     * @param measured the health status by the outcomes alone
     * @param hundredths the score in hundredths of a point, or {@link dev.agenthealth.model.health.HealthSummary#INACTIVE}
     * @return {@code false} if there is no row of this incarnation
     */
    public boolean putHealth(
            String agentId, long incarnation, HealthStatus measured, boolean lowQuality, int hundredths) {
        return pulses.update(Update.of(PulseItem.key(agentId))
                .set(PulseItem.HEALTH, n(HealthAttributes.number(measured, lowQuality, hundredths)))
                .when(Condition.equal(PulseItem.INCARNATION, n(incarnation))));
    }
}
