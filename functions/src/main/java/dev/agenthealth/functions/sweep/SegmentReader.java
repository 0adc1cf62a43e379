package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.containment.ContainmentStore;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.health.statistics.FleetRow;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.health.statistics.VerdictRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.ProbeSchedule;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.OwnerCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Counts the rows of segments and collects the due rows. Not thread-safe. */
final class SegmentReader {

    /** The age from which a canary row was left behind by a self-check that did not finish. */
    private static final Duration OLD_CANARY = Duration.ofMinutes(5);

    private final DueRows rule;
    private final FleetCount.Tally count;
    private final PoolCount.Tally pools;
    private final Optional<FleetStatistics.Tally> statistics;
    private final ContainmentCandidates.Tally candidates;
    private final OwnerCounts.Tally owners = new OwnerCounts.Tally();
    private final List<FleetRow> due = new ArrayList<>();
    private final List<String> oldCanaries = new ArrayList<>();
    private final Instant probesAfter;
    private final List<FleetRow> toProbe = new ArrayList<>();
    private final List<FleetRow> unsampledToProbe = new ArrayList<>();

    /**
     * @param probesAfter agents are collected if their probes are due after this time
     * @param pools the numbers of the roles whose active agents are counted
     * @param verdicts the rule for the statistics; empty if they are not counted
     * @param containment the containment rules and their cases
     */
    SegmentReader(
            DueRows rule,
            Instant probesAfter,
            Set<Long> pools,
            Optional<VerdictRule> verdicts,
            ContainmentStore.Watch containment) {
        this.rule = rule;
        this.probesAfter = probesAfter;
        this.count = new FleetCount.Tally(rule.graceFrom(), rule.now());
        this.pools = new PoolCount.Tally(pools);
        this.statistics = verdicts.map(FleetStatistics.Tally::new);
        this.candidates = new ContainmentCandidates.Tally(containment, rule.now());
    }

    void add(FleetRow row) {
        Pulse pulse = row.pulse();
        if (row.isJudgedByProbes()) {
            count.addWatched(pulse, rule.graceFrom(row));
            // Deaths of watched agents are not limited: their own probes show that they do not answer.
            owners.add(pulse, row.watchSeconds(), rule.now(), rule.now());
        } else {
            count.add(pulse);
            owners.add(pulse, row.watchSeconds(), rule.graceFrom(), rule.now());
            owners.addRestart(pulse, rule.now());
        }
        if (rule.isAhead(pulse)) {
            count.addAhead();
        }
        pools.add(pulse);
        statistics.ifPresent(tally -> tally.add(row));
        candidates.add(row);
        if (ProbeSchedule.isDue(pulse, row.watchSeconds(), probesAfter, rule.now())) {
            boolean sampled =
                    !pulse.status().hasEnded() && !pulse.config().lifeSigns().confirmsDeath();
            (sampled ? toProbe : unsampledToProbe).add(row);
        }
        if (rule.isDue(row)) {
            due.add(row);
        }
    }

    void addCanary(String canaryId, Instant placedAt) {
        if (ClockRule.isTooFarAhead(placedAt, OLD_CANARY, rule.now())
                || placedAt.plus(OLD_CANARY).isBefore(rule.now())) {
            oldCanaries.add(canaryId);
        }
    }

    FleetReading reading() {
        return new FleetReading(
                count.count(),
                due.size() + oldCanaries.size(),
                pools.count(),
                statistics.map(FleetStatistics.Tally::statistics).orElse(FleetStatistics.EMPTY),
                owners.counts(),
                candidates.candidates());
    }

    /** Returns the rows that a pass may have to write. */
    List<FleetRow> due() {
        return due;
    }

    /** Returns the agents whose probe is due, without the agents in {@link #unsampledToProbe()}. */
    List<FleetRow> toProbe() {
        return toProbe;
    }

    /** Returns the agents that are dead or past their heartbeat timeout, and whose probe is due. No answer is expected from them. */
    List<FleetRow> unsampledToProbe() {
        return unsampledToProbe;
    }

    /** Returns the ids of canaries that a self-check left behind. */
    List<String> oldCanaries() {
        return oldCanaries;
    }
}
