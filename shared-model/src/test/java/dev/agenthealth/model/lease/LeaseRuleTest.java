package dev.agenthealth.model.lease;

import static dev.agenthealth.model.lease.Leases.EXPIRY;
import static dev.agenthealth.model.lease.Leases.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.lifecycle.LifecycleStatus;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LeaseRuleTest {

    @ParameterizedTest(name = "{0} ns from expiry: {1}, taken over: {2}")
    @Tag("R16-17")
    @Tag("R16-27")
    @CsvSource({
        "-300000000000, ACTIVE,  false",
        "-1,            ACTIVE,  false",
        "0,             EXPIRED, false",
        "1999999999,    EXPIRED, false",
        "2000000000,    EXPIRED, true",
        "86400000000000,EXPIRED, true"
    })
    void a_lease_ends_at_its_expiry_exactly_and_its_scope_is_free_two_seconds_later(
            long nanos, LeaseStatus expected, boolean free) {
        Instant now = EXPIRY.plusNanos(nanos);
        assertThat(LeaseRule.statusAt(Leases.active(), now)).isEqualTo(expected);
        assertThat(LeaseRule.isInForce(Leases.active(), now)).isEqualTo(expected == LeaseStatus.ACTIVE);
        assertThat(LeaseRule.mayBeTakenOver(Leases.active(), now)).isEqualTo(free);
    }

    @ParameterizedTest
    @Tag("R16-17")
    @EnumSource(value = LeaseStatus.class, mode = EnumSource.Mode.EXCLUDE, names = "ACTIVE")
    void what_has_ended_stays_as_it_ended_and_frees_its_scope_at_once(LeaseStatus status) {
        Lease ended = Leases.active().ended(status, LeaseReason.NONE, T0.plusSeconds(1));
        for (Instant now : new Instant[] {T0, EXPIRY, EXPIRY.plusSeconds(100)}) {
            assertThat(LeaseRule.statusAt(ended, now)).isEqualTo(status);
            assertThat(LeaseRule.isInForce(ended, now)).isFalse();
            assertThat(LeaseRule.mayBeTakenOver(ended, now)).isTrue();
        }
    }

    @Test
    @Tag("R16-17")
    void a_token_is_the_time_unless_the_clock_stands_still_or_goes_back() {
        assertThat(LeaseRule.nextToken(0, T0)).isEqualTo(T0.toEpochMilli());
        assertThat(LeaseRule.nextToken(T0.toEpochMilli(), T0)).isEqualTo(T0.toEpochMilli() + 1);
        assertThat(LeaseRule.nextToken(T0.toEpochMilli() + 9, T0.minusSeconds(60)))
                .isEqualTo(T0.toEpochMilli() + 10);
    }

    @ParameterizedTest
    @Tag("R16-26")
    @Tag("R16-28")
    @Tag("R16-29")
    @CsvSource({
        "REGISTERING,  false",
        "ACTIVE,       true",
        "UNHEALTHY,    true",
        "DRAINING,     false",
        "DEAD,         false",
        "DEREGISTERED, false"
    })
    void active_and_unhealthy_agents_are_granted_leases_and_the_draining_keep_theirs(
            LifecycleStatus status, boolean granted) {
        assertThat(LeaseRule.mayAcquire(status)).isEqualTo(granted);
        assertThat(LeaseRule.mayHold(status)).isEqualTo(granted || status == LifecycleStatus.DRAINING);
    }

    @Test
    @Tag("R16-17")
    void a_renewal_changes_the_end_and_nothing_else() {
        Lease renewed = Leases.active().renewedUntil(EXPIRY.plusSeconds(60));
        assertThat(renewed.expiresAt()).isEqualTo(EXPIRY.plusSeconds(60));
        assertThat(renewed)
                .usingRecursiveComparison()
                .ignoringFields("expiresAt")
                .isEqualTo(Leases.active());
    }
}
