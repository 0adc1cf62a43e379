package dev.agenthealth.model.registry.lifecycle;

import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DownRuleTest {

    private static final Pulse DEAD =
            Pulses.in(LifecycleStatus.UNHEALTHY).withStatus(LifecycleStatus.DEAD, Drain.NONE, T0);

    private static Pulse cleanedUp(LifecycleStatus status) {
        Pulse pulse = Pulses.in(status);
        return new Pulse(
                pulse.agentId(),
                pulse.numbers(),
                new LifecycleState(status, pulse.statusSince(), pulse.drain(), CleanUp.NONE, false, LastEnd.NONE),
                pulse.heard(),
                pulse.terms(),
                pulse.reported(),
                pulse.published());
    }

    @ParameterizedTest
    @CsvSource({"PT0S, false", "P29DT23H59M59.999S, false", "P30D, true", "P400D, true"})
    void a_dead_agent_is_gone_after_30_days(Duration dead, boolean gone) {
        assertThat(DownRule.isOver(DEAD, T0.plus(dead))).isEqualTo(gone);
    }

    @Test
    void a_dismissed_agent_is_gone_until_it_registers_again() {
        Pulse dismissed = DEAD.withDismissal();
        assertThat(DownRule.isOver(dismissed, T0)).isTrue();
        assertThat(dismissed.sequence()).isEqualTo(DEAD.sequence() + 1);
        Pulse again = RegistrationRule.again(
                dismissed, dismissed.config(), 1, dismissed.coordination(), dismissed.owner(), T0.plusSeconds(1));
        assertThat(again.dismissed()).isFalse();
        Pulse deadAgain = again.withStatus(LifecycleStatus.UNHEALTHY, Drain.NONE, T0.plusSeconds(2))
                .withStatus(LifecycleStatus.DEAD, Drain.NONE, T0.plusSeconds(2));
        assertThat(DownRule.isOver(deadAgain, T0.plusSeconds(2))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"ACTIVE, false", "DRAINING, false", "UNHEALTHY, false", "DEREGISTERED, true"})
    void of_the_others_the_deregistered_are_gone(LifecycleStatus status, boolean gone) {
        assertThat(DownRule.isOver(Pulses.in(status), Instant.MAX)).isEqualTo(gone);
    }

    @ParameterizedTest
    @CsvSource({
        "DEREGISTERED, false, PT1H, false",
        "DEREGISTERED, false, PT1H0.001S, true",
        "DEAD, true, PT1H, false",
        "DEAD, true, PT1H0.001S, true",
        "DEAD, false, PT1H0.001S, false",
        "DEAD, false, P30D, true",
        "ACTIVE, false, P400D, false"
    })
    void a_row_is_archived_an_hour_after_its_status_and_not_while_the_agent_is_down(
            LifecycleStatus status, boolean dismissed, Duration since, boolean due) {
        Pulse pulse = cleanedUp(status);
        Pulse seen = dismissed ? pulse.withDismissal() : pulse;
        assertThat(ArchivalRule.isDue(seen, pulse.statusSince().plus(since))).isEqualTo(due);
    }

    @Test
    void a_row_with_leases_to_clean_up_is_not_archived() {
        assertThat(DEAD.cleanUp().isPending()).isTrue();
        assertThat(ArchivalRule.isDue(DEAD, T0.plus(Duration.ofDays(31)))).isFalse();
    }
}
