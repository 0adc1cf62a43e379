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
 * The score of an agent from 0 to 100 (Agent Health Model, Final Health Score). It says how well the agent works compared with its own
 * declarations. Use it to rank agents and to watch one agent over time.
 *
 * <p>The score is a weighted mean of four dimensions, each from 0 to 1. {@linkplain ReliabilityScore Reliability} is high if enough executions
 * succeed. {@linkplain PerformanceScore Performance} is high if executions take as long as declared, and {@linkplain StabilityScore stability} if
 * few executions take far longer. {@linkplain OperationalScore Operation} is high if the agent keeps its SLA and its triggers work. A dimension
 * that cannot be evaluated counts as 1. So an agent loses no points for something that it does not declare.
 *
 * <p>{@link ScoreState} divides scores into Healthy from 85, Degraded from 65, and Unhealthy. An agent without executions in its window is Inactive
 * and has no score. The score covers executions only: the last score of an agent that sends no heartbeats may be 100.
 * {@link dev.agenthealth.model.health.Verdict} combines the score with everything else that is known.
 *
 * @param reliability correctness of outcomes, weight 40
 * @param performance execution efficiency, weight 20
 * @param stability consistency of the runtime, weight 20
 * @param operational adherence to the SLA and reliability of triggers, weight 20
 * @param active whether the window has any execution; without one there is no score
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
     * Returns the score of the outcomes of a window.
     *
     * @param expected the expectations of the agent
     * @param counts the outcomes of the window, whose failures because of a model provider do not count; the distribution of latencies is not used
     * @param observedHours the hours over which failures are counted, above 0
     */
    public static HealthScore of(Expectations expected, OutcomeCounts counts, double observedHours) {
        OutcomeCounts own = counts.withoutUpstreamErrors();
        return new HealthScore(
                ReliabilityScore.of(expected, own, observedHours),
                PerformanceScore.of(expected, own),
                StabilityScore.of(expected, own),
                OperationalScore.of(expected, own),
                own.executions() > 0);
    }

    /**
     * Returns the score, 0 to 100, rounded half up to two decimals. The score of an inactive agent has no meaning. A value less than half a
     * billionth below a half is rounded up.
     */
    public BigDecimal points() {
        double points = RELIABILITY_WEIGHT * reliability.score()
                + PERFORMANCE_WEIGHT * performance.score()
                + STABILITY_WEIGHT * stability.score()
                + OPERATIONAL_WEIGHT * operational.score();
        // A sum of doubles may be less than a billionth below a boundary such as 85. That difference must not decide.
        return BigDecimal.valueOf(points).setScale(9, RoundingMode.HALF_UP).setScale(DECIMALS, RoundingMode.HALF_UP);
    }

    /**
     * Returns the scores of the four dimensions, 0 to 1, by the names under which they are shown. An empty score counts as 1. All scores are empty
     * without executions. Performance and stability are also empty if the agent declares no runtime or reported none.
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

    /** Returns the names of the {@link #dimensions} that were not evaluated. */
    public List<String> notEvaluated() {
        return dimensions().entrySet().stream()
                .filter(dimension -> dimension.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the state of the rounded score. */
    public ScoreState state() {
        return active
                ? ScoreState.ofHundredths(points().movePointRight(DECIMALS).intValueExact())
                : ScoreState.INACTIVE;
    }
}
