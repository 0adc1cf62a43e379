package dev.agenthealth.model.health.score;

import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The score of an agent from 0 to 100 (Agent Health Model, Final Health Score).
 *
 * @param reliability correctness of outcomes, weight 40
 * @param performance execution efficiency, weight 20
 * @param stability consistency of the runtime, weight 20
 * @param operational adherence to the SLA and reliability of triggers, weight 20
 * @param active whether there was any execution in the window; without one there is no score
 */
public record HealthScore(
        ReliabilityScore reliability,
        PerformanceScore performance,
        StabilityScore stability,
        OperationalScore operational,
        boolean active) {

    public static final int RELIABILITY_WEIGHT = 40;
    public static final int PERFORMANCE_WEIGHT = 20;
    public static final int STABILITY_WEIGHT = 20;
    public static final int OPERATIONAL_WEIGHT = 20;

    private static final int DECIMALS = 2;

    /**
     * The score of what happened in a window.
     *
     * @param expected what the agent is measured by
     * @param counts the outcomes of the window; the distribution of their latencies is not used
     * @param observedHours hours over which failures are counted, above 0
     */
    public static HealthScore of(Expectations expected, OutcomeCounts counts, double observedHours) {
        return new HealthScore(
                ReliabilityScore.of(expected, counts, observedHours),
                PerformanceScore.of(expected, counts),
                StabilityScore.of(expected, counts),
                OperationalScore.of(expected, counts),
                counts.executions() > 0);
    }

    /**
     * The score, 0 to 100, rounded half up to two decimals; it means nothing for an agent that is inactive. What misses a half by less
     * than half a billionth is rounded up.
     */
    public BigDecimal points() {
        double points = RELIABILITY_WEIGHT * reliability.score()
                + PERFORMANCE_WEIGHT * performance.score()
                + STABILITY_WEIGHT * stability.score()
                + OPERATIONAL_WEIGHT * operational.score();
        // Sums of doubles miss a boundary such as 85 by less than a billionth; that must not decide.
        return BigDecimal.valueOf(points).setScale(9, RoundingMode.HALF_UP).setScale(DECIMALS, RoundingMode.HALF_UP);
    }

    /**
     * The scores of the four dimensions, 0 to 1, by the names under which they are shown. One is empty, and counts as 1, where there was nothing to
     * evaluate: any of them without executions, and performance and stability of an agent that declares no runtime or reported none.
     */
    public Map<String, OptionalDouble> dimensions() {
        Map<String, OptionalDouble> scores = new LinkedHashMap<>();
        scores.put("reliability", of(reliability.isEvaluated(), reliability.score()));
        scores.put("performance", of(performance.isEvaluated(), performance.score()));
        scores.put("stability", of(stability.evaluated(), stability.score()));
        scores.put("operational", of(operational.evaluated(), operational.score()));
        return Collections.unmodifiableMap(scores);
    }

    private static OptionalDouble of(boolean evaluated, double score) {
        return evaluated ? OptionalDouble.of(score) : OptionalDouble.empty();
    }

    /** The names of the {@link #dimensions} that were not evaluated. */
    public List<String> notEvaluated() {
        return dimensions().entrySet().stream()
                .filter(dimension -> dimension.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The state of the rounded score. */
    public ScoreState state() {
        return active
                ? ScoreState.ofHundredths(points().movePointRight(DECIMALS).intValueExact())
                : ScoreState.INACTIVE;
    }
}
