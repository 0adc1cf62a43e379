package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.registry.leases.LeaseCleanUp;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.FindingStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.storage.events.StatusHistory;
import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.storage.history.AgentDayStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.probes.ProbeStore;
import dev.agenthealth.functions.storage.pulses.FleetScan;
import dev.agenthealth.functions.storage.trust.StopStore;
import dev.agenthealth.functions.storage.usage.SharedUsageStore;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.health.availability.AgentDay;
import dev.agenthealth.model.health.availability.AgentDayRule;
import dev.agenthealth.model.health.availability.Timeline;
import dev.agenthealth.model.health.availability.VerdictTimeline;
import dev.agenthealth.model.health.statistics.FleetRow;
import dev.agenthealth.model.health.trust.Stops;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lease.LeaseReason;
import dev.agenthealth.model.registry.lifecycle.DrainRule;
import dev.agenthealth.model.registry.lifecycle.FailedRun;
import dev.agenthealth.model.registry.lifecycle.HeartbeatTimeoutRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.LimitCommandRule;
import dev.agenthealth.model.registry.lifecycle.LoopChange;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.StallChange;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.lifecycle.WaitingChange;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.ProbeState;
import dev.agenthealth.model.registry.usage.SharedUsages;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.model.sweep.SecondOpinionRule;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** Makes the due changes of a row: transitions, clean-up, archival, and replacement of an ended credential. Thread-safe. */
final class RowReconciler {

    private final AgentStore agents;
    private final FindingStore findings;
    private final FleetScan fleet;
    private final LeaseStore leases;
    private final ProbeStore probes;
    private final DueStore dueAgents;
    private final EventStore events;
    private final AgentDayStore agentDays;
    private final StopStore stops;
    private final SharedUsageStore shared;
    private final LeaseCleanUp leaseCleanUp;
    private final DueRows due;
    private final SweepDecision decision;
    private final DeathQuota.Remaining deaths;
    private final ActionCounts.Tally tally;
    private Optional<Stops> stopsNow = Optional.empty();
    private Optional<SharedUsages> sharedNow = Optional.empty();

    RowReconciler(
            Database database,
            LeaseCleanUp leaseCleanUp,
            DueRows due,
            SweepDecision decision,
            ActionCounts.Tally tally) {
        this.agents = new AgentStore(database);
        this.findings = new FindingStore(database);
        this.fleet = new FleetScan(database);
        this.leases = new LeaseStore(database);
        this.probes = new ProbeStore(database);
        this.dueAgents = new DueStore(database);
        this.events = new EventStore(database);
        this.agentDays = new AgentDayStore(database);
        this.stops = new StopStore(database);
        this.shared = new SharedUsageStore(database);
        this.leaseCleanUp = leaseCleanUp;
        this.due = due;
        this.decision = decision;
        this.deaths = new DeathQuota.Remaining(decision.deaths());
        this.tally = tally;
    }

    /** Marks an agent, so that the measurement computes its health. */
    void mark(Pulse pulse) {
        dueAgents.markDue(pulse.agentId());
        tally.add(Action.MARKED);
    }

    /** Stores the states of an agent on the given days, if its state changed on them. */
    void storeDays(FleetRow row, List<Long> days) {
        Pulse pulse = row.pulse();
        for (long day : days) {
            Instant from = AgentDay.start(day);
            Instant to = AgentDay.start(day + 1);
            StatusHistory history = events.statusHistory(pulse.agentId(), from);
            AgentDay states = AgentDay.of(
                    day,
                    Timeline.of(from, to, history.knownFrom(), history.changes(), pulse.status()),
                    VerdictTimeline.of(
                            from,
                            to,
                            history.knownFrom(),
                            history.reasons(),
                            Facts.of(false, false, pulse, row.summary(), due.now())
                                    .reasons()));
            if (states.hasChange() && agentDays.put(pulse.agentId(), states, due.now())) {
                tally.add(Action.DAYS_STORED);
            }
        }
    }

    /** Makes all due changes of a row. */
    void reconcile(FleetRow row) {
        tidyUp(row, judge(row), () -> true);
    }

    /** Corrects times in the future, makes the due changes of status, and publishes stalls, loops, failed runs and waits. Returns the pulse after these changes. */
    Pulse judge(FleetRow read) {
        FleetRow row = decision.correctsTimes() && due.isAhead(read.pulse()) ? bounded(read) : read;
        return decision.mayChangeStatus()
                ? waiting(judgedForRuns(judgedForLoops(judged(transitioned(row)))))
                : row.pulse();
    }

    /**
     * Makes all other due changes.
     *
     * @param pulse the pulse after the changes of status
     * @param timeLeft whether there is time for one more transaction that ends leases; otherwise the next pass continues
     */
    void tidyUp(FleetRow row, Pulse pulse, BooleanSupplier timeLeft) {
        Pulse seen = row.pulse();
        Optional<Owner> successor = due.successor(seen);
        if (successor.filter(owner -> agents.changeOwner(seen, owner)).isPresent()) {
            tally.add(successor.get().credential().isNone() ? Action.CREDENTIALS_CLEARED : Action.CREDENTIALS_REPLACED);
        }
        if (due.inForce().stops().due(pulse).isPresent()) {
            followStops(pulse);
        }
        if (due.mayLoseCommand(pulse)) {
            endCommandOfLimit(pulse);
        }
        if (pulse.stall().releasesLeases()) {
            releaseLeases(pulse, LeaseReason.AGENT_STALLED, fleet::leasesOfStallEnded, timeLeft);
        }
        if (pulse.loop().releasesLeases()) {
            releaseLeases(pulse, LeaseReason.AGENT_LOOPING, fleet::leasesOfLoopEnded, timeLeft);
        }
        if (pulse.cleanUp().isPending()) {
            cleanUp(pulse, timeLeft);
        } else if (due.mayBeArchived(pulse, row) && due.successor(pulse).isEmpty()) {
            // The pulse that was read may still have an ended credential, which the tombstone must not have. The next
            // pass archives.
            archive(row, pulse);
        }
    }

    /** Asks a stopped agent to drain, or withdraws the command of a stop that was lifted. */
    private void followStops(Pulse pulse) {
        // The row may have been read after a stop that the pass did not read.
        Optional<PendingDrain> drain = stopsNow().due(pulse);
        if (drain.isPresent()) {
            boolean written = agents.putPendingDrain(pulse, drain.get());
            tally.add(written ? Action.STOP_FOLLOWED : Action.OVERTAKEN);
        }
    }

    /** Withdraws the command of a limit that is no longer used up, unless it was used up after the pass read the limits. */
    private void endCommandOfLimit(Pulse pulse) {
        if (LimitCommandRule.isOver(pulse, sharedNow(), due.now())) {
            boolean written = agents.putPendingDrain(pulse, PendingDrain.NONE);
            tally.add(written ? Action.COMMAND_WITHDRAWN : Action.OVERTAKEN);
        }
    }

    /** Returns the used shared limits after the rows were read. They are read once. */
    private synchronized SharedUsages sharedNow() {
        if (sharedNow.isEmpty()) {
            sharedNow = Optional.of(shared.open());
        }
        return sharedNow.get();
    }

    /** Returns the stops in force after the rows were read. They are read once. */
    private synchronized Stops stopsNow() {
        if (stopsNow.isEmpty()) {
            stopsNow = Optional.of(stops.stops());
        }
        return stopsNow.get();
    }

    /** Returns the row without times in the future, or the row as read if another write was faster. */
    private FleetRow bounded(FleetRow row) {
        Optional<Pulse> bounded = fleet.bound(row.pulse(), due.maxAhead());
        if (bounded.isEmpty()) {
            tally.add(Action.OVERTAKEN);
            return row;
        }
        if (!bounded.get().equals(row.pulse())) {
            tally.add(Action.CLOCK_CORRECTED);
        }
        return new FleetRow(bounded.get(), row.summary(), row.watchSeconds());
    }

    /** Returns the pulse after all due changes of status, one after the other. */
    private Pulse transitioned(FleetRow row) {
        Pulse pulse = row.pulse();
        boolean byProbes = row.isJudgedByProbes();
        Function<Pulse, Optional<Transition>> silence = silence(row);
        Optional<Transition> next = next(pulse, due.graceFrom(row), silence);
        while (next.isPresent() && write(next.get(), byProbes)) {
            pulse = next.get().after();
            next = next(pulse, due.graceFrom(row), silence);
        }
        if (pulse != row.pulse()) {
            // If this fails, the next pass marks the agent, because the status is newer than the start of this pass.
            mark(pulse);
        }
        return pulse;
    }

    /** Returns the timeout rule for the agent. Reads the results of its probes only if a change of its status is due. */
    private Function<Pulse, Optional<Transition>> silence(FleetRow row) {
        if (!row.isJudgedByProbes()) {
            return pulse ->
                    HeartbeatTimeoutRule.due(pulse, due.graceFrom(), due.now()).filter(this::isConfirmed);
        }
        if (HeartbeatTimeoutRule.due(row.pulse(), due.graceFrom(row), due.now()).isEmpty()) {
            return pulse -> Optional.empty();
        }
        ProbeState found = probes.find(row.pulse().agentId());
        return pulse -> due.watched().of(pulse.owner()).due(pulse, found, row.watchSeconds(), due.now());
    }

    /** Returns whether a probe confirmed the agent's death, if the agent declares such a probe. */
    private boolean isConfirmed(Transition transition) {
        Pulse before = transition.before();
        return transition.after().status() != LifecycleStatus.DEAD
                || !before.config().lifeSigns().confirmsDeath()
                || SecondOpinionRule.isConfirmed(before, probes.find(before.agentId()), transition.dueAt(), due.now());
    }

    private Optional<Transition> next(Pulse pulse, Instant graceFrom, Function<Pulse, Optional<Transition>> silence) {
        return pulse.status() == LifecycleStatus.DRAINING
                ? DrainRule.end(pulse, leases.holdsAny(pulse, due.now()), graceFrom, due.now())
                : silence.apply(pulse);
    }

    /** @param byProbes whether probes judge the agent; then its death is not limited */
    private boolean write(Transition transition, boolean byProbes) {
        Pulse before = transition.before();
        boolean limited = !byProbes
                && transition.after().status() == LifecycleStatus.DEAD
                && MassSilenceRule.isLimited(before, due.graceFrom(), due.now());
        long owner = OwnerCounts.numberOf(before.owner());
        if (limited && (decision.postponed().covers(owner, transition.dueAt()) || !deaths.take(owner))) {
            tally.add(Action.POSTPONED);
            return false;
        }
        AgentProfile profile = profile(transition.after());
        boolean written = agents.change(transition, profile, probes(transition, profile));
        if (written) {
            tally.add(transition);
        } else {
            tally.add(Action.OVERTAKEN);
            if (limited) {
                deaths.giveBack(owner);
            }
        }
        return written;
    }

    private ProbeState probes(Transition transition, AgentProfile profile) {
        return transition.isOfSilence() && profile.watch().isWatched()
                ? probes.find(profile.agentId())
                : ProbeState.NONE;
    }

    /** Returns the pulse after publishing the beginning, change or end of its stall. */
    private Pulse judged(Pulse pulse) {
        Optional<StallChange> change = due.stallChange(pulse);
        if (change.isEmpty()) {
            return pulse;
        }
        String roleId = profile(pulse).roleId();
        if (!findings.change(change.get(), roleId)) {
            tally.add(Action.OVERTAKEN);
            return pulse;
        }
        tally.add(change.get().isOver() ? Action.STALL_OVER : Action.STALLED);
        return change.get().after();
    }

    /** Returns the pulse after publishing the beginning or end of its wait for a person. */
    private Pulse waiting(Pulse pulse) {
        Optional<WaitingChange> change = due.waitingChange(pulse);
        if (change.isEmpty()) {
            return pulse;
        }
        if (!findings.change(change.get(), profile(pulse).roleId())) {
            tally.add(Action.OVERTAKEN);
            return pulse;
        }
        tally.add(change.get().isOver() ? Action.WAITING_OVER : Action.WAITING);
        return change.get().after();
    }

    /** Returns the pulse after publishing the beginning, change or end of its loop. */
    private Pulse judgedForLoops(Pulse pulse) {
        Optional<LoopChange> change = due.loopChange(pulse);
        if (change.isEmpty()) {
            return pulse;
        }
        if (!findings.change(change.get(), profile(pulse).roleId())) {
            tally.add(Action.OVERTAKEN);
            return pulse;
        }
        tally.add(change.get().isOver() ? Action.LOOPING_OVER : Action.LOOPING);
        return change.get().after();
    }

    /** Returns the pulse after publishing its failed run again, if the run outlives the problem of a model provider. */
    private Pulse judgedForRuns(Pulse pulse) {
        if (!due.hasOutlivingRun(pulse)) {
            return pulse;
        }
        boolean published = findings.publishRunAgain(pulse, profile(pulse).roleId());
        tally.add(published ? Action.RUN_FAILED : Action.OVERTAKEN);
        return published ? pulse.withRun(FailedRun.OWN) : pulse;
    }

    /**
     * Ends the leases of a stalled or looping agent. Removes the marker last, so that the next pass continues after an interruption.
     *
     * @param ended removes the marker
     */
    private void releaseLeases(Pulse pulse, LeaseReason reason, Consumer<Pulse> ended, BooleanSupplier timeLeft) {
        if (leaseCleanUp.finish(
                pulse, reason, due.now(), timeLeft, expired -> tally.add(Action.LEASES_EXPIRED, expired))) {
            ended.accept(pulse);
        }
    }

    /** Ends the leases of the previous incarnation. Removes the marker last, so that the next pass continues after an interruption. */
    private void cleanUp(Pulse pulse, BooleanSupplier timeLeft) {
        if (leaseCleanUp.finish(pulse, due.now(), timeLeft, expired -> tally.add(Action.LEASES_EXPIRED, expired))
                && fleet.clearCleanUp(pulse)) {
            tally.add(Action.CLEANED_UP);
        }
    }

    private void archive(FleetRow row, Pulse pulse) {
        // The archival removes the row by which the sweep finds the agent.
        FleetRow last = new FleetRow(pulse, row.summary(), row.watchSeconds());
        storeDays(last, AgentDayRule.pending(last, due.now()));
        if (agents.archive(pulse, profile(pulse))) {
            tally.add(Action.ARCHIVED);
        } else {
            tally.add(Action.OVERTAKEN);
        }
    }

    private AgentProfile profile(Pulse pulse) {
        return agents.profile(pulse.agentId())
                .orElseThrow(
                        () -> new IllegalStateException("agent " + pulse.agentId() + " has a pulse but no profile"));
    }
}
