package dev.agenthealth.model.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProbeEvidenceTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");
    private static final Instant BEHIND = NOW.minusMillis(700);

    @Test
    void a_change_is_later_than_the_one_before_it_though_another_clock_is_behind() {
        ProbeSample failing = sample(true);
        ProbeSample answering = sample(false);
        ProbeEvidence inconclusive = ProbeEvidence.NONE.with(failing, NOW);
        ProbeEvidence conclusive = inconclusive.with(answering, BEHIND);
        assertThat(inconclusive.inconclusiveSince()).isEqualTo(NOW);
        assertThat(conclusive.conclusiveFrom()).isEqualTo(NOW.plusMillis(1));
        assertThat(conclusive.with(failing, BEHIND).inconclusiveSince()).isEqualTo(NOW.plusMillis(2));
        assertThat(conclusive.with(answering, NOW.plusSeconds(60))).isEqualTo(conclusive);
    }

    private static ProbeSample sample(boolean failed) {
        return new ProbeSample(IntStream.range(0, ProbeSample.MIN_AGENTS)
                .mapToObj(i -> new ProbeSample.Result(1, i, i, failed, NOW, 60))
                .toList());
    }
}
