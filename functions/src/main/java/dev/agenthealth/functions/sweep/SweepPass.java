package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.api.worker.TimeLeft;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import dev.agenthealth.model.sweep.FleetCounter;
import dev.agenthealth.model.sweep.MarkRule;
import dev.agenthealth.model.sweep.ProbeTimeoutRules;
import dev.agenthealth.model.sweep.SweepEvent;
import dev.agenthealth.model.sweep.SweepState;
import dev.agenthealth.model.sweep.SweepStatistics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/**
 * A pass of the sweep over all agents: begin, count, decide, act.
 *
 * <p>A pass first stores its start in the state of the sweep. If the previous start is too long ago, the pass begins a grace period: the
 * time without heartbeat counts only from now on, because the registry itself may have been down before. The pass then reads all rows once,
 * and counts agents with missing heartbeats and due changes. {@link MassFailureGuard} decides from these counts what the pass may change.
 * An outage of the registry looks like missing heartbeats of all agents, so no agent is marked as dead before a self-check.
 *
 * <p>Finally the pass acts. It changes statuses first. Then it ends leases and blocks, publishes events for pools below their minimum,
 * applies the rules that contain agents, and stores statistics. Each kind of work has a part of the time until the next pass. Work that is left is still due, and the next pass
 * continues it. For example, a pass that may mark 50 of 400 due agents as dead leaves 350 agents to the next passes.
 *
 * <p>Two passes may run at the same time, and no pass takes a lock. Each write depends on the row as the pass read it, so that a heartbeat
 * in between makes the write fail.
 */
final class SweepPass {

    private final SweepProgress progress;
    private final MassFailureGuard guard;
    private final ClockCorrection correction;
    private final Expiries expiries;
    private final FleetFindings findings;
    private final FleetRecords records;
    private final Clock clock;

    SweepPass(
            SweepProgress progress,
            MassFailureGuard guard,
            ClockCorrection correction,
            Expiries expiries,
            FleetFindings findings,
            FleetRecords records,
            Clock clock) {
        this.progress = progress;
        this.guard = guard;
        this.correction = correction;
        this.expiries = expiries;
        this.findings = findings;
        this.records = records;
        this.clock = clock;
    }

    /**
     * The counts and actions of a pass.
     *
     * @param reading the counts of the fleet
     * @param decision the decision after counting
     * @param actions the actions on agents
     * @param leasesExpired the number of leases that were marked as expired
     * @param poolsBelowMinimum the number of pools that fell below their minimum
     */
    record Outcome(
            FleetReading reading,
            SweepDecision decision,
            ActionCounts actions,
            long leasesExpired,
            long poolsBelowMinimum) {}

    /**
     * Runs a pass.
     *
     * @param fleets returns the fleet for an expected number of agents
     * @param tick the time between two passes
     * @param maxPause the maximum time since the start of the previous pass that is no gap in sweeping
     * @param timeLeft whether there is time for one more item
     */
    Outcome run(
            LongFunction<Fleet> fleets,
            RuntimeConfiguration configuration,
            Duration tick,
            Duration maxPause,
            BooleanSupplier timeLeft) {
        Instant begun = clock.instant();
        SweepState state = progress.begin(begun, maxPause);
        Outcome outcome;
        try {
            outcome = run(fleets, configuration, state, tick, timeLeft, begun);
            progress.ended(statistics(outcome));
        } catch (RuntimeException e) {
            try {
                noteLongPass(begun, tick);
            } catch (RuntimeException unnoted) {
                e.addSuppressed(unnoted);
            }
            throw e;
        }
        noteLongPass(begun, tick);
        return outcome;
    }

    /** Notes that a pass failed to begin. */
    void couldNotBegin() {
        progress.couldNotBegin();
    }

    private static SweepStatistics statistics(Outcome outcome) {
        ActionCounts actions = outcome.actions();
        return new SweepStatistics(
                OptionalLong.of(outcome.reading().count().get(FleetCounter.HEARD)),
                Duration.ofMillis(Math.max(0, actions.maxLagMillis())),
                new Counts<>(Map.of(
                        SweepEvent.AGENT_UNHEALTHY, actions.get(Action.UNHEALTHY),
                        SweepEvent.AGENT_DEAD, actions.get(Action.DEAD),
                        SweepEvent.AGENT_DEREGISTERED, actions.get(Action.DEREGISTERED),
                        SweepEvent.LEASE_EXPIRED, outcome.leasesExpired(),
                        SweepEvent.POOL_BELOW_MINIMUM, outcome.poolsBelowMinimum())));
    }

    private void noteLongPass(Instant begun, Duration tick) {
        Instant ended = clock.instant();
        if (Duration.between(begun, ended).compareTo(tick) > 0) {
            progress.stillSweeping(ended);
        }
    }

    private Outcome run(
            LongFunction<Fleet> fleets,
            RuntimeConfiguration configuration,
            SweepState stored,
            Duration tick,
            BooleanSupplier timeLeft,
            Instant now) {
        SweepState state = stored.bounded(correction.maxAhead(), now);
        if (!state.isBlackout()) {
            // Rows are judged after this, so that each failure already has its cause.
            expiries.upstreams(state.graceFrom(), now);
        }
        Fleet fleet = fleets.apply(progress.fleetSize(state));
        FleetFindings.Begun begun = findings.begin(now);
        FleetReading reading = fleet.read(new Inspection(
                state.graceFrom(),
                ProbeTimeoutRules.of(state.probes(), state.graceFrom(), now),
                now,
                progress.after(
                        state,
                        now,
                        MarkRule.since(state.markedThrough(), now),
                        Duration.ofSeconds(configuration.get(RuntimeSettings.WAITING_AFTER_SECONDS))),
                PoolMonitor.roles(begun.watch()),
                correction.maxAhead(),
                true));
        progress.read(reading, now);
        SweepDecision decision = guard.decide(
                        reading.count(),
                        reading.owners(),
                        state,
                        configuration.massSilence(),
                        correction.ahead(stored, reading.count(), now),
                        now)
                .every(tick);
        // Deaths come first. Other work has a part of the time between two passes, and the next pass continues it.
        ActionCounts actions = reading.due() == 0 ? ActionCounts.NONE : fleet.act(decision);
        long leasesExpired = expiries.leases(now, TimeLeft.within(tick.dividedBy(4), clock, timeLeft));
        BooleanSupplier forRest = TimeLeft.within(tick.dividedBy(4), clock, timeLeft);
        expiries.blocks(forRest);
        expiries.ghosts(forRest);
        long poolsBelowMinimum = findings.end(begun, reading, decision, now, forRest);
        correction.end(stored, reading.count(), decision.correctsTimes(), actions, now, forRest);
        progress.acted(state, actions, now);
        records.keep(reading.statistics(), state, decision.mayChangeStatus(), now);
        if (GroupCleaner.isDue(state.startedAt(), now)) {
            records.cleanGroups(reading.statistics(), now, forRest);
            expiries.keys(now, forRest);
        }
        return new Outcome(
                reading, decision, actions, leasesExpired + actions.get(Action.LEASES_EXPIRED), poolsBelowMinimum);
    }
}
