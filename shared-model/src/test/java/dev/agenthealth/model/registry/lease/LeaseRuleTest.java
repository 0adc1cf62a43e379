package dev.agenthealth.model.registry.lease;

import static dev.agenthealth.model.registry.lease.Leases.EXPIRY;
import static dev.agenthealth.model.registry.lease.Leases.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseRuleTest {

    @ParameterizedTest(name = "{0} ns from expiry: {1}, free for its holder: {2}, for others: {3}")
    @Tag("R16-17")
    @Tag("R16-27")
    @CsvSource({
        "-300000000000, ACTIVE,  false, false",
        "-1,            ACTIVE,  false, false",
        "0,             EXPIRED, true,  false",
        "1999999999,    EXPIRED, true,  false",
        "2000000000,    EXPIRED, true,  true",
        "86400000000000,EXPIRED, true,  true"
    })
    void a_lease_ends_at_its_expiry_exactly_and_frees_its_scope_for_others_two_seconds_later(
            long nanos, LeaseStatus expected, boolean ofHolder, boolean ofOthers) {
        Instant now = EXPIRY.plusNanos(nanos);
        Lease lease = Leases.active();
        assertThat(LeaseRule.statusAt(lease, now)).isEqualTo(expected);
        assertThat(LeaseRule.isInForce(lease, now)).isEqualTo(expected == LeaseStatus.ACTIVE);
        assertThat(LeaseRule.endedAt(lease, now)).isEqualTo(ofHolder ? EXPIRY : Instant.MAX);
        assertThat(isFree(lease, "agent_1", now)).isEqualTo(ofHolder);
        assertThat(isFree(lease, "agent_2", now)).isEqualTo(ofOthers);
    }

    @Test
    @Tag("R16-27")
    void a_timeout_that_is_stored_frees_the_scope_when_one_that_is_not_does() {
        Lease marked = Leases.active().ended(LeaseStatus.EXPIRED, LeaseReason.TIMEOUT, EXPIRY.plusMillis(70));
        assertThat(isFree(marked, "agent_1", EXPIRY.plusMillis(70))).isTrue();
        assertThat(isFree(marked, "agent_1", EXPIRY.minusMillis(5)))
                .as("the clock of the host that marked it is ahead")
                .isTrue();
        assertThat(isFree(marked, "agent_2", EXPIRY.plusMillis(1_999))).isFalse();
        assertThat(isFree(marked, "agent_2", EXPIRY.plusMillis(2_000))).isTrue();
        assertThat(LeaseRule.endedAt(marked, EXPIRY.plusSeconds(9))).isEqualTo(EXPIRY);
    }

    @ParameterizedTest
    @Tag("R16-17")
    @Tag("R16-26")
    @CsvSource({"RELEASED, NONE", "RELEASED, AGENT_DEREGISTERED", "REVOKED, REVOKED", "EXPIRED, AGENT_DEAD"})
    void a_lease_that_ended_early_stays_as_it_ended_and_frees_its_scope_for_all_at_once(
            LeaseStatus status, LeaseReason reason) {
        Lease ended = Leases.active().ended(status, reason, T0.plusSeconds(1));
        for (Instant now : new Instant[] {T0.plusSeconds(1), EXPIRY, EXPIRY.plusSeconds(100)}) {
            assertThat(LeaseRule.statusAt(ended, now)).isEqualTo(status);
            assertThat(LeaseRule.isInForce(ended, now)).isFalse();
            assertThat(LeaseRule.endedAt(ended, now)).isEqualTo(T0.plusSeconds(1));
            assertThat(isFree(ended, "agent_1", now)).isTrue();
            assertThat(isFree(ended, "agent_2", now)).isTrue();
        }
    }

    private static boolean isFree(Lease last, String agentId, Instant now) {
        return !now.isBefore(LeaseRule.availableFrom(last, agentId));
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

    @ParameterizedTest(name = "{0} {2} s after the start of the drain of incarnation {1}: {3}")
    @Tag("R16-19")
    @Tag("R16-29")
    @CsvSource({
        "RELEASED, 3,   0, true",
        "RELEASED, 3,  60, true",
        "REVOKED,  3,  60, true",
        "EXPIRED,  3,  60, false",
        "ACTIVE,   3,  60, false",
        "RELEASED, 4,  60, false",
        // The clocks of two hosts may differ.
        "RELEASED, 3,  -1, true",
        "RELEASED, 3,  -2, false"
    })
    void a_lease_that_is_given_back_completes_a_drain_and_one_that_timed_out_does_not(
            LeaseStatus status, long incarnation, long seconds, boolean completes) {
        Lease lease = status == LeaseStatus.ACTIVE
                ? Leases.active()
                : Leases.active().ended(status, LeaseReason.NONE, T0.plusSeconds(seconds));
        Pulse holder = holder(incarnation);
        Pulse draining = holder.withStatus(
                LifecycleStatus.DRAINING, new Drain(T0.plusSeconds(600), Duration.ofSeconds(600), 0, "", ""), T0);
        assertThat(LeaseRule.completesDrain(lease, draining)).isEqualTo(completes);
        assertThat(LeaseRule.completesDrain(lease, holder)).isFalse();
    }

    private static Pulse holder(long incarnation) {
        Pulse holder = RegistrationRule.forgotten("agent_1", T0);
        while (holder.incarnation() < incarnation) {
            holder = RegistrationRule.again(
                    (holder.status().hasEnded()
                            ? holder
                            : holder.withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, T0)),
                    HeartbeatConfig.DEFAULT,
                    1,
                    Coordination.NONE,
                    Owner.NONE,
                    T0);
        }
        return holder;
    }

    @Test
    @Tag("R16-10")
    void a_task_is_leased_under_the_id_the_intent_or_the_scope_of_a_held_lease() {
        List<String> tasks = List.of("lease_1", "intent_1", "invoices", "agent_1", "billing", "other");
        assertThat(LeaseRule.unleased(tasks, List.of(Leases.active()))).containsExactly("agent_1", "billing", "other");
        assertThat(LeaseRule.unleased(tasks, List.of())).isEqualTo(tasks);
        assertThat(LeaseRule.unleased(List.of(), List.of(Leases.active()))).isEmpty();
    }

    @Test
    @Tag("R16-17")
    void a_renewal_changes_the_end_and_nothing_else() {
        Lease renewed = Leases.active().renewedUntil(EXPIRY.plusSeconds(60));
        assertThat(renewed.expiresAt()).isEqualTo(EXPIRY.plusSeconds(60));
        assertThat(renewed)
                .usingRecursiveComparison()
                .ignoringFields("term.expiresAt")
                .isEqualTo(Leases.active());
    }
}
