package dev.agenthealth.model.registry.lifecycle;

import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PulseTest {

    private static final Instant LATER = T0.plusSeconds(17);
    private static final HeartbeatConfig SLOW = new HeartbeatConfig(60, 180, 600);
    private static final Coordination COORDINATION =
            new Coordination(4711, Duration.ofSeconds(45), PendingDrain.NONE, Instant.EPOCH);

    @Test
    @Tag("R16-04")
    void the_first_pulse_is_active_with_version_1_and_no_load() {
        Pulse pulse = RegistrationRule.first("a", SLOW, 3, COORDINATION, Pulses.OWNER, T0);
        assertThat(pulse)
                .isEqualTo(new Pulse(
                        "a",
                        new PulseNumbers(1, 1, 1),
                        new LifecycleState(LifecycleStatus.ACTIVE, T0, Drain.NONE, CleanUp.NONE, false, LastEnd.NONE),
                        new HeartbeatsSeen(T0, 0, SeenBy.HEARTBEAT),
                        new RegistrationTerms(Pulses.OWNER, SLOW, COORDINATION),
                        new ProcessReport(new Workload(0, 3, 0, 0), Activity.NONE, ProcessStart.UNKNOWN),
                        PublishedFindings.NONE));
    }

    @ParameterizedTest
    @Tag("R16-11")
    @EnumSource(
            value = LifecycleStatus.class,
            names = {"ACTIVE", "UNHEALTHY", "DRAINING"})
    void a_heartbeat_changes_the_time_the_counter_and_the_load_and_nothing_else(LifecycleStatus status) {
        Pulse before = Pulses.in(status);
        Pulse after = before.withHeartbeat(Pulses.heartbeat(false, 4, LATER), LATER);
        assertThat(after.lastHeartbeatAt()).isEqualTo(LATER);
        assertThat(after.heartbeatCount()).isEqualTo(before.heartbeatCount() + 1);
        assertThat(after.workload()).isEqualTo(new Workload(4, 5, 0, 0));
        assertThat(after)
                .usingRecursiveComparison()
                .ignoringFields("heard.lastAt", "heard.count", "reported.workload")
                .isEqualTo(before);
    }

    @Test
    @Tag("R16-15")
    void a_clock_that_is_behind_sets_no_last_heartbeat_back() {
        Pulse heard = Pulses.afterHeartbeat(Pulses.active(), LATER);
        assertThat(Pulses.afterHeartbeat(heard, T0).lastHeartbeatAt()).isEqualTo(LATER);
        Pulse silent = heard.withStatus(LifecycleStatus.UNHEALTHY, Drain.NONE, LATER.plusSeconds(90));
        assertThat(Pulses.afterHeartbeat(silent, T0).lastHeartbeatAt())
                .as("a heartbeat of an unhealthy agent comes after it became so")
                .isEqualTo(LATER.plusSeconds(90));
        Pulse gone = heard.withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, LATER.plusSeconds(1));
        assertThat(RegistrationRule.again(gone, SLOW, 3, COORDINATION, Pulses.OWNER, T0)
                        .lastHeartbeatAt())
                .isEqualTo(LATER.plusSeconds(1));
    }

    @Test
    @Tag("R16-10")
    void a_heartbeat_without_a_load_leaves_the_load_as_it_was() {
        Pulse loaded = Pulses.active().withHeartbeat(Pulses.heartbeat(false, 4, T0), T0);
        assertThat(Pulses.afterHeartbeat(loaded, LATER).workload().load()).isEqualTo(4);
        assertThat(loaded.withHeartbeat(Pulses.heartbeat(false, 0, LATER), LATER)
                        .workload()
                        .load())
                .isZero();
    }

    @Test
    @Tag("R16-01")
    void a_new_status_is_one_version_and_one_event_later() {
        Pulse before = Pulses.active().withHeartbeat(Pulses.heartbeat(false, 2, T0), T0);
        Pulse after = before.withStatus(LifecycleStatus.UNHEALTHY, Drain.NONE, LATER);
        assertThat(after.version()).isEqualTo(before.version() + 1);
        assertThat(after.sequence()).isEqualTo(before.sequence() + 1);
        assertThat(after.statusSince()).isEqualTo(LATER);
        assertThat(after)
                .usingRecursiveComparison()
                .ignoringFields("lifecycle.status", "lifecycle.since", "numbers.version", "numbers.sequence")
                .isEqualTo(before);
    }

    @ParameterizedTest
    @Tag("R16-26")
    @EnumSource(
            value = LifecycleStatus.class,
            names = {"DEAD", "DEREGISTERED"})
    void leaving_marks_the_incarnation_for_clean_up(LifecycleStatus status) {
        assertThat(Pulses.in(LifecycleStatus.UNHEALTHY).cleanUp().isPending()).isFalse();
        Pulse gone = Pulses.in(status);
        assertThat(gone.cleanUp().through()).isEqualTo(gone.incarnation()).isEqualTo(1);
    }

    @ParameterizedTest
    @Tag("R16-06")
    @EnumSource(
            value = LifecycleStatus.class,
            names = {"DEAD", "DEREGISTERED"})
    void registering_again_keeps_only_event_numbers_the_pending_clean_up_and_the_reported_drift(
            LifecycleStatus status) {
        Pulse gone = loaded(status);
        Owner key = new Owner("key_2", KeyHash.ofKey("another key"));
        Pulse reborn = RegistrationRule.again(gone, SLOW, 9, COORDINATION, key, LATER);
        assertThat(reborn)
                .isEqualTo(new Pulse(
                        gone.agentId(),
                        new PulseNumbers(gone.incarnation() + 1, 1, gone.sequence() + 1),
                        new LifecycleState(
                                LifecycleStatus.ACTIVE, LATER, Drain.NONE, gone.cleanUp(), false, LastEnd.NONE),
                        new HeartbeatsSeen(LATER, 0, SeenBy.HEARTBEAT),
                        new RegistrationTerms(key, SLOW, COORDINATION),
                        new ProcessReport(Workload.starting(9), Activity.NONE, ProcessStart.UNKNOWN),
                        new PublishedFindings(gone.driftReportedAt(), PublishedStall.NONE, false, FailedRun.NONE)));
    }

    @Test
    @Tag("R16-26")
    void a_second_death_marks_the_newer_incarnation() {
        Pulse reborn = RegistrationRule.again(
                Pulses.in(LifecycleStatus.DEAD), SLOW, 9, Coordination.NONE, Pulses.OWNER, LATER);
        Pulse goneAgain = reborn.withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, LATER);
        assertThat(goneAgain.incarnation()).isEqualTo(2);
        assertThat(goneAgain.cleanUp().through()).isEqualTo(2);
    }

    @ParameterizedTest
    @Tag("R16-06")
    @EnumSource(
            value = LifecycleStatus.class,
            names = {"ACTIVE", "DRAINING", "UNHEALTHY"})
    void a_live_agent_is_replaced_by_leaving_and_registering_again(LifecycleStatus status) {
        Pulse before = Pulses.in(status);
        Pulse left = RegistrationRule.replaced(before, LATER);
        assertThat(left.status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        assertThat(left.sequence()).isEqualTo(before.sequence() + 1);
        assertThat(left.incarnation()).isEqualTo(before.incarnation());
        Pulse reborn = RegistrationRule.again(left, SLOW, 9, COORDINATION, Pulses.OWNER, LATER);
        assertThat(reborn.incarnation()).isEqualTo(before.incarnation() + 1);
        assertThat(reborn.sequence()).isEqualTo(before.sequence() + 2);
        assertThat(reborn.version()).isEqualTo(1);
        assertThat(reborn.drain()).isEqualTo(Drain.NONE);
        assertThat(reborn.cleanUp().causeOf(before.incarnation())).isEqualTo(CleanUp.Cause.RESTART);
    }

    @Test
    @Tag("R16-06")
    void an_agent_that_is_gone_is_not_replaced() {
        for (LifecycleStatus gone : LifecycleStatus.GONE) {
            Pulse pulse = Pulses.in(gone);
            assertThatThrownBy(() -> RegistrationRule.replaced(pulse, LATER))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @Tag("R16-26")
    void the_incarnation_of_a_dead_agent_that_is_deregistered_ended_by_death() {
        Pulse deleted = Pulses.in(LifecycleStatus.DEAD).withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, LATER);
        assertThat(deleted.cleanUp().causeOf(deleted.incarnation())).isEqualTo(CleanUp.Cause.DEATH);
    }

    @Test
    @Tag("R16-01")
    void a_profile_change_is_one_version_later_but_no_event() {
        Pulse before = Pulses.active().withHeartbeat(Pulses.heartbeat(false, 4, T0), T0);
        Pulse after = before.reconfigured(SLOW, 9);
        assertThat(after.version()).isEqualTo(before.version() + 1);
        assertThat(after.config()).isEqualTo(SLOW);
        assertThat(after.workload()).isEqualTo(new Workload(4, 9, 0, 0));
        assertThat(after)
                .usingRecursiveComparison()
                .ignoringFields("numbers.version", "terms.config", "reported.workload")
                .isEqualTo(before);
    }

    private static Pulse loaded(LifecycleStatus gone) {
        Pulse working = Pulses.active().withHeartbeat(Pulses.heartbeat(false, 4, T0), T0);
        Pulse draining =
                working.withStatus(LifecycleStatus.DRAINING, Pulses.drain(Duration.ofSeconds(5)), T0.plusSeconds(1));
        return draining.withStatus(gone, Drain.NONE, T0.plusSeconds(9));
    }

    @ParameterizedTest
    @Tag("SYS-06")
    @EnumSource(
            value = LifecycleStatus.class,
            names = {"DEAD", "DEREGISTERED"})
    void of_an_erased_agent_numbers_and_owner_stay_and_nothing_else(LifecycleStatus status) {
        Pulse before = Pulses.in(status);
        Pulse erased = RegistrationRule.erased(before, LATER);
        assertThat(erased)
                .isEqualTo(new Pulse(
                        before.agentId(),
                        new PulseNumbers(before.incarnation(), before.version() + 1, before.sequence()),
                        new LifecycleState(
                                LifecycleStatus.DEREGISTERED, LATER, Drain.NONE, CleanUp.NONE, false, LastEnd.NONE),
                        new HeartbeatsSeen(Instant.EPOCH, 0, SeenBy.HEARTBEAT),
                        new RegistrationTerms(before.owner(), HeartbeatConfig.DEFAULT, Coordination.NONE),
                        new ProcessReport(
                                Workload.starting(Workload.NOT_DECLARED), Activity.NONE, ProcessStart.UNKNOWN),
                        PublishedFindings.NONE));
        Pulse again = RegistrationRule.again(erased, SLOW, 3, COORDINATION, before.owner(), LATER);
        assertThat(again.incarnation()).isEqualTo(before.incarnation() + 1);
        assertThat(again.sequence()).isEqualTo(before.sequence() + 1);
    }

    @ParameterizedTest
    @Tag("SYS-06")
    @EnumSource(
            value = LifecycleStatus.class,
            names = {"ACTIVE", "UNHEALTHY", "DRAINING"})
    void the_living_are_not_erased(LifecycleStatus status) {
        assertThatThrownBy(() -> RegistrationRule.erased(Pulses.in(status), LATER))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Tag("SYS-06")
    void a_registration_of_an_expired_id_begins_with_the_first_numbers() {
        Pulse first =
                RegistrationRule.again(RegistrationRule.forgotten("a", T0), SLOW, 3, COORDINATION, Pulses.OWNER, LATER);
        assertThat(first.incarnation()).isEqualTo(1);
        assertThat(first.sequence()).isEqualTo(1);
        assertThat(RegistrationRule.forgotten("a", T0).owner()).isEqualTo(Owner.NONE);
    }

    @Test
    void a_registration_keeps_the_later_end_of_a_block() {
        for (Instant known : List.of(Instant.EPOCH, T0, LATER)) {
            for (Instant read : List.of(Instant.EPOCH, T0, LATER)) {
                Instant until = known.isAfter(read) ? known : read;
                assertThat(RegistrationRule.again(
                                        RegistrationRule.forgotten("a", T0).withBlock(known),
                                        SLOW,
                                        3,
                                        COORDINATION.withBlockedUntil(read),
                                        Pulses.OWNER,
                                        LATER)
                                .coordination())
                        .isEqualTo(COORDINATION.withBlockedUntil(until));
            }
        }
    }

    @Test
    void each_event_of_an_agent_has_the_next_number() {
        Pulse pulse = Pulses.active();
        assertThat(pulse.withBlock(LATER).coordination().blockedUntil()).isEqualTo(LATER);
        assertThat(pulse.withDeclaration(true).declarationChanged()).isTrue();
        assertThat(pulse.withRun(FailedRun.OWN).runFailed()).isTrue();
        for (Pulse after : List.of(
                pulse.withBlock(LATER),
                pulse.withDeclaration(true),
                pulse.withRun(FailedRun.OWN),
                pulse.withDismissal(),
                pulse.withDriftReported(LATER),
                pulse.withOneMoreEvent())) {
            assertThat(after.sequence()).isEqualTo(pulse.sequence() + 1);
            assertThat(after.version()).isEqualTo(pulse.version());
        }
    }

    @Test
    void a_named_incarnation_is_current_or_not() {
        Pulse pulse = Pulses.active();
        assertThat(pulse.isCurrent(Pulse.ANY_INCARNATION)).isTrue();
        assertThat(pulse.isCurrent(1)).isTrue();
        assertThat(pulse.isCurrent(2)).isFalse();
        assertThat(pulse.started(LATER).startedAt()).isEqualTo(LATER);
    }

    @ParameterizedTest(name = "a start {0} s from now")
    @CsvSource({"-315360000, false", "-315359999, true", "0,          true", "86400,      true", "86401,      false"})
    void a_start_that_an_agent_reports_is_known_where_it_can_be_right(long seconds, boolean known) {
        Instant reported = T0.plusSeconds(seconds).plusNanos(1_234_567);
        Instant accepted = ProcessStart.accepted(reported, T0.plusNanos(1_234_567));
        assertThat(accepted).isEqualTo(known ? T0.plusSeconds(seconds).plusMillis(1) : ProcessStart.UNKNOWN);
        assertThat(ProcessStart.isKnown(accepted)).isEqualTo(known);
        assertThat(ProcessStart.atMost(accepted, T0)).isEqualTo(known && seconds < 0 ? accepted : T0);
    }

    @Test
    void what_follows_a_stall_needs_to_know_when_an_agent_stalls() {
        assertThat(StallConfig.NONE.errors()).isEmpty();
        assertThat(new StallConfig(StallConfig.sameForAll(60), true, true).errors())
                .isEmpty();
        assertThat(new StallConfig(Map.of(), true, false).errors())
                .extracting(FieldError::field)
                .containsExactly("heartbeat_config.release_leases_when_stalled");
        assertThat(new StallConfig(Map.of(), true, true).errors())
                .extracting(FieldError::field)
                .containsExactly(
                        "heartbeat_config.release_leases_when_stalled", "heartbeat_config.restart_when_stalled");
    }
}
