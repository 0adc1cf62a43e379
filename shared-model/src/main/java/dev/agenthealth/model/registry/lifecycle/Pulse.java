package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.usage.PublishedUsage;
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
 * @param numbers the numbers that order its changes
 * @param lifecycle the lifecycle status and its end
 * @param heard the signs of life
 * @param terms the terms of its registration
 * @param reported the reports of its process
 * @param published the findings that were published about it
 */
public record Pulse(
        String agentId,
        Numbers numbers,
        Lifecycle lifecycle,
        Heard heard,
        Terms terms,
        Reported reported,
        Published published) {

    /**
     * The numbers that order the changes of an agent.
     *
     * @param incarnation the number of this registration of the id, from 1
     * @param version a number that rises with every status or profile change, from 1 at each registration (RFC-0016 §1.1)
     * @param sequence the number of the agent's last event; it never restarts
     */
    public record Numbers(long incarnation, long version, long sequence) {

        private Numbers nextIncarnation() {
            return new Numbers(incarnation + 1, 1, sequence + 1);
        }

        private Numbers nextVersion() {
            return new Numbers(incarnation, version + 1, sequence);
        }

        private Numbers nextEvent() {
            return new Numbers(incarnation, version, sequence + 1);
        }
    }

    /**
     * The lifecycle status of an agent, and everything that ends it.
     *
     * @param status the lifecycle status
     * @param since the beginning of this status
     * @param drain the drain under way, or {@link Drain#NONE}
     * @param cleanUp the incarnations with leases that have yet to be cleaned up, or {@link CleanUp#NONE}
     * @param dismissed whether an operator said that the agent is dead for good
     * @param lastEnd the end of the last registration, or {@link LastEnd#NONE}
     */
    public record Lifecycle(
            LifecycleStatus status, Instant since, Drain drain, CleanUp cleanUp, boolean dismissed, LastEnd lastEnd) {

        private Lifecycle with(Drain newDrain) {
            return new Lifecycle(status, since, newDrain, cleanUp, dismissed, lastEnd);
        }
    }

    /**
     * The signs of life of an agent.
     *
     * @param lastAt the receipt of the last heartbeat, on the server's clock
     * @param count the number of heartbeats of this incarnation
     * @param by the last sign of life
     */
    public record Heard(Instant lastAt, long count, SeenBy by) {}

    /**
     * The terms of an agent's registration.
     *
     * @param owner the key that owns the agent; {@link Owner#NONE} without an owner
     * @param config the heartbeat interval and the thresholds
     * @param coordination the role, the drain timeout and the pending drain
     */
    public record Terms(Owner owner, HeartbeatConfig config, Coordination coordination) {

        private Terms with(Coordination newCoordination) {
            return new Terms(owner, config, newCoordination);
        }
    }

    /**
     * The reports of an agent's process.
     *
     * @param workload the load and the capacity, as reported by the agent
     * @param activity the tasks by the last heartbeat, or {@link Activity#NONE}
     * @param startedAt the start of the process, as reported by the agent; {@link ProcessStart#UNKNOWN} if not reported
     * @param personWait the wait for a person, or {@link PersonWait#NONE}
     */
    public record Reported(Workload workload, Activity activity, Instant startedAt, PersonWait personWait) {

        /** Creates the reports of a process that waits for no person. */
        public Reported(Workload workload, Activity activity, Instant startedAt) {
            this(workload, activity, startedAt, PersonWait.NONE);
        }

        private Reported with(Activity newActivity) {
            return new Reported(workload, newActivity, startedAt, personWait);
        }

        private Reported with(PersonWait newWait) {
            return new Reported(workload, activity, startedAt, newWait);
        }
    }

    /**
     * The findings that were published about an agent. The next event depends on them.
     *
     * @param driftAt the last event about the agent's clock drift; {@link Instant#EPOCH} without one
     * @param stall the stall that was published and is not over, or {@link PublishedStall#NONE}
     * @param declarationChanged whether the agent's declaration differs from the accepted one
     * @param failedRun the last run that a ping reported, if it failed
     * @param waitSince the beginning of the wait for a person that was published and is not over, or {@link #NO_WAIT}
     * @param loop the loop that was published and is not over, or {@link PublishedLoop#NONE}
     * @param usage the level of usage that was published and is not over, or {@link PublishedUsage#NONE}
     */
    public record Published(
            Instant driftAt,
            PublishedStall stall,
            boolean declarationChanged,
            FailedRun failedRun,
            Instant waitSince,
            PublishedLoop loop,
            PublishedUsage usage) {

        /** The value if no wait for a person was published, or the wait is over. */
        public static final Instant NO_WAIT = Instant.EPOCH;

        /** No finding. */
        public static final Published NONE = new Published(Instant.EPOCH, PublishedStall.NONE, false, FailedRun.NONE);

        /** Creates findings without a wait for a person, a loop and a level of usage. */
        public Published(Instant driftAt, PublishedStall stall, boolean declarationChanged, FailedRun failedRun) {
            this(driftAt, stall, declarationChanged, failedRun, NO_WAIT, PublishedLoop.NONE, PublishedUsage.NONE);
        }

        private Published withDriftAt(Instant moment) {
            return new Published(moment, stall, declarationChanged, failedRun, waitSince, loop, usage);
        }

        private Published withStall(PublishedStall newStall) {
            return new Published(driftAt, newStall, declarationChanged, failedRun, waitSince, loop, usage);
        }

        private Published withDeclarationChanged(boolean changed) {
            return new Published(driftAt, stall, changed, failedRun, waitSince, loop, usage);
        }

        private Published withFailedRun(FailedRun run) {
            return new Published(driftAt, stall, declarationChanged, run, waitSince, loop, usage);
        }

        private Published withWaitSince(Instant since) {
            return new Published(driftAt, stall, declarationChanged, failedRun, since, loop, usage);
        }

        private Published withLoop(PublishedLoop newLoop) {
            return new Published(driftAt, stall, declarationChanged, failedRun, waitSince, newLoop, usage);
        }

        private Published withUsage(PublishedUsage newUsage) {
            return new Published(driftAt, stall, declarationChanged, failedRun, waitSince, loop, newUsage);
        }
    }

    /** The last incarnation to clean up if no clean-up is pending. */
    public static final long NOTHING_TO_CLEAN_UP = 0;

    /** The incarnation of a request that does not name one. */
    public static final long ANY_INCARNATION = 0;

    /** Returns the pulse of an id that registers for the first time (RFC-0016 §3.2). The id may be blocked already. */
    public static Pulse first(
            String agentId,
            HeartbeatConfig config,
            int maxConcurrentTasks,
            Coordination coordination,
            Owner owner,
            Instant now) {
        Pulse unregistered = forgotten(agentId, now);
        return unregistered
                .with(unregistered.terms.with(coordination))
                .reRegistered(config, maxConcurrentTasks, coordination, owner, now);
    }

    /**
     * Returns whether the agent can be asked to drain: it is active or unhealthy, and no command is pending. An unhealthy agent gets the command with
     * the answer to its next heartbeat.
     */
    public boolean mayBeAskedToDrain() {
        return !coordination().pendingDrain().isPending()
                && LifecycleTransitions.allows(status(), LifecycleStatus.DRAINING);
    }

    /** Returns whether the id registered once, and its status and profile have not changed since. */
    public boolean isAsFirstRegistered() {
        return numbers.incarnation() == 1 && numbers.version() == 1;
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
        if (!status().hasEnded()) {
            throw new IllegalArgumentException("an agent that is " + status().wireName() + " does not register again");
        }
        return new Pulse(
                agentId,
                numbers.nextIncarnation(),
                new Lifecycle(
                        LifecycleStatus.ACTIVE,
                        Transition.notBefore(this, now),
                        Drain.NONE,
                        cleanUp(),
                        false,
                        lastEnd()),
                new Heard(heardAt(now), 0, SeenBy.HEARTBEAT),
                new Terms(
                        newOwner,
                        newConfig,
                        newCoordination.blockedAlsoUntil(coordination().blockedUntil())),
                new Reported(Workload.starting(maxConcurrentTasks), Activity.NONE, ProcessStart.UNKNOWN),
                published.withFailedRun(FailedRun.NONE));
    }

    /**
     * Returns this pulse with another number of its registration. An agent that moves from another registry keeps its number, because its
     * process may name the number in heartbeats.
     */
    public Pulse withIncarnation(long number) {
        return with(new Numbers(number, numbers.version(), numbers.sequence()));
    }

    /** Returns this pulse with a process that started at a moment; {@link ProcessStart#UNKNOWN} is permitted. */
    public Pulse started(Instant moment) {
        return with(new Reported(workload(), activity(), moment, personWait()));
    }

    /** Returns this pulse after a registration by this sign of life. */
    public Pulse seenBy(SeenBy by) {
        return with(new Heard(heard.lastAt(), heard.count(), by));
    }

    /** Returns the last incarnation with leases to clean up; {@link #NOTHING_TO_CLEAN_UP} without one. */
    public long cleanUpOf() {
        return cleanUp().through();
    }

    /**
     * Returns the cause of the end of an incarnation with a pending clean-up.
     *
     * @throws IllegalArgumentException for another incarnation
     */
    public CleanUp.Cause endOf(long gone) {
        return cleanUp().causeOf(gone);
    }

    /** Returns whether a request comes from the current incarnation: it names this incarnation or {@link #ANY_INCARNATION}. */
    public boolean isCurrent(long named) {
        return named == ANY_INCARNATION || named == incarnation();
    }

    /** Returns the registration time of this incarnation; empty after a change of its status or profile. */
    public Optional<Instant> incarnationBegan() {
        return version() == 1 ? Optional.of(statusSince()) : Optional.empty();
    }

    /**
     * Returns the pulse in its next status, one version and one event later. If the status is gone, the incarnation is marked for clean-up.
     *
     * @throws IllegalArgumentException if {@link LifecycleTransitions} does not permit the change, or if the present status is
     *     {@linkplain LifecycleStatus#GONE gone}, which only {@linkplain #reRegistered a registration} ends
     */
    public Pulse withStatus(LifecycleStatus nextStatus, Drain nextDrain, Instant now) {
        boolean comesBack = status().hasEnded() && !nextStatus.hasEnded();
        if (comesBack || !LifecycleTransitions.allows(status(), nextStatus)) {
            throw new IllegalArgumentException(
                    "no agent goes from " + status().wireName() + " to " + nextStatus.wireName());
        }
        boolean ends = nextStatus.hasEnded();
        CleanUp.Cause cause = nextStatus == LifecycleStatus.DEAD ? CleanUp.Cause.DEATH : CleanUp.Cause.DEREGISTRATION;
        return new Pulse(
                agentId,
                numbers.nextVersion().nextEvent(),
                new Lifecycle(
                        nextStatus,
                        Transition.notBefore(this, now),
                        nextDrain,
                        ends ? cleanUp().and(incarnation(), cause) : cleanUp(),
                        dismissed(),
                        lastEnd()),
                heard,
                ends || nextStatus == LifecycleStatus.DRAINING
                        ? terms.with(coordination().withPendingDrain(PendingDrain.NONE))
                        : terms,
                ends ? reported.with(Activity.NONE).with(PersonWait.NONE) : reported,
                published);
    }

    /**
     * Returns the pulse of an agent that has just ended, with the responsible party and the reason.
     *
     * @throws IllegalArgumentException for an agent that is not gone
     */
    public Pulse ended(EndedBy by, LifecycleReason reason) {
        if (!status().hasEnded()) {
            throw new IllegalArgumentException("an agent that is " + status().wireName() + " has not ended");
        }
        LastEnd end = new LastEnd(by, reason, statusSince());
        return with(new Lifecycle(status(), statusSince(), drain(), cleanUp(), dismissed(), end));
    }

    /** Returns the end of the previous registration; {@link LastEnd#NONE} while the agent is gone. */
    public LastEnd previousEnd() {
        return status().hasEnded() ? LastEnd.NONE : lastEnd();
    }

    /** Returns the end of the current registration; {@link LastEnd#NONE} while the agent is live. */
    public LastEnd end() {
        return status().hasEnded() ? lastEnd() : LastEnd.NONE;
    }

    /**
     * Returns the pulse of a live agent that is about to be {@linkplain #reRegistered registered again}: deregistered, with its incarnation marked
     * as restarted.
     *
     * @throws IllegalArgumentException for an agent that is gone
     */
    public Pulse replaced(Instant now) {
        if (status().hasEnded()) {
            throw new IllegalArgumentException("an agent that is " + status().wireName() + " is not replaced");
        }
        Pulse gone = withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, now);
        CleanUp restarted = cleanUp().and(incarnation(), CleanUp.Cause.RESTART);
        return gone.with(new Lifecycle(
                gone.status(), gone.statusSince(), gone.drain(), restarted, gone.dismissed(), gone.lastEnd()));
    }

    /**
     * Returns the remains of the pulse of an erased agent: its owner, and the numbers that continue with the next registration of the id.
     *
     * @throws IllegalArgumentException for an agent that is not gone
     */
    public Pulse erased(Instant now) {
        if (!status().hasEnded()) {
            throw new IllegalArgumentException("an agent that is " + status().wireName() + " is not erased");
        }
        Pulse forgotten = forgotten(agentId, now);
        return new Pulse(
                agentId,
                numbers.nextVersion(),
                new Lifecycle(
                        forgotten.status(),
                        forgotten.statusSince(),
                        forgotten.drain(),
                        forgotten.cleanUp(),
                        forgotten.dismissed(),
                        lastEnd()),
                forgotten.heard,
                new Terms(owner(), forgotten.config(), forgotten.coordination()),
                forgotten.reported,
                forgotten.published);
    }

    /** Returns the pulse of an id without a history. Its next registration begins with the first numbers. */
    public static Pulse forgotten(String agentId, Instant now) {
        return new Pulse(
                agentId,
                new Numbers(0, 0, 0),
                new Lifecycle(LifecycleStatus.DEREGISTERED, now, Drain.NONE, CleanUp.NONE, false, LastEnd.NONE),
                new Heard(Instant.EPOCH, 0, SeenBy.HEARTBEAT),
                new Terms(Owner.NONE, HeartbeatConfig.DEFAULT, Coordination.NONE),
                new Reported(Workload.starting(Workload.NOT_DECLARED), Activity.NONE, ProcessStart.UNKNOWN),
                Published.NONE);
    }

    /**
     * Returns the time of a heartbeat that is received now. It is not before the beginning of the present status, which another clock may have
     * written.
     */
    private Instant heardAt(Instant now) {
        return HeartbeatRule.heardAt(lastHeartbeatAt(), Transition.notBefore(this, now));
    }

    /** Returns the pulse after one more heartbeat. Values that the heartbeat does not report stay. */
    public Pulse withHeartbeat(Heartbeat heartbeat, Instant now) {
        Instant started = ProcessStart.accepted(heartbeat.startedAt(), now);
        boolean ofAgent = heartbeat.isOfAgent();
        return new Pulse(
                agentId,
                numbers,
                // The answer to another heartbeat does not reach the agent, so the agent cannot know of a drain from
                // it.
                ofAgent ? lifecycle : lifecycle.with(drain().afterUnansweredHeartbeat()),
                new Heard(heardAt(now), heartbeatCount() + 1, heartbeat.seenBy()),
                terms,
                new Reported(
                        workload().with(heartbeat),
                        ofAgent ? heartbeat.activity().at(now).withSpansOf(activity()) : activity(),
                        ProcessStart.isKnown(started) ? started : startedAt(),
                        personWait()),
                published);
    }

    /** Returns the pulse after a profile change, one version later. */
    public Pulse reconfigured(HeartbeatConfig newConfig, int maxConcurrentTasks) {
        Workload limited = workload().withMaxConcurrentTasks(maxConcurrentTasks);
        return new Pulse(
                agentId,
                numbers.nextVersion(),
                lifecycle,
                heard,
                new Terms(owner(), newConfig, coordination()),
                new Reported(limited, activity(), startedAt(), personWait()),
                published);
    }

    /**
     * Returns the pulse of a draining agent with a deadline that counts from {@code now}, one version later.
     *
     * @param byAgent whether the agent asks for it
     */
    public Pulse withDrainRestarted(Duration timeout, boolean byAgent, Instant now) {
        return with(numbers.nextVersion()).with(lifecycle.with(drain().restarted(timeout, byAgent, now)));
    }

    /** Returns the pulse with this pending drain; {@link PendingDrain#NONE} withdraws it. */
    public Pulse withPendingDrain(PendingDrain pendingDrain) {
        return with(terms.with(coordination().withPendingDrain(pendingDrain)));
    }

    /** Returns whether the row has times that only a clock that ran ahead can have written. */
    public boolean isAhead(Duration maxAhead, Instant now) {
        return ClockRule.isTooFarAhead(statusSince(), maxAhead, now)
                || ClockRule.isTooFarAhead(lastHeartbeatAt(), maxAhead, now)
                || ClockRule.isTooFarAhead(driftReportedAt(), maxAhead, now)
                || drain().bounded(maxAhead, now) != drain()
                || activity().bounded(maxAhead, now) != activity()
                || !personWait().bounded(maxAhead, now).equals(personWait());
    }

    /**
     * Returns the pulse with the present instead of times in the future: the last heartbeat, the beginning of the status and of the drain. No event
     * and no new version follow, as the agent does not change.
     *
     * @param maxAhead the maximum difference between this clock and the clock that wrote the row
     */
    public Pulse bounded(Duration maxAhead, Instant now) {
        Instant since = ClockRule.bounded(statusSince(), maxAhead, now);
        Instant drift = ClockRule.bounded(driftReportedAt(), maxAhead, now);
        return new Pulse(
                agentId,
                numbers,
                new Lifecycle(status(), since, drain().bounded(maxAhead, now), cleanUp(), dismissed(), lastEnd()),
                new Heard(ClockRule.bounded(lastHeartbeatAt(), maxAhead, now), heartbeatCount(), seenBy()),
                terms,
                reported.with(activity().bounded(maxAhead, now))
                        .with(personWait().bounded(maxAhead, now)),
                published.withDriftAt(drift));
    }

    /** Returns the pulse with one more event counted, which is written with the next change. */
    public Pulse withOneMoreEvent() {
        return with(numbers.nextEvent());
    }

    /**
     * Returns the pulse with the event of a block or unblock counted.
     *
     * @param until the end of the block; {@link Instant#EPOCH} if the agent is unblocked
     */
    public Pulse withBlock(Instant until) {
        return withOneMoreEvent().with(terms.with(coordination().withBlockedUntil(until)));
    }

    /**
     * Returns the pulse with an event of its declaration counted.
     *
     * @param changed whether the declaration differs from the accepted one
     */
    public Pulse withDeclaration(boolean changed) {
        return withOneMoreEvent().with(published.withDeclarationChanged(changed));
    }

    /** Returns the pulse of a dead agent with the event of its dismissal counted. The next registration ends the dismissal. */
    public Pulse withDismissal() {
        return withOneMoreEvent().with(new Lifecycle(status(), statusSince(), drain(), cleanUp(), true, lastEnd()));
    }

    /** Returns the pulse with the event of a failed run, or of the first success after it, counted. The next registration resets the result. */
    public Pulse withRun(FailedRun run) {
        return withOneMoreEvent().with(published.withFailedRun(run));
    }

    /** Returns the pulse with a drift event counted and its time stored. */
    public Pulse withDriftReported(Instant now) {
        return withOneMoreEvent().with(published.withDriftAt(now));
    }

    /** Returns the pulse with this published stall, and its event counted. */
    Pulse withStall(PublishedStall stall) {
        return withOneMoreEvent().with(published.withStall(stall));
    }

    /** Returns the pulse after the leases were ended because of its published stall. */
    public Pulse withLeasesOfStallEnded() {
        return with(published.withStall(stall().withoutLeases()));
    }

    /** Returns the pulse with the beginning of its published wait for a person, and its event counted. */
    Pulse withPublishedWait(Instant since) {
        return withOneMoreEvent().with(published.withWaitSince(since));
    }

    /** Returns the pulse after the gateway saw that a task began to wait for a person, or that the last such task goes on. */
    public Pulse withTaskWait(Instant since) {
        return with(reported.with(personWait().withTaskSince(since)));
    }

    /** Returns the pulse with this published level of usage. */
    Pulse withUsage(PublishedUsage usage) {
        return with(published.withUsage(usage));
    }

    /** Returns the pulse with this published loop, and its event counted. */
    Pulse withLoop(PublishedLoop loop) {
        return withOneMoreEvent().with(published.withLoop(loop));
    }

    /** Returns the pulse after the leases were ended because of its published loop. */
    public Pulse withLeasesOfLoopEnded() {
        return with(published.withLoop(loop().withoutLeases()));
    }

    private Pulse with(Numbers newNumbers) {
        return new Pulse(agentId, newNumbers, lifecycle, heard, terms, reported, published);
    }

    private Pulse with(Lifecycle newLifecycle) {
        return new Pulse(agentId, numbers, newLifecycle, heard, terms, reported, published);
    }

    private Pulse with(Heard newHeard) {
        return new Pulse(agentId, numbers, lifecycle, newHeard, terms, reported, published);
    }

    private Pulse with(Terms newTerms) {
        return new Pulse(agentId, numbers, lifecycle, heard, newTerms, reported, published);
    }

    private Pulse with(Reported newReported) {
        return new Pulse(agentId, numbers, lifecycle, heard, terms, newReported, published);
    }

    private Pulse with(Published newPublished) {
        return new Pulse(agentId, numbers, lifecycle, heard, terms, reported, newPublished);
    }

    public long incarnation() {
        return numbers.incarnation();
    }

    public long version() {
        return numbers.version();
    }

    public long sequence() {
        return numbers.sequence();
    }

    public LifecycleStatus status() {
        return lifecycle.status();
    }

    public Instant statusSince() {
        return lifecycle.since();
    }

    public Drain drain() {
        return lifecycle.drain();
    }

    public CleanUp cleanUp() {
        return lifecycle.cleanUp();
    }

    public boolean dismissed() {
        return lifecycle.dismissed();
    }

    public LastEnd lastEnd() {
        return lifecycle.lastEnd();
    }

    public Instant lastHeartbeatAt() {
        return heard.lastAt();
    }

    public long heartbeatCount() {
        return heard.count();
    }

    public SeenBy seenBy() {
        return heard.by();
    }

    public Owner owner() {
        return terms.owner();
    }

    public HeartbeatConfig config() {
        return terms.config();
    }

    public Coordination coordination() {
        return terms.coordination();
    }

    public Workload workload() {
        return reported.workload();
    }

    public Activity activity() {
        return reported.activity();
    }

    public Instant startedAt() {
        return reported.startedAt();
    }

    public PersonWait personWait() {
        return reported.personWait();
    }

    public Instant publishedWait() {
        return published.waitSince();
    }

    public Instant driftReportedAt() {
        return published.driftAt();
    }

    public PublishedStall stall() {
        return published.stall();
    }

    public FailedRun failedRun() {
        return published.failedRun();
    }

    /** Returns the level of usage that was published and is not over, or {@link PublishedUsage#NONE}. */
    public PublishedUsage usage() {
        return published.usage();
    }

    public PublishedLoop loop() {
        return published.loop();
    }

    public boolean declarationChanged() {
        return published.declarationChanged();
    }

    public boolean runFailed() {
        return failedRun() != FailedRun.NONE;
    }
}
