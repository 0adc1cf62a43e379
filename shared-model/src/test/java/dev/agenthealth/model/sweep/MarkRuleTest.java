package dev.agenthealth.model.sweep;

import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Pulses;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The agents whose health is computed after a change of status. */
@Tag("AHS-18")
class MarkRuleTest {

    @ParameterizedTest
    @CsvSource({"-1, true", "0, true", "14, true", "15, false", "16, false"})
    void agents_changed_since_15_seconds_before_the_last_complete_pass_are_marked(long seconds, boolean due) {
        Instant since = MarkRule.since(T0.plusSeconds(seconds), T0.plusSeconds(3_600));
        assertThat(MarkRule.isDue(Pulses.in(LifecycleStatus.UNHEALTHY), since)).isEqualTo(due);
    }

    @ParameterizedTest
    @CsvSource({"599, true", "600, false"})
    void the_first_pass_looks_back_ten_minutes(long seconds, boolean due) {
        Instant since = MarkRule.since(Instant.MIN, T0.plusSeconds(seconds));
        assertThat(MarkRule.isDue(Pulses.in(LifecycleStatus.UNHEALTHY), since)).isEqualTo(due);
    }

    @Test
    void a_first_registration_is_not_marked_but_what_follows_is() {
        Instant since = T0.minusSeconds(1);
        Pulse registered = Pulses.active();
        assertThat(registered.isAsFirstRegistered()).isTrue();
        assertThat(MarkRule.isDue(registered, since)).isFalse();
        Pulse returned = RegistrationRule.again(
                RegistrationRule.replaced(registered, T0),
                registered.config(),
                1,
                registered.coordination(),
                registered.owner(),
                T0);
        assertThat(MarkRule.isDue(returned, since)).isTrue();
    }
}
