package dev.agenthealth.model.census;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.score.ScoreState;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * How some agents fare together. Figures of parts add up to the figures of the whole.
 *
 * <p>Every agent counts that is not deregistered. A dead one counts until its row is buried, which is an hour after its death: as unhealthy,
 * and with its last score. Agents without a score, which are inactive, are left out of the mean (Agent Health Model, Inactive Agents).
 *
 * @param numbers by figure; a figure that is missing is 0
 */
public record FleetFigures(Map<Figure, Long> numbers) {

    /** The figures of nobody. */
    public static final FleetFigures NONE = new FleetFigures(Map.of());

    private static final int MEAN_DECIMALS = 2;
    private static final int RATE_DECIMALS = 4;

    public FleetFigures {
        Map<Figure, Long> present = new EnumMap<>(Figure.class);
        numbers.forEach((figure, number) -> {
            if (number != 0) {
                present.put(figure, number);
            }
        });
        numbers = Collections.unmodifiableMap(present);
    }

    /** One figure. */
    public long get(Figure figure) {
        return numbers.getOrDefault(figure, 0L);
    }

    /** Agents that count. */
    public long agents() {
        long agents = 0;
        for (HealthStatus status : HealthStatus.values()) {
            agents += get(Figure.of(status));
        }
        return agents;
    }

    /** Those of them without a score. */
    public long inactive() {
        return get(Figure.SCORE_INACTIVE);
    }

    /** The mean score of the others, 0 to 100, rounded half up to two decimals; empty where all are inactive. */
    public Optional<BigDecimal> meanScore() {
        long scored = 0;
        for (ScoreState state : ScoreState.values()) {
            scored += state == ScoreState.INACTIVE ? 0 : get(Figure.of(state));
        }
        return scored == 0
                ? Optional.empty()
                : Optional.of(BigDecimal.valueOf(get(Figure.SCORE_HUNDREDTHS), MEAN_DECIMALS)
                        .divide(BigDecimal.valueOf(scored), MEAN_DECIMALS, RoundingMode.HALF_UP));
    }

    /** Those agents whose health status is healthy (Agent Health State, Appendix B). */
    public long healthy() {
        return get(Figure.HEALTH_HEALTHY);
    }

    /** Their share of all that count, 0 to 1, rounded half up to four decimals; 0 where nobody counts. */
    public BigDecimal survivalRate() {
        return agents() == 0
                ? BigDecimal.ZERO
                : BigDecimal.valueOf(healthy())
                        .divide(BigDecimal.valueOf(agents()), RATE_DECIMALS, RoundingMode.HALF_UP);
    }

    /** The figures of both parts together. */
    public FleetFigures plus(FleetFigures other) {
        Map<Figure, Long> sum = new EnumMap<>(Figure.class);
        sum.putAll(numbers);
        other.numbers.forEach((figure, number) -> sum.merge(figure, number, Long::sum));
        return new FleetFigures(sum);
    }

    /** Counts agents one after the other. Not thread-safe. */
    static final class Tally {

        private final long[] numbers = new long[Figure.values().length];

        void add(FleetRow row) {
            LifecycleStatus lifecycle = row.pulse().status();
            one(Figure.of(lifecycle));
            if (lifecycle == LifecycleStatus.DEREGISTERED) {
                return;
            }
            one(Figure.of(row.standing().status(lifecycle)));
            if (row.standing().isInactive()) {
                one(Figure.SCORE_INACTIVE);
            } else {
                one(Figure.of(ScoreState.ofHundredths(row.standing().hundredths())));
                numbers[Figure.SCORE_HUNDREDTHS.ordinal()] += row.standing().hundredths();
            }
        }

        private void one(Figure figure) {
            numbers[figure.ordinal()]++;
        }

        FleetFigures figures() {
            Map<Figure, Long> map = new EnumMap<>(Figure.class);
            for (Figure figure : Figure.values()) {
                map.put(figure, numbers[figure.ordinal()]);
            }
            return new FleetFigures(map);
        }
    }
}
