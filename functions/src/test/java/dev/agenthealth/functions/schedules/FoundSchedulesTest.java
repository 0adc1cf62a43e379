package dev.agenthealth.functions.schedules;

import static dev.agenthealth.functions.schedules.Act.Kind.ACQUIRE;
import static dev.agenthealth.functions.schedules.Act.Kind.BLOCK;
import static dev.agenthealth.functions.schedules.Act.Kind.COMMAND;
import static dev.agenthealth.functions.schedules.Act.Kind.DRAIN;
import static dev.agenthealth.functions.schedules.Act.Kind.DRAIN_BY_OPERATOR;
import static dev.agenthealth.functions.schedules.Act.Kind.HEARTBEAT;
import static dev.agenthealth.functions.schedules.Act.Kind.REGISTER;
import static dev.agenthealth.functions.schedules.Act.Kind.REPLACE;
import static dev.agenthealth.functions.schedules.Act.Kind.REPLACE_ELSEWHERE;
import static dev.agenthealth.functions.schedules.Act.Kind.REVOKE;
import static dev.agenthealth.functions.schedules.Act.Kind.ROTATE_KEY;
import static dev.agenthealth.functions.schedules.Act.Kind.SHOW;
import static dev.agenthealth.functions.schedules.Act.Kind.SIGN_BY_PROBE;
import static dev.agenthealth.functions.schedules.Act.Kind.SWEEP;
import static dev.agenthealth.functions.schedules.Act.Kind.WITHDRAW;
import static dev.agenthealth.functions.schedules.Given.a;
import static dev.agenthealth.functions.schedules.Given.b;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Operations of which some order once ended as no order of atomic operations does, in every order. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class FoundSchedulesTest {

    @AutoClose
    private final Schedules schedules = new Schedules();

    @Test
    void another_instance_takes_over_after_a_probe_and_the_process_sends_a_heartbeat() {
        explore(Given.of(a(REGISTER), a(HEARTBEAT), 28, a(SIGN_BY_PROBE)), a(HEARTBEAT), a(REPLACE_ELSEWHERE));
    }

    @Test
    void two_commands_and_a_withdrawal_have_one_entry_for_each_change() {
        explore(Given.of(a(REGISTER)), a(COMMAND), a(COMMAND));
        explore(Given.of(a(REGISTER), a(COMMAND)), a(COMMAND), a(WITHDRAW));
    }

    @Test
    void a_moved_deadline_does_not_forget_that_a_probe_did_not_tell_the_agent_of_its_drain() {
        explore(Given.of(a(REGISTER), a(DRAIN_BY_OPERATOR)), a(DRAIN_BY_OPERATOR), a(SIGN_BY_PROBE));
    }

    @Test
    void a_lease_that_the_sweep_ends_is_acquired_by_another_agent() {
        explore(Given.of(a(REGISTER), b(REGISTER), a(ACQUIRE)), b(ACQUIRE), a(REPLACE), a(SWEEP));
    }

    @Test
    void an_agent_asks_for_its_lease_while_it_is_replaced_during_its_drain() {
        explore(Given.of(a(REGISTER), a(ACQUIRE), a(DRAIN)), a(ACQUIRE), a(REPLACE));
    }

    @Test
    void a_lease_that_the_sweep_ends_is_shown() {
        explore(Given.of(a(REGISTER), a(ACQUIRE)), a(SHOW), a(REPLACE), a(SWEEP));
    }

    @Test
    void a_lease_is_shown_whose_revocation_ends_the_drain_of_its_holder() {
        explore(Given.of(a(REGISTER), a(ACQUIRE), a(DRAIN)), a(SHOW), a(REVOKE));
    }

    @Test
    void an_agent_that_is_blocked_while_it_registers_learns_of_it() {
        explore(Given.of(), a(REGISTER), a(BLOCK));
        explore(Given.of(a(BLOCK)), a(REGISTER), a(HEARTBEAT));
    }

    @Test
    void a_probe_brings_an_agent_back_while_the_sweep_replaces_its_secret() {
        int start = schedules.add(Given.of(a(REGISTER), 301, a(SWEEP)));
        List<Act> acts = List.of(new Act(ROTATE_KEY, 0, 0), a(SWEEP), a(DRAIN_BY_OPERATOR), a(SIGN_BY_PROBE));
        // The drain is refused, as the agent is still dead after the sweep.
        schedules.inOrder(start, acts, List.of(3, 3, 0, 0, 1, 1, 1, 3, 2, 3));
    }

    private void explore(Given given, Act... acts) {
        int start = schedules.add(given);
        assertThat(schedules.everyOrder(start, List.of(acts), 20_000)).isBetween(3, 19_999);
    }
}
