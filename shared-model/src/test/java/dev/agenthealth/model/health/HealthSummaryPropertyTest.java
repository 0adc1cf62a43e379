package dev.agenthealth.model.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Instant;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/** A row and a health document never disagree. */
@Tag("AHM-08")
@Tag("AHS-18")
class HealthSummaryPropertyTest {

    @Provide
    Arbitrary<Measurement> measurements() {
        Arbitrary<Long> few = Arbitraries.longs().between(0, 40);
        return Combinators.combine(few, few, few, few)
                .as((successes, failures, latencies, above) -> new Measurement(
                        new Expectations(Map.of(Expectation.BASELINE_LATENCY_MS, 100d)),
                        OutcomeCounts.of(
                                Map.of(
                                        OutcomeCounter.SELF_SUCCESSES, successes,
                                        OutcomeCounter.SELF_FAILURES, failures,
                                        OutcomeCounter.LATENCIES, latencies,
                                        OutcomeCounter.ABOVE_BASELINE, Math.min(latencies, above)),
                                LatencyHistogram.EMPTY),
                        0,
                        0,
                        0,
                        0,
                        24));
    }

    @Property
    void the_health_summary_and_the_health_document_have_the_same_status(
            @ForAll("measurements") Measurement measurement, @ForAll LifecycleStatus lifecycle) {
        HealthSummary summary = new HealthSummary(
                measurement.status(LifecycleStatus.ACTIVE), HealthSummary.INACTIVE, 0, 0, Instant.EPOCH);
        assertThat(summary.status(lifecycle)).isEqualTo(measurement.status(lifecycle));
    }
}
