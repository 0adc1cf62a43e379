package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.identity.Owner;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FailedRunTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");
    private static final Pulse AGENT =
            RegistrationRule.first("a", HeartbeatConfig.DEFAULT, 0, Coordination.NONE, Owner.NONE, NOW);

    @Test
    void only_a_failure_beside_the_problem_of_a_provider_is_a_part_of_it() {
        assertThat(FailedRun.of(false, true)).isEqualTo(FailedRun.NONE);
        assertThat(FailedRun.of(true, false)).isEqualTo(FailedRun.OWN);
        assertThat(FailedRun.of(true, true)).isEqualTo(FailedRun.SHARED);
    }

    @Test
    void a_part_is_published_again_once_when_the_problem_of_the_provider_is_over() {
        Pulse part = AGENT.withRun(FailedRun.SHARED);
        assertThat(FailedRun.outlivesProvider(part, true)).isFalse();
        assertThat(FailedRun.outlivesProvider(part, false)).isTrue();
        assertThat(FailedRun.outlivesProvider(part.withRun(FailedRun.OWN), false))
                .isFalse();
        assertThat(FailedRun.outlivesProvider(part.withRun(FailedRun.NONE), false))
                .isFalse();
    }
}
