package dev.agenthealth.model.registry.lifecycle;

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
        PulseNumbers numbers,
        LifecycleState lifecycle,
        HeartbeatsSeen heard,
        RegistrationTerms terms,
        ProcessReport reported,
        PublishedFindings published) {

    /** The incarnation of a request that does not name one. */
    public static final long ANY_INCARNATION = 0;

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
     * Returns this pulse with another number of its registration. An agent that moves from another registry keeps its number, because its
     * process may name the number in heartbeats.
     */
    public Pulse withIncarnation(long number) {
        return with(new PulseNumbers(number, numbers.version(), numbers.sequence()));
    }

    /** Returns this pulse with a process that started at a moment; {@link ProcessStart#UNKNOWN} is permitted. */
    public Pulse started(Instant moment) {
        return with(new ProcessReport(workload(), activity(), moment, personWait()));
    }

    /** Returns this pulse after a registration by this sign of life. */
    public Pulse seenBy(SeenBy by) {
        return with(new HeartbeatsSeen(heard.lastAt(), heard.count(), by));
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
     *     {@linkplain LifecycleStatus#GONE gone}, which only {@linkplain RegistrationRule#again a registration} ends
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
                new LifecycleState(
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
        return with(new LifecycleState(status(), statusSince(), drain(), cleanUp(), dismissed(), end));
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
     * Returns the time of a heartbeat that is received now. It is not before the beginning of the present status, which another clock may have
     * written.
     */
    Instant heardAt(Instant now) {
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
                new HeartbeatsSeen(heardAt(now), heartbeatCount() + 1, heartbeat.seenBy()),
                terms,
                new ProcessReport(
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
                new RegistrationTerms(owner(), newConfig, coordination()),
                new ProcessReport(limited, activity(), startedAt(), personWait()),
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
        return withOneMoreEvent()
                .with(new LifecycleState(status(), statusSince(), drain(), cleanUp(), true, lastEnd()));
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

    private Pulse with(PulseNumbers newNumbers) {
        return new Pulse(agentId, newNumbers, lifecycle, heard, terms, reported, published);
    }

    Pulse with(LifecycleState newLifecycle) {
        return new Pulse(agentId, numbers, newLifecycle, heard, terms, reported, published);
    }

    private Pulse with(HeartbeatsSeen newHeard) {
        return new Pulse(agentId, numbers, lifecycle, newHeard, terms, reported, published);
    }

    Pulse with(RegistrationTerms newTerms) {
        return new Pulse(agentId, numbers, lifecycle, heard, newTerms, reported, published);
    }

    private Pulse with(ProcessReport newReported) {
        return new Pulse(agentId, numbers, lifecycle, heard, terms, newReported, published);
    }

    private Pulse with(PublishedFindings newPublished) {
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
