package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.asSeen;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.incarnationIs;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.ownerAsSeen;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.repetitionAsSeen;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.sameOwner;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.sameOwnerAndVersion;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.spansAsSeen;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.statusIs;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.unchanged;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.versionIs;

import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Builds the updates of a pulse's row and their conditions. Each update changes only the attributes of its subject, so that a row of a
 * newer version keeps attributes that this version does not know.
 */
public final class PulseWrites {

    private static final List<String> DRAIN = List.of(
            PulseItem.DRAIN_DEADLINE,
            PulseItem.DRAIN_TIMEOUT,
            PulseItem.DRAIN_HEARTBEATS_BEFORE,
            PulseItem.DRAIN_REASON,
            PulseItem.DRAIN_REQUESTED_BY);

    static final List<String> PENDING_DRAIN = List.of(
            PulseItem.PENDING_DRAIN_TIMEOUT,
            PulseItem.PENDING_DRAIN_REASON,
            PulseItem.PENDING_DRAIN_REQUESTED_BY,
            PulseItem.PENDING_RESTART);

    private PulseWrites() {}

    /** Returns the update of a transition, if the pulse is unchanged. */
    public static Update transition(Transition transition) {
        Pulse after = transition.after();
        Map<String, AttributeValue> row = PulseItem.of(after);
        Update update = Update.of(PulseItem.key(after.agentId()))
                .setPresent(
                        List.of(
                                PulseItem.STATUS,
                                PulseItem.STATUS_SHARD,
                                PulseItem.STATUS_SINCE,
                                PulseItem.VERSION,
                                PulseItem.HEARTBEAT_COUNT,
                                PulseItem.SEQUENCE,
                                PulseItem.LAST_HEARTBEAT,
                                PulseItem.LOAD,
                                PulseItem.CONTEXT,
                                PulseItem.STARTED_AT,
                                PulseItem.CLEAN_UP_OF,
                                PulseItem.CLEAN_UP_DEAD,
                                PulseItem.CLEAN_UP_DEREGISTERED,
                                PulseItem.CLEAN_UP_RESTARTED,
                                PulseItem.LAST_END),
                        row)
                .replace(List.of(PulseItem.TASK_COUNT, PulseItem.ACTIVITY, PulseItem.REPEATED, PulseItem.SEEN_BY), row)
                .replace(DRAIN, row)
                .when(unchanged(transition.before()));
        if (!after.activity().isRunning()) {
            update.replace(List.of(PulseItem.SPAN_ENDED), Map.of());
        }
        if (after.status().hasEnded()) {
            update.replace(List.of(PulseItem.TASK_WAIT, PulseItem.WAITS_FOR, PulseItem.REPEATED_IN_SPANS), Map.of());
        }
        // Any other transition must keep a command that arrived at the same time.
        return after.status() == LifecycleStatus.DRAINING || after.status().hasEnded()
                ? update.replace(PENDING_DRAIN, Map.of())
                : update;
    }

    /**
     * Returns the update for a heartbeat that the registry sends for an agent and that changes no status, if the pulse is unchanged. A
     * heartbeat of the agent also counts as a change, because the registry's heartbeat may then be too early.
     */
    public static Update heartbeatOfRegistry(Pulse seen, Pulse after) {
        return Update.of(PulseItem.key(after.agentId()))
                .setPresent(
                        List.of(
                                PulseItem.LAST_HEARTBEAT,
                                PulseItem.HEARTBEAT_COUNT,
                                PulseItem.SEEN_BY,
                                PulseItem.DRAIN_HEARTBEATS_BEFORE),
                        PulseItem.of(after))
                .when(unchanged(seen));
    }

    /**
     * Stores a requested drain, or withdraws it if {@code drain} is {@link PendingDrain#NONE}. The condition is that incarnation, status
     * and the previously requested drain are as seen.
     */
    public static Update pendingDrain(Pulse seen, PendingDrain drain) {
        Map<String, AttributeValue> before = PulseItem.of(seen);
        Update update = Update.of(PulseItem.key(seen.agentId()))
                .replace(PENDING_DRAIN, PulseItem.of(seen.withPendingDrain(drain)))
                .when(incarnationIs(seen.incarnation()))
                .when(statusIs(seen.status()));
        PENDING_DRAIN.forEach(name -> update.when(asSeen(name, before)));
        return update;
    }

    /**
     * Stores another deadline of a drain. The condition is that incarnation, version, status and the attribute that says whether the agent
     * knows of the drain are as seen. The answer of a probe changes this attribute.
     */
    public static Update drain(Pulse seen, Pulse after) {
        Map<String, AttributeValue> row = PulseItem.of(after);
        return Update.of(PulseItem.key(seen.agentId()))
                .setPresent(List.of(PulseItem.VERSION), row)
                .replace(DRAIN, row)
                .when(incarnationIs(seen.incarnation()))
                .when(versionIs(seen.version()))
                .when(statusIs(seen.status()))
                .when(asSeen(PulseItem.DRAIN_HEARTBEATS_BEFORE, PulseItem.of(seen)));
    }

    /**
     * Counts events that change no status, if incarnation and number of events are as seen.
     *
     * @param counted the pulse with the events counted
     * @param events the number of events
     */
    public static Update events(Pulse counted, int events) {
        return events(PulseItem.key(counted.agentId()), counted, events);
    }

    /** Counts one event that changes no status, as {@link #events(Pulse, int)} does, on the agent's row or tombstone with this key. */
    public static Update eventsOf(Map<String, AttributeValue> key, Pulse counted) {
        return events(key, counted, 1);
    }

    private static Update events(Map<String, AttributeValue> key, Pulse counted, int events) {
        return Update.of(key)
                .set(PulseItem.SEQUENCE, n(counted.sequence()))
                .when(incarnationIs(counted.incarnation()))
                .when(Condition.equal(PulseItem.SEQUENCE, n(counted.sequence() - events)));
    }

    /**
     * Counts the event of a block or unblock and stores the end of the block, under the conditions of {@link #events}.
     *
     * @param key the key of the agent's row or of its tombstone
     */
    public static Update block(Map<String, AttributeValue> key, Pulse counted) {
        return events(key, counted, 1).replace(List.of(PulseItem.BLOCKED_UNTIL), PulseItem.of(counted));
    }

    /**
     * Counts the event of a rule and stores the drain that the rule requests, under the conditions of {@link #events}.
     *
     * @param counted the pulse with the event counted and the drain pending
     */
    public static Update commanded(Pulse counted) {
        return events(counted, 1).replace(PENDING_DRAIN, PulseItem.of(counted)).when(statusIs(counted.status()));
    }

    /**
     * Counts the event of a declaration and stores whether the declaration differs from the accepted declaration, under the conditions of
     * {@link #events}.
     *
     * @param key the key of the agent's row or of its tombstone
     */
    public static Update declaration(Map<String, AttributeValue> key, Pulse counted) {
        return events(key, counted, 1).replace(List.of(PulseItem.DECLARATION_CHANGED), PulseItem.of(counted));
    }

    /**
     * Counts the event of a dismissal and stores that the agent is dismissed, under the conditions of {@link #events}. A change of status
     * has an event of its own, so it also breaks these conditions.
     */
    public static Update dismissal(Pulse counted) {
        return events(counted, 1).replace(List.of(PulseItem.DISMISSED), PulseItem.of(counted));
    }

    /** Counts the event of a run and stores whether it failed, under the conditions of {@link #events}, and if the owner is as seen. */
    public static Update run(Pulse counted) {
        return events(counted, 1)
                .replace(List.of(PulseItem.RUN_FAILED), PulseItem.of(counted))
                .when(sameOwner(counted));
    }

    /** Counts the event of a clock drift and stores the time of the report, under the conditions of {@link #events}. */
    public static Update drift(Pulse counted) {
        return events(counted, 1).set(PulseItem.DRIFT_REPORTED, moment(counted.driftReportedAt()));
    }

    /** Stores a row without times that lie in the future, if the pulse is unchanged, also by heartbeats and spans. */
    static Update bounded(Pulse seen, Pulse bounded) {
        Map<String, AttributeValue> row = PulseItem.of(bounded);
        return Update.of(PulseItem.key(seen.agentId()))
                .setPresent(List.of(PulseItem.STATUS_SINCE, PulseItem.LAST_HEARTBEAT), row)
                .replace(
                        List.of(
                                PulseItem.DRIFT_REPORTED,
                                PulseItem.ACTIVITY,
                                PulseItem.SPAN_ENDED,
                                PulseItem.TASK_WAIT,
                                PulseItem.REPEATED_IN_SPANS),
                        row)
                .replace(DRAIN, row)
                .when(unchanged(seen))
                .when(spansAsSeen(seen))
                .when(repetitionAsSeen(seen));
    }

    /**
     * Stores the owner, if incarnation and owner are as seen.
     *
     * @param key the key of the agent's row or of its tombstone
     */
    public static Update owner(Map<String, AttributeValue> key, Pulse seen, Owner owner) {
        return Update.of(key)
                .replace(List.of(PulseItem.OWNER_KEY, PulseItem.CREDENTIAL), PulseItem.owner(owner))
                .when(incarnationIs(seen.incarnation()))
                .when(ownerAsSeen(seen));
    }

    /** Stores the owner, if the version is also as seen: the new owner was checked against the profile. */
    public static Update transfer(Map<String, AttributeValue> key, Pulse seen, Owner owner) {
        return owner(key, seen, owner).when(versionIs(seen.version()));
    }

    /** Stores the owner as {@link #transfer} does, and counts the event about the end of a failed run, if the number of events is as seen. */
    public static Update transferAfterRun(Pulse seen, Pulse counted, Owner owner) {
        return transfer(PulseItem.key(seen.agentId()), seen, owner)
                .set(PulseItem.SEQUENCE, n(counted.sequence()))
                .replace(List.of(PulseItem.RUN_FAILED), PulseItem.of(counted))
                .when(Condition.equal(PulseItem.SEQUENCE, n(seen.sequence())));
    }

    /** Stores the hash of the list of tasks in progress, if the incarnation is as seen. */
    public static Update tasks(Pulse seen, long hash) {
        return Update.of(PulseItem.key(seen.agentId()))
                .set(PulseItem.TASK_LIST_HASH, n(hash))
                .when(incarnationIs(seen.incarnation()));
    }

    /** Stores the part of a profile that the row repeats, and an event of the declaration, if version, incarnation and owner are as seen. */
    public static Update profile(Pulse seen, Pulse after, AgentProfile profile) {
        HealthSummary health = HealthSummary.NONE
                .in(profile.description().providerId(), profile.description().platform())
                .after(profile.history().restarts());
        Map<String, AttributeValue> row = PulseItem.of(after, health, profile);
        Update update = Update.of(PulseItem.key(profile.agentId()))
                .replace(
                        List.of(
                                PulseItem.VERSION,
                                PulseItem.INTERVAL,
                                PulseItem.UNHEALTHY_AFTER,
                                PulseItem.DEAD_AFTER,
                                PulseItem.STALL_CONFIG,
                                PulseItem.LOOP_CONFIG,
                                PulseItem.LIFE_SIGNS,
                                PulseItem.MAX_TASKS,
                                PulseItem.PROVIDER_NUMBER,
                                PulseItem.PLATFORM_NUMBER,
                                PulseItem.RESTARTS_DEGRADE_UNTIL,
                                PulseItem.LISTED,
                                PulseItem.WATCH),
                        row)
                .when(sameOwnerAndVersion(seen));
        return after.sequence() == seen.sequence()
                ? update
                : update.replace(List.of(PulseItem.SEQUENCE, PulseItem.DECLARATION_CHANGED), row)
                        .when(Condition.equal(PulseItem.SEQUENCE, n(seen.sequence())));
    }
}
