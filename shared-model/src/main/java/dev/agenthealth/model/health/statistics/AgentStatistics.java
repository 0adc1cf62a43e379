package dev.agenthealth.model.health.statistics;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.DownRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.LoopRule;
import dev.agenthealth.model.registry.lifecycle.StallRule;
import dev.agenthealth.model.registry.lifecycle.WaitingRule;
import dev.agenthealth.model.registry.workflow.PoolCapacity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The statistics of a group of agents. Statistics of parts add up to the statistics of the whole.
 *
 * <p>All agents count except agents that are gone, that is, deregistered or {@linkplain DownRule dismissed}. A dead agent counts as down. It counts
 * with its score while its window has executions, but not by health status. Inactive agents have no score and do not affect the mean (Agent Health
 * Model, Inactive Agents).
 *
 * @param counts the numbers by figure
 */
public record AgentStatistics(Counts<Statistic> counts) {

    /** The statistics of no agents. */
    public static final AgentStatistics NONE = new AgentStatistics(Counts.none());

    private static final int MEAN_DECIMALS = 2;
    private static final int RATE_DECIMALS = 4;

    /** Returns the value of one figure. */
    public long get(Statistic figure) {
        return counts.get(figure);
    }

    /** Returns the number of agents that are not gone, including dead agents. */
    public long agents() {
        return get(Statistic.ACTIVE) + get(Statistic.DRAINING) + get(Statistic.SILENT) + dead();
    }

    /** Returns the number of dead agents. */
    public long dead() {
        return get(Statistic.DEAD);
    }

    /** Returns the number of live agents without a score. */
    public long inactive() {
        return get(Statistic.SCORE_INACTIVE);
    }

    /** Returns the mean score of all agents with a score, 0 to 100, rounded half up to two decimals; empty if all agents are inactive. */
    public Optional<BigDecimal> meanScore() {
        long scored = scored();
        return scored == 0
                ? Optional.empty()
                : Optional.of(BigDecimal.valueOf(get(Statistic.SCORE_HUNDREDTHS), MEAN_DECIMALS)
                        .divide(BigDecimal.valueOf(scored), MEAN_DECIMALS, RoundingMode.HALF_UP));
    }

    /** Returns the agents of the whole fleet by score, in the order of {@link Statistic#SCORE_STEPS}. */
    public List<Long> scoreSteps() {
        return Statistic.SCORE_STEPS.stream().map(this::get).toList();
    }

    /** Returns the capacity of the agents of a role, by lifecycle status except registering; empty for a role without agents. */
    public Optional<Map<LifecycleStatus, PoolCapacity>> pool() {
        Map<LifecycleStatus, PoolCapacity> byStatus = new EnumMap<>(LifecycleStatus.class);
        long members = 0;
        for (LifecycleStatus status : LifecycleStatus.values()) {
            if (status != LifecycleStatus.REGISTERING) {
                members += get(Statistic.of(status));
                byStatus.put(
                        status,
                        new PoolCapacity(
                                get(Statistic.of(status)),
                                get(Statistic.capacityOf(status)),
                                get(Statistic.loadOf(status))));
            }
        }
        return members > 0 ? Optional.of(byStatus) : Optional.empty();
    }

    private long scored() {
        return get(Statistic.SCORE_HEALTHY) + get(Statistic.SCORE_DEGRADED) + get(Statistic.SCORE_UNHEALTHY);
    }

    /** Returns the number of agents with a healthy health status (Agent Health State, Appendix B). */
    public long healthy() {
        return get(Statistic.HEALTH_HEALTHY);
    }

    /** Returns the number of agents that are dead or succeed in fewer than half of their executions, blocked or not. */
    public long down() {
        return dead() + get(Statistic.HEALTH_UNHEALTHY);
    }

    /** Returns the share of agents that are not down, 0 to 1, rounded half up to four decimals; empty if no agent counts. */
    public Optional<BigDecimal> survivalRate() {
        return rate(agents() - down(), agents());
    }

    /** Returns the share of healthy agents among all agents with a known health, including dead agents; rounded like {@link #survivalRate}. */
    public Optional<BigDecimal> healthyRate() {
        return rate(healthy(), agents() - get(Statistic.HEALTH_UNKNOWN));
    }

    private static Optional<BigDecimal> rate(long part, long all) {
        return all == 0
                ? Optional.empty()
                : Optional.of(
                        BigDecimal.valueOf(part).divide(BigDecimal.valueOf(all), RATE_DECIMALS, RoundingMode.HALF_UP));
    }

    /** Returns the statistics of both parts together. */
    public AgentStatistics plus(AgentStatistics other) {
        return new AgentStatistics(counts.plus(other.counts));
    }

    /** Counts agents one after the other. Not thread-safe. */
    static final class Tally {

        private final Counts.Tally<Statistic> numbers = new Counts.Tally<>(Statistic.class);

        void add(FleetRow row, Verdict verdict) {
            LifecycleStatus lifecycle = row.pulse().status();
            if (verdict == Verdict.GONE) {
                // Deregistered agents count only by status, until their row is archived.
                if (lifecycle == LifecycleStatus.DEREGISTERED) {
                    add(Statistic.DEREGISTERED, 1);
                }
                return;
            }
            add(Statistic.of(lifecycle), 1);
            add(Statistic.of(verdict), 1);
            if (StallRule.isStalled(row.pulse())) {
                add(Statistic.STALLED, 1);
            }
            if (WaitingRule.since(row.pulse()).isPresent()) {
                add(Statistic.WAITING, 1);
            }
            if (LoopRule.isLooping(row.pulse())) {
                add(Statistic.LOOPING, 1);
            }
            if (lifecycle != LifecycleStatus.DEAD) {
                add(Statistic.of(row.summary().status(lifecycle)), 1);
            }
            if (!row.summary().isInactive()) {
                add(Statistic.of(ScoreState.ofHundredths(row.summary().hundredths())), 1);
                add(Statistic.SCORE_HUNDREDTHS, row.summary().hundredths());
            } else if (lifecycle != LifecycleStatus.DEAD) {
                add(Statistic.SCORE_INACTIVE, 1);
            }
        }

        /** Counts the score of an agent by its step. */
        void addScoreStep(FleetRow row, Verdict verdict) {
            if (verdict != Verdict.GONE && !row.summary().isInactive()) {
                add(Statistic.stepOf(row.summary().hundredths()), 1);
            }
        }

        /** Adds the capacity of an agent to the pool of its role. */
        void addCapacity(FleetRow row, Verdict verdict) {
            if (verdict == Verdict.GONE && row.pulse().status() == LifecycleStatus.DEAD) {
                return;
            }
            PoolCapacity capacity = PoolCapacity.of(row.pulse());
            LifecycleStatus lifecycle = row.pulse().status();
            add(Statistic.capacityOf(lifecycle), capacity.maxConcurrentTasks());
            add(Statistic.loadOf(lifecycle), capacity.currentLoad());
        }

        private void add(Statistic figure, long number) {
            numbers.add(figure, number);
        }

        AgentStatistics statistics() {
            return new AgentStatistics(numbers.counts());
        }
    }
}
