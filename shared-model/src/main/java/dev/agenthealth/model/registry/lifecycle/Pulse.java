package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.identity.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The narrow record of one agent: its lifecycle status, its last heartbeat, and everything else that heartbeats change and the sweep reads. Each
 * agent has one pulse, which is one row of the table {@code Pulses}. A heartbeat that changes nothing else writes this row alone, so a pulse has
 * only small values. Descriptions, outcomes and history are stored elsewhere.
 *
 * <p>A pulse is immutable. Its methods return the next pulse, for example {@link #withHeartbeat} after a heartbeat and {@link #withStatus} after a
 * status change. Rules such as {@link HeartbeatTimeoutRule} decide on a pulse without reading anything else. A write succeeds only if the stored
 * row is still like the pulse that was read.
 *
 * <p>Three numbers order the changes of an agent. The incarnation counts the registrations of its id, so that a process of an earlier registration
 * is recognised. The version rises with every change of status or profile, and starts at 1 with each registration. The sequence counts events and
 * never restarts, so that subscribers can order events and drop duplicates.
 *
 * @param agentId the agent instance (RFC-0016 §8.1)
 * @param status the lifecycle status
 * @param statusSince the beginning of this status
 * @param incarnation the number of this registration of the id, from 1
 * @param version a number that rises with every status or profile change, from 1 at each registration (RFC-0016 §1.1)
 * @param heartbeatCount the number of heartbeats of this incarnation
 * @param sequence the number of the agent's last event; it never restarts
 * @param lastHeartbeatAt the receipt of the last heartbeat, on the server's clock
 * @param config the heartbeat interval and the thresholds
 * @param workload the load and the capacity, as reported by the agent
 * @param owner the key that owns the agent; {@link Owner#NONE} without an owner
 * @param drain the drain under way, or {@link Drain#NONE}
 * @param cleanUp the incarnations with leases that have yet to be cleaned up, or {@link CleanUp#NONE}
 * @param driftReportedAt the last event about the agent's clock drift; {@link Instant#EPOCH} without one
 * @param coordination the role, the drain timeout and the pending drain
 * @param startedAt the start of the agent's process, as reported by the agent; {@link ProcessStart#UNKNOWN} if not reported
 * @param activity the tasks by the last heartbeat, or {@link Activity#NONE}
 * @param stall the stall that was published and is not over, or {@link PublishedStall#NONE}
 * @param seenBy the last sign of life
 * @param declarationChanged whether the agent's declaration differs from the accepted one
 * @param dismissed whether an operator said that the agent is dead for good
 * @param runFailed whether the last run that a ping reported has failed
 * @param lastEnd the end of the last registration, or {@link LastEnd#NONE}
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

    /** The last incarnation to clean up if no clean-up is pending. */
    public static final long NOTHING_TO_CLEAN_UP = 0;

    /** The incarnation of a request that does not name one. */
    public static final long ANY_INCARNATION = 0;

    /** Creates a pulse of an agent that reports no activity. */
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

    /** Returns the pulse of an id that registers for the first time (RFC-0016 §3.2). The id may be blocked already. */
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

    /** Returns whether the id registered once, and its status and profile have not changed since. */
    public boolean isAsFirstRegistered() {
        return incarnation == 1 && version == 1;
    }

    /**
     * Returns the pulse after the id registers again (RFC-0016 §3.3): version 1, no load and no drain. The sequence continues. A block, a pending
     * clean-up and the time of the last drift event stay.
     *
     * @throws IllegalArgumentException for an agent that is not gone, as its id is taken
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

    /** Returns this pulse with a process that started at a moment; {@link ProcessStart#UNKNOWN} is permitted. */
    public Pulse started(Instant moment) {
        Builder next = new Builder(this);
        next.startedAt = moment;
        return next.build();
    }

    /** Returns this pulse after a registration by this sign of life. */
    public Pulse seenBy(SeenBy by) {
        Builder next = new Builder(this);
        next.seenBy = by;
        return next.build();
    }

    /** Returns the last incarnation with leases to clean up; {@link #NOTHING_TO_CLEAN_UP} without one. */
    public long cleanUpOf() {
        return cleanUp.through();
    }

    /**
     * Returns the cause of the end of an incarnation with a pending clean-up.
     *
     * @throws IllegalArgumentException for another incarnation
     */
    public CleanUp.Cause endOf(long gone) {
        return cleanUp.causeOf(gone);
    }

    /** Returns whether a request comes from the current incarnation: it names this incarnation or {@link #ANY_INCARNATION}. */
    public boolean isCurrent(long named) {
        return named == ANY_INCARNATION || named == incarnation;
    }

    /** Returns the registration time of this incarnation; empty after a change of its status or profile. */
    public Optional<Instant> incarnationBegan() {
        return version == 1 ? Optional.of(statusSince) : Optional.empty();
    }

    /**
     * Returns the pulse in its next status, one version and one event later. If the status is gone, the incarnation is marked for clean-up.
     *
     * @throws IllegalArgumentException if {@link LifecycleTransitions} does not permit the change, or if the present status is
     *     {@linkplain LifecycleStatus#GONE gone}, which only {@linkplain #reRegistered a registration} ends
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
     * Returns the pulse of an agent that has just ended, with the responsible party and the reason.
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

    /** Returns the end of the previous registration; {@link LastEnd#NONE} while the agent is gone. */
    public LastEnd previousEnd() {
        return status.hasEnded() ? LastEnd.NONE : lastEnd;
    }

    /** Returns the end of the current registration; {@link LastEnd#NONE} while the agent is live. */
    public LastEnd end() {
        return status.hasEnded() ? lastEnd : LastEnd.NONE;
    }

    /**
     * Returns the pulse of a live agent that is about to be {@linkplain #reRegistered registered again}: deregistered, with its incarnation marked
     * as restarted.
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
     * Returns the remains of the pulse of an erased agent: its owner, and the numbers that continue with the next registration of the id.
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

    /** Returns the pulse of an id without a history. Its next registration begins with the first numbers. */
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

    /**
     * Returns the time of a heartbeat that is received now. It is not before the beginning of the present status, which another clock may have
     * written.
     */
    private Instant heardAt(Instant now) {
        return HeartbeatRule.heardAt(lastHeartbeatAt, Transition.notBefore(this, now));
    }

    /** Returns the pulse after one more heartbeat. Values that the heartbeat does not report stay. */
    public Pulse withHeartbeat(Heartbeat heartbeat, Instant now) {
        Builder next = new Builder(this);
        next.heartbeatCount++;
        next.lastHeartbeatAt = heardAt(now);
        next.workload = workload.with(heartbeat);
        next.seenBy = heartbeat.seenBy();
        if (heartbeat.isOfAgent()) {
            next.activity = heartbeat.activity().at(now).withSpansOf(activity);
        } else {
            // The answer does not reach the agent, so the agent cannot know of a drain from it.
            next.drain = drain.afterUnansweredHeartbeat();
        }
        Instant reported = ProcessStart.accepted(heartbeat.startedAt(), now);
        next.startedAt = ProcessStart.isKnown(reported) ? reported : startedAt;
        return next.build();
    }

    /** Returns the pulse after a profile change, one version later. */
    public Pulse reconfigured(HeartbeatConfig newConfig, int maxConcurrentTasks) {
        Builder next = new Builder(this);
        next.version++;
        next.config = newConfig;
        next.workload = workload.withMaxConcurrentTasks(maxConcurrentTasks);
        return next.build();
    }

    /**
     * Returns the pulse of a draining agent with a deadline that counts from {@code now}, one version later.
     *
     * @param byAgent whether the agent asks for it
     */
    public Pulse withDrainRestarted(Duration timeout, boolean byAgent, Instant now) {
        Builder next = new Builder(this);
        next.version++;
        next.drain = drain.restarted(timeout, byAgent, now);
        return next.build();
    }

    /** Returns the pulse with this pending drain; {@link PendingDrain#NONE} withdraws it. */
    public Pulse withPendingDrain(PendingDrain pendingDrain) {
        Builder next = new Builder(this);
        next.coordination = coordination.withPendingDrain(pendingDrain);
        return next.build();
    }

    /** Returns whether the row has times that only a clock that ran ahead can have written. */
    public boolean isAhead(Duration maxAhead, Instant now) {
        return ClockRule.isTooFarAhead(statusSince, maxAhead, now)
                || ClockRule.isTooFarAhead(lastHeartbeatAt, maxAhead, now)
                || ClockRule.isTooFarAhead(driftReportedAt, maxAhead, now)
                || drain.bounded(maxAhead, now) != drain
                || !activity.bounded(maxAhead, now).equals(activity);
    }

    /**
     * Returns the pulse with the present instead of times in the future: the last heartbeat, the beginning of the status and of the drain. No event
     * and no new version follow, as the agent does not change.
     *
     * @param maxAhead the maximum difference between this clock and the clock that wrote the row
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

    /** Returns the pulse with one more event counted, which is written with the next change. */
    public Pulse withOneMoreEvent() {
        Builder next = new Builder(this);
        next.sequence++;
        return next.build();
    }

    /**
     * Returns the pulse with the event of a block or unblock counted.
     *
     * @param until the end of the block; {@link Instant#EPOCH} if the agent is unblocked
     */
    public Pulse withBlock(Instant until) {
        Builder next = new Builder(this);
        next.sequence++;
        next.coordination = coordination.withBlockedUntil(until);
        return next.build();
    }

    /**
     * Returns the pulse with an event of its declaration counted.
     *
     * @param changed whether the declaration differs from the accepted one
     */
    public Pulse withDeclaration(boolean changed) {
        Builder next = new Builder(this);
        next.sequence++;
        next.declarationChanged = changed;
        return next.build();
    }

    /** Returns the pulse of a dead agent with the event of its dismissal counted. The next registration ends the dismissal. */
    public Pulse withDismissal() {
        Builder next = new Builder(this);
        next.sequence++;
        next.dismissed = true;
        return next.build();
    }

    /** Returns the pulse with the event of a failed run, or of the first success after it, counted. The next registration resets the result. */
    public Pulse withRun(boolean failed) {
        Builder next = new Builder(this);
        next.sequence++;
        next.runFailed = failed;
        return next.build();
    }

    /** Returns the pulse with a drift event counted and its time stored. */
    public Pulse withDriftReported(Instant now) {
        Builder next = new Builder(this);
        next.sequence++;
        next.driftReportedAt = now;
        return next.build();
    }

    /** Returns the pulse with this published stall, and its event counted. */
    Pulse withStall(PublishedStall published) {
        Builder next = new Builder(this);
        next.sequence++;
        next.stall = published;
        return next.build();
    }

    /** Returns the pulse after the leases were ended because of its published stall. */
    public Pulse withLeasesOfStallEnded() {
        Builder next = new Builder(this);
        next.stall = stall.withoutLeases();
        return next.build();
    }

    /** Builds a copy of a pulse with other values. */
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
