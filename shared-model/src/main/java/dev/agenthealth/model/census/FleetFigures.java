package dev.agenthealth.model.census;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.score.ScoreState;
import dev.agenthealth.model.workflow.PoolCapacity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The figures of a group of agents. Figures of parts add up to the figures of the whole.
 *
 * <p>Every agent counts that is not deregistered. A dead agent counts until its row is archived, an hour after its death: as not healthy
 * (Agent Health State, Appendix B) and by its verdict, but neither by health status nor with its last score. Inactive agents have no score
 * and are left out of the mean (Agent Health Model, Inactive Agents).
 *
 * @param counts the numbers by figure
 */
public record FleetFigures(Counts<Figure> counts) {

    /** The figures of no agents. */
    public static final FleetFigures NONE = new FleetFigures(Counts.none());

    private static final int MEAN_DECIMALS = 2;
    private static final int RATE_DECIMALS = 4;

    /** One figure. */
    public long get(Figure figure) {
        return counts.get(figure);
    }

    /** Agents that are not deregistered, dead ones included. */
    public long agents() {
        return get(Figure.ACTIVE) + get(Figure.DRAINING) + get(Figure.SILENT) + dead();
    }

    /** Dead agents. */
    public long dead() {
        return get(Figure.DEAD);
    }

    /** Live agents that have no score. */
    public long inactive() {
        return get(Figure.SCORE_INACTIVE);
    }

    /** The mean score of the live agents that have one, 0 to 100, rounded half up to two decimals; empty where all are inactive. */
    public Optional<BigDecimal> meanScore() {
        long scored = scored();
        return scored == 0
                ? Optional.empty()
                : Optional.of(BigDecimal.valueOf(get(Figure.SCORE_HUNDREDTHS), MEAN_DECIMALS)
                        .divide(BigDecimal.valueOf(scored), MEAN_DECIMALS, RoundingMode.HALF_UP));
    }

    /** Returns the live agents of the whole fleet by score, in the order of {@link Figure#SCORE_STEPS}. */
    public List<Long> scoreSteps() {
        return Figure.SCORE_STEPS.stream().map(this::get).toList();
    }

    /** Returns what the agents of a role can do together, for each lifecycle status but registering; empty for a role without agents. */
    public Optional<Map<LifecycleStatus, PoolCapacity>> pool() {
        Map<LifecycleStatus, PoolCapacity> byStatus = new EnumMap<>(LifecycleStatus.class);
        long members = 0;
        for (LifecycleStatus status : LifecycleStatus.values()) {
            if (status != LifecycleStatus.REGISTERING) {
                members += get(Figure.of(status));
                byStatus.put(
                        status,
                        new PoolCapacity(
                                get(Figure.of(status)), get(Figure.capacityOf(status)), get(Figure.loadOf(status))));
            }
        }
        return members > 0 ? Optional.of(byStatus) : Optional.empty();
    }

    private long scored() {
        return get(Figure.SCORE_HEALTHY) + get(Figure.SCORE_DEGRADED) + get(Figure.SCORE_UNHEALTHY);
    }

    /** Agents whose health status is healthy (Agent Health State, Appendix B). */
    public long healthy() {
        return get(Figure.HEALTH_HEALTHY);
    }

    /** The share of healthy agents among all that count, 0 to 1, rounded half up to four decimals; 0 where no agent counts. */
    public BigDecimal survivalRate() {
        return agents() == 0
                ? BigDecimal.ZERO
                : BigDecimal.valueOf(healthy())
                        .divide(BigDecimal.valueOf(agents()), RATE_DECIMALS, RoundingMode.HALF_UP);
    }

    /** The figures of both parts together. */
    public FleetFigures plus(FleetFigures other) {
        return new FleetFigures(counts.plus(other.counts));
    }

    /** Counts agents one after the other. Not thread-safe. */
    static final class Tally {

        private final Counts.Tally<Figure> numbers = new Counts.Tally<>(Figure.class);

        void add(FleetRow row, Verdict verdict) {
            LifecycleStatus lifecycle = row.pulse().status();
            add(Figure.of(lifecycle), 1);
            if (lifecycle != LifecycleStatus.DEREGISTERED) {
                add(Figure.of(verdict), 1);
            }
            if (lifecycle.isGone()) {
                return;
            }
            add(Figure.of(row.standing().status(lifecycle)), 1);
            if (row.standing().isInactive()) {
                add(Figure.SCORE_INACTIVE, 1);
            } else {
                add(Figure.of(ScoreState.ofHundredths(row.standing().hundredths())), 1);
                add(Figure.SCORE_HUNDREDTHS, row.standing().hundredths());
            }
        }

        /** Counts the score of a row by its step. */
        void addScoreStep(FleetRow row) {
            if (!row.pulse().status().isGone() && !row.standing().isInactive()) {
                add(Figure.stepOf(row.standing().hundredths()), 1);
            }
        }

        /** Counts what the agent of a row can take, for the pool of its role. */
        void addCapacity(FleetRow row) {
            PoolCapacity capacity = PoolCapacity.of(row.pulse());
            LifecycleStatus lifecycle = row.pulse().status();
            add(Figure.capacityOf(lifecycle), capacity.maxConcurrentTasks());
            add(Figure.loadOf(lifecycle), capacity.currentLoad());
        }

        private void add(Figure figure, long number) {
            numbers.add(figure, number);
        }

        FleetFigures figures() {
            return new FleetFigures(numbers.counts());
        }
    }
}
