package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.identity.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of one agent that heartbeats change and the sweep reads.
 *
 * @param agentId the agent instance (RFC-0016 §8.1)
 * @param status lifecycle status
 * @param statusSince when it took this status
 * @param incarnation number of this registration of the id, from 1
 * @param version rises with every status or profile change, from 1 at each registration (RFC-0016 §1.1)
 * @param heartbeatCount number of heartbeats of this incarnation
 * @param sequence number of the agent's last event; never resets, so that subscribers can order events and drop duplicates
 * @param lastHeartbeatAt when the last heartbeat arrived, by the server's clock
 * @param config interval and thresholds
 * @param workload load and capacity, as the agent reports them
 * @param owner the key that owns the agent; {@link Owner#NONE} for none
 * @param drain the drain under way, or {@link Drain#NONE}
 * @param cleanUp the incarnations whose leases are still to be cleaned up, or {@link CleanUp#NONE}
 * @param driftReportedAt when a clock drift of this agent was last published; {@link Instant#EPOCH} for never
 * @param coordination role, drain timeout and pending drain
 * @param startedAt when its process started, as the agent reports it; {@link ProcessStart#UNKNOWN} where it does not
 * @param activity what its last heartbeat says of its tasks, or {@link Activity#NONE}
 * @param stall the stall that was published and is not over, or {@link PublishedStall#NONE}
 * @param seenBy what its last heartbeat was sent by or for
 * @param declarationChanged whether it declares something else than what was accepted
 * @param dismissed whether an operator said that it is dead for good
 * @param runFailed whether its last run failed that a ping reported
 * @param lastEnd how its last registration ended, or {@link LastEnd#NONE}
 */
public record Pulse(
        String agentId,
        LifecycleStatus status,
        Instant statusSince,
        long incarnation,
        long version,
        long heartbeatCount,
        long sequence,
        Instant lastHeartbeatAt,
        HeartbeatConfig config,
        Workload workload,
        Owner owner,
        Drain drain,
        CleanUp cleanUp,
        Instant driftReportedAt,
        Coordination coordination,
        Instant startedAt,
        Activity activity,
        PublishedStall stall,
        SeenBy seenBy,
        boolean declarationChanged,
        boolean dismissed,
        boolean runFailed,
        LastEnd lastEnd) {

    /** The clean-up marker of an agent without leftovers. */
    public static final long NOTHING_TO_CLEAN_UP = 0;

    /** The incarnation of a request that names none. */
    public static final long ANY_INCARNATION = 0;

    /** A pulse of an agent that reports no activity. */
    public Pulse(
            String agentId,
            LifecycleStatus status,
            Instant statusSince,
            long incarnation,
            long version,
            long heartbeatCount,
            long sequence,
            Instant lastHeartbeatAt,
            HeartbeatConfig config,
            Workload workload,
            Owner owner,
            Drain drain,
            CleanUp cleanUp,
            Instant driftReportedAt,
            Coordination coordination,
            Instant startedAt) {
        this(
                agentId,
                status,
                statusSince,
                incarnation,
                version,
                heartbeatCount,
                sequence,
                lastHeartbeatAt,
                config,
                workload,
                owner,
                drain,
                cleanUp,
                driftReportedAt,
                coordination,
                startedAt,
                Activity.NONE,
                PublishedStall.NONE,
                SeenBy.HEARTBEAT,
                false,
                false,
                false,
                LastEnd.NONE);
    }

    /** The pulse of an id that registers for the first time (RFC-0016 §3.2), which may be blocked already. */
    public static Pulse first(
            String agentId,
            HeartbeatConfig config,
            int maxConcurrentTasks,
            Coordination coordination,
            Owner owner,
            Instant now) {
        Builder unregistered = new Builder(forgotten(agentId, now));
        unregistered.coordination = coordination;
        return unregistered.build().reRegistered(config, maxConcurrentTasks, coordination, owner, now);
    }

    /** Returns whether the id registered once, and neither its status nor its profile changed since. */
    public boolean isAsFirstRegistered() {
        return incarnation == 1 && version == 1;
    }

    /**
     * The pulse after this id registers again (RFC-0016 §3.3): version 1, no load and no drain. The sequence continues; a block, an unfinished
     * clean-up and the time of the last drift event are kept.
     *
     * @throws IllegalArgumentException for an agent that is not gone: its id is taken
     */
    public Pulse reRegistered(
            HeartbeatConfig newConfig,
            int maxConcurrentTasks,
            Coordination newCoordination,
            Owner newOwner,
            Instant now) {
        if (!status.hasEnded()) {
            throw new IllegalArgumentException("an agent that is " + status.wireName() + " does not register again");
        }
        Builder next = new Builder(this);
        next.status = LifecycleStatus.ACTIVE;
        next.statusSince = Transition.notBefore(this, now);
        next.incarnation++;
        next.version = 1;
        next.heartbeatCount = 0;
        next.sequence++;
        next.lastHeartbeatAt = heardAt(now);
        next.config = newConfig;
        next.workload = Workload.starting(maxConcurrentTasks);
        next.owner = newOwner;
        next.drain = Drain.NONE;
        next.coordination = newCoordination.blockedAlsoUntil(coordination.blockedUntil());
        next.startedAt = ProcessStart.UNKNOWN;
        next.activity = Activity.NONE;
        next.seenBy = SeenBy.HEARTBEAT;
        next.dismissed = false;
        next.runFailed = false;
        return next.build();
    }

    /** Returns the pulse of an agent whose process started at this moment, or {@link ProcessStart#UNKNOWN}. */
    public Pulse started(Instant moment) {
        Builder next = new Builder(this);
        next.startedAt = moment;
        return next.build();
    }

    /** Returns the pulse of an agent that was registered again for this reason. */
    public Pulse seenBy(SeenBy by) {
        Builder next = new Builder(this);
        next.seenBy = by;
        return next.build();
    }

    /** The last incarnation whose leases are still to be cleaned up; {@link #NOTHING_TO_CLEAN_UP} for none. */
    public long cleanUpOf() {
        return cleanUp.through();
    }

    /**
     * Returns how an incarnation came to its end that is to be cleaned up.
     *
     * @throws IllegalArgumentException for another incarnation
     */
    public CleanUp.Cause endOf(long gone) {
        return cleanUp.causeOf(gone);
    }

    /** Returns whether a request that names this incarnation, or {@link #ANY_INCARNATION}, comes from the current one. */
    public boolean isCurrent(long named) {
        return named == ANY_INCARNATION || named == incarnation;
    }

    /** Returns when this incarnation registered; empty once its status or profile has changed. */
    public Optional<Instant> incarnationBegan() {
        return version == 1 ? Optional.of(statusSince) : Optional.empty();
    }

    /**
     * The pulse in its next status, one version and one event later. A status that is gone marks the incarnation for clean-up.
     *
     * @throws IllegalArgumentException where {@link LifecycleTransitions} does not allow it, and for leaving a
     *     {@linkplain LifecycleStatus#GONE gone} status, which takes {@linkplain #reRegistered a registration}
     */
    public Pulse withStatus(LifecycleStatus nextStatus, Drain nextDrain, Instant now) {
        boolean comesBack = status.hasEnded() && !nextStatus.hasEnded();
        if (comesBack || !LifecycleTransitions.allows(status, nextStatus)) {
            throw new IllegalArgumentException(
                    "no agent goes from " + status.wireName() + " to " + nextStatus.wireName());
        }
        Builder next = new Builder(this);
        next.status = nextStatus;
        next.statusSince = Transition.notBefore(this, now);
        next.version++;
        next.sequence++;
        next.drain = nextDrain;
        if (nextStatus.hasEnded()) {
            next.activity = Activity.NONE;
            next.cleanUp = cleanUp.and(
                    incarnation,
                    nextStatus == LifecycleStatus.DEAD ? CleanUp.Cause.DEATH : CleanUp.Cause.DEREGISTRATION);
        }
        if (nextStatus.hasEnded() || nextStatus == LifecycleStatus.DRAINING) {
            next.coordination = coordination.withPendingDrain(PendingDrain.NONE);
        }
        return next.build();
    }

    /**
     * The pulse of an agent that has just ended, with who ended it and why.
     *
     * @throws IllegalArgumentException for an agent that is not gone
     */
    public Pulse ended(EndedBy by, LifecycleReason reason) {
        if (!status.hasEnded()) {
            throw new IllegalArgumentException("an agent that is " + status.wireName() + " has not ended");
        }
        Builder next = new Builder(this);
        next.lastEnd = new LastEnd(by, reason, statusSince);
        return next.build();
    }

    /** Returns the end of the registration before the current one; {@link LastEnd#NONE} while the agent is gone. */
    public LastEnd previousEnd() {
        return status.hasEnded() ? LastEnd.NONE : lastEnd;
    }

    /** Returns the end of the current registration; {@link LastEnd#NONE} while the agent is live. */
    public LastEnd end() {
        return status.hasEnded() ? lastEnd : LastEnd.NONE;
    }

    /**
     * The pulse of a live agent that is about to be {@linkplain #reRegistered registered again}: deregistered, with its incarnation marked as
     * restarted.
     *
     * @throws IllegalArgumentException for an agent that is gone
     */
    public Pulse replaced(Instant now) {
        if (status.hasEnded()) {
            throw new IllegalArgumentException("an agent that is " + status.wireName() + " is not replaced");
        }
        Builder next = new Builder(withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, now));
        next.cleanUp = cleanUp.and(incarnation, CleanUp.Cause.RESTART);
        return next.build();
    }

    /**
     * Returns what remains of the pulse of an erased agent: the numbers that continue when its id is registered again, and the owner.
     *
     * @throws IllegalArgumentException for an agent that is not gone
     */
    public Pulse erased(Instant now) {
        if (!status.hasEnded()) {
            throw new IllegalArgumentException("an agent that is " + status.wireName() + " is not erased");
        }
        Builder next = new Builder(forgotten(agentId, now));
        next.incarnation = incarnation;
        next.version = version + 1;
        next.sequence = sequence;
        next.owner = owner;
        next.lastEnd = lastEnd;
        return next.build();
    }

    /** The pulse of an id without a history: its next registration begins with the first numbers. */
    public static Pulse forgotten(String agentId, Instant now) {
        return new Pulse(
                agentId,
                LifecycleStatus.DEREGISTERED,
                now,
                0,
                0,
                0,
                0,
                Instant.EPOCH,
                HeartbeatConfig.DEFAULT,
                Workload.starting(Workload.NOT_DECLARED),
                Owner.NONE,
                Drain.NONE,
                CleanUp.NONE,
                Instant.EPOCH,
                Coordination.NONE,
                ProcessStart.UNKNOWN);
    }

    /** Returns when a heartbeat came that is received now: in the status that the agent has, though the clock that began it may be another. */
    private Instant heardAt(Instant now) {
        return HeartbeatRule.heardAt(lastHeartbeatAt, Transition.notBefore(this, now));
    }

    /** The pulse after one more heartbeat. What the heartbeat does not report stays. */
    public Pulse withHeartbeat(Heartbeat heartbeat, Instant now) {
        Builder next = new Builder(this);
        next.heartbeatCount++;
        next.lastHeartbeatAt = heardAt(now);
        next.workload = workload.with(heartbeat);
        next.seenBy = heartbeat.seenBy();
        if (heartbeat.isOfAgent()) {
            next.activity = heartbeat.activity().at(now).withSpansOf(activity);
        } else {
            // Its answer does not reach the agent, so that the agent does not know of a drain by it.
            next.drain = drain.afterUnansweredHeartbeat();
        }
        Instant reported = ProcessStart.accepted(heartbeat.startedAt(), now);
        next.startedAt = ProcessStart.isKnown(reported) ? reported : startedAt;
        return next.build();
    }

    /** The pulse after a profile change, one version later. */
    public Pulse reconfigured(HeartbeatConfig newConfig, int maxConcurrentTasks) {
        Builder next = new Builder(this);
        next.version++;
        next.config = newConfig;
        next.workload = workload.withMaxConcurrentTasks(maxConcurrentTasks);
        return next.build();
    }

    /**
     * The pulse of a draining agent with a deadline counted from {@code now}, one version later.
     *
     * @param byAgent whether the agent asks for it
     */
    public Pulse withDrainRestarted(Duration timeout, boolean byAgent, Instant now) {
        Builder next = new Builder(this);
        next.version++;
        next.drain = drain.restarted(timeout, byAgent, now);
        return next.build();
    }

    /** The pulse with this pending drain; {@link PendingDrain#NONE} withdraws it. */
    public Pulse withPendingDrain(PendingDrain pendingDrain) {
        Builder next = new Builder(this);
        next.coordination = coordination.withPendingDrain(pendingDrain);
        return next.build();
    }

    /** Returns whether the row has times that only a clock can have written which ran ahead. */
    public boolean isAhead(Duration maxAhead, Instant now) {
        return ClockRule.isTooFarAhead(statusSince, maxAhead, now)
                || ClockRule.isTooFarAhead(lastHeartbeatAt, maxAhead, now)
                || ClockRule.isTooFarAhead(driftReportedAt, maxAhead, now)
                || drain.bounded(maxAhead, now) != drain
                || !activity.bounded(maxAhead, now).equals(activity);
    }

    /**
     * The pulse in which times that lie ahead are now: the agent was heard now, took its status now and began its drain now. No event, and no other version: nothing
     * of the agent changes.
     *
     * @param maxAhead the maximum difference between this clock and the one that wrote the row
     */
    public Pulse bounded(Duration maxAhead, Instant now) {
        Builder next = new Builder(this);
        next.statusSince = ClockRule.bounded(statusSince, maxAhead, now);
        next.lastHeartbeatAt = ClockRule.bounded(lastHeartbeatAt, maxAhead, now);
        next.driftReportedAt = ClockRule.bounded(driftReportedAt, maxAhead, now);
        next.drain = drain.bounded(maxAhead, now);
        next.activity = activity.bounded(maxAhead, now);
        return next.build();
    }

    /** The pulse with one more event counted that comes with the next change. */
    public Pulse withOneMoreEvent() {
        Builder next = new Builder(this);
        next.sequence++;
        return next.build();
    }

    /**
     * The pulse with the event of a block or unblock counted.
     *
     * @param until when the block ends; {@link Instant#EPOCH} where the agent is unblocked
     */
    public Pulse withBlock(Instant until) {
        Builder next = new Builder(this);
        next.sequence++;
        next.coordination = coordination.withBlockedUntil(until);
        return next.build();
    }

    /** The pulse with the event of its declaration counted, and whether that is another one than what was accepted. */
    public Pulse withDeclaration(boolean changed) {
        Builder next = new Builder(this);
        next.sequence++;
        next.declarationChanged = changed;
        return next.build();
    }

    /** The pulse of a dead agent with the event counted that an operator dismissed it; the next registration ends that. */
    public Pulse withDismissal() {
        Builder next = new Builder(this);
        next.sequence++;
        next.dismissed = true;
        return next.build();
    }

    /** The pulse with the event counted that a run failed, or that one succeeded after a failed one; the next registration ends that. */
    public Pulse withRun(boolean failed) {
        Builder next = new Builder(this);
        next.sequence++;
        next.runFailed = failed;
        return next.build();
    }

    /** The pulse with a drift event counted and its time stored. */
    public Pulse withDriftReported(Instant now) {
        Builder next = new Builder(this);
        next.sequence++;
        next.driftReportedAt = now;
        return next.build();
    }

    /** The pulse with this published stall, and its event counted. */
    Pulse withStall(PublishedStall published) {
        Builder next = new Builder(this);
        next.sequence++;
        next.stall = published;
        return next.build();
    }

    /** The pulse after the leases ended that its published stall ends. */
    public Pulse withLeasesOfStallEnded() {
        Builder next = new Builder(this);
        next.stall = stall.withoutLeases();
        return next.build();
    }

    /** A copy of a pulse to change some of its values. */
    private static final class Builder {

        private final String agentId;
        private LifecycleStatus status;
        private Instant statusSince;
        private long incarnation;
        private long version;
        private long heartbeatCount;
        private long sequence;
        private Instant lastHeartbeatAt;
        private HeartbeatConfig config;
        private Workload workload;
        private Owner owner;
        private Drain drain;
        private CleanUp cleanUp;
        private Instant driftReportedAt;
        private Coordination coordination;
        private Instant startedAt;
        private Activity activity;
        private PublishedStall stall;
        private SeenBy seenBy;
        private boolean declarationChanged;
        private boolean dismissed;
        private boolean runFailed;
        private LastEnd lastEnd;

        Builder(Pulse pulse) {
            agentId = pulse.agentId;
            status = pulse.status;
            statusSince = pulse.statusSince;
            incarnation = pulse.incarnation;
            version = pulse.version;
            heartbeatCount = pulse.heartbeatCount;
            sequence = pulse.sequence;
            lastHeartbeatAt = pulse.lastHeartbeatAt;
            config = pulse.config;
            workload = pulse.workload;
            owner = pulse.owner;
            drain = pulse.drain;
            cleanUp = pulse.cleanUp;
            driftReportedAt = pulse.driftReportedAt;
            coordination = pulse.coordination;
            startedAt = pulse.startedAt;
            activity = pulse.activity;
            stall = pulse.stall;
            seenBy = pulse.seenBy;
            declarationChanged = pulse.declarationChanged;
            dismissed = pulse.dismissed;
            runFailed = pulse.runFailed;
            lastEnd = pulse.lastEnd;
        }

        Pulse build() {
            return new Pulse(
                    agentId,
                    status,
                    statusSince,
                    incarnation,
                    version,
                    heartbeatCount,
                    sequence,
                    lastHeartbeatAt,
                    config,
                    workload,
                    owner,
                    drain,
                    cleanUp,
                    driftReportedAt,
                    coordination,
                    startedAt,
                    activity,
                    stall,
                    seenBy,
                    declarationChanged,
                    dismissed,
                    runFailed,
                    lastEnd);
        }
    }
}
