package dev.agenthealth.model.health;

import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Instant;
import java.util.Map;

/** Measurements and health for tests. */
public final class Healths {

    public static final Instant T0 = Instant.parse("2026-02-08T10:00:00Z");

    /** An agent that declares a baseline of 100 ms. */
    public static final Expectations BASELINE_100 = new Expectations(Map.of(Expectation.BASELINE_LATENCY_MS, 100d));

    private Healths() {}

    /** These numbers of successes and failures, without latencies and without a window before. */
    public static Measurement measured(long successes, long failures) {
        return measured(successes, failures, 0, 0);
    }

    /** The same, measured by a baseline of 100 ms. */
    public static Measurement measured(long successes, long failures, long latencies, long aboveBaseline) {
        OutcomeCounts counts = OutcomeCounts.of(
                Map.of(
                        OutcomeCounter.SELF_SUCCESSES, successes,
                        OutcomeCounter.SELF_FAILURES, failures,
                        OutcomeCounter.SERVER_ERRORS, failures,
                        OutcomeCounter.LATENCIES, latencies,
                        OutcomeCounter.LATENCY_MICROS, latencies * 80_000,
                        OutcomeCounter.ABOVE_BASELINE, aboveBaseline),
                LatencyHistogram.EMPTY);
        return measured(BASELINE_100, counts, 0, 0);
    }

    /** What counts say, against successes and samples of the window before. */
    public static Measurement measured(
            Expectations expectations, OutcomeCounts counts, long previousSuccesses, long previousSamples) {
        return new Measurement(expectations, counts, 80, 240, previousSuccesses, previousSamples, 24);
    }

    /** The health of agent_1, which was last healthy a minute ago without a published event. */
    public static AgentHealth health(Measurement measurement, LifecycleStatus lifecycle) {
        return health(measurement, lifecycle, false, T0.minusSeconds(60));
    }

    public static AgentHealth health(
            Measurement measurement, LifecycleStatus lifecycle, boolean personal, Instant lastHealthyAt) {
        HealthSubject subject = new HealthSubject(
                "", false, personal, T0.minusSeconds(3_600), Restarts.NONE, Instant.MIN, T0.minusSeconds(3_600));
        return new AgentHealth(
                "agent_1",
                T0,
                subject,
                measurement,
                lifecycle,
                lastHealthyAt,
                Published.initially(HealthStatus.UNKNOWN),
                HealthStatus.UNKNOWN,
                Published.initially(ScoreState.INACTIVE));
    }
}
