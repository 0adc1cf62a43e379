package dev.agenthealth.functions.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.schedules.LifecycleModel.Agent;
import dev.agenthealth.functions.schedules.LifecycleModel.Lease;
import dev.agenthealth.functions.schedules.LifecycleModel.Progress;
import dev.agenthealth.testkit.Attack;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The states of the model by itself, breadth first: each operation from each state, whole or ended after any of its steps, keeps what the specification
 * demands. Times, versions and incarnations count as far as rules tell them apart.
 */
@Tag(Attack.TAG)
@Tag("R16-02")
class LifecycleModelTest {

    private static final List<Long> WAITS = List.of(61L, 91L, 211L);

    /** One more restart would reach no new kind of state. */
    private static final int MAX_INCARNATION = 2;

    /** RFC-0016 §2.2, deregistration from every status (§11), and registration again (§3.3). */
    static final Set<String> TRANSITIONS = Set.of(
            "registering>active registered",
            "active>draining drain_initiated",
            "active>unhealthy heartbeat_timeout",
            "active>deregistered deregistered",
            "unhealthy>active heartbeat_resumed",
            "unhealthy>dead heartbeat_timeout",
            "unhealthy>draining drain_initiated",
            "unhealthy>deregistered deregistered",
            "draining>deregistered drain_completed",
            "draining>deregistered drain_timeout",
            "draining>deregistered deregistered",
            "draining>dead drain_timeout",
            "dead>active re_registered",
            "dead>deregistered deregistered",
            "deregistered>active re_registered");

    /** Operations of agent 1, which competes for the scope. */
    private static final Set<Act.Kind> OF_OTHER = EnumSet.of(Act.Kind.REGISTER, Act.Kind.ACQUIRE, Act.Kind.DEREGISTER);

    /** They change nothing that others here depend on, or differ from one of them only in what a key or an instance allows. */
    private static final Set<Act.Kind> LEFT_OUT = EnumSet.of(
            Act.Kind.SHOW,
            Act.Kind.VERIFY,
            Act.Kind.SILENCE,
            Act.Kind.END_SILENCE,
            Act.Kind.BLOCK,
            Act.Kind.UNBLOCK,
            Act.Kind.ROTATE_KEY,
            Act.Kind.REVOKE_KEY,
            Act.Kind.REPLACE_ELSEWHERE,
            Act.Kind.SIGN_BY_PING);

    private final Set<String> known = new HashSet<>();
    private final Deque<LifecycleModel> waiting = new ArrayDeque<>();
    private final Set<String> transitions = new TreeSet<>();
    private long steps;

    @Test
    void every_reachable_state_keeps_what_the_specification_demands() {
        Attack attack = Attack.begin("lifecycle-model");
        reach(new LifecycleModel());
        int most = Attack.size(4_000, 60_000);
        while (!waiting.isEmpty() && known.size() < most) {
            expand(waiting.remove());
        }
        attack.figure("states", known.size())
                .figure("steps", steps)
                .figure("states not left", waiting.size())
                .end();
        assertThat(transitions).isEqualTo(TRANSITIONS);
    }

    private void expand(LifecycleModel state) {
        for (long seconds : WAITS) {
            LifecycleModel later = state.copy();
            later.now += seconds;
            reach(later);
        }
        for (Act act : acts(state)) {
            LifecycleModel next = state.copy();
            Progress progress = next.begin(act);
            while (!progress.done()) {
                LifecycleModel before = next.copy();
                progress = next.step(progress);
                check(before, next, act);
                reach(next.copy());
            }
        }
    }

    private static List<Act> acts(LifecycleModel state) {
        List<Act> acts = new ArrayList<>();
        for (Act.Kind kind : EnumSet.complementOf(EnumSet.copyOf(LEFT_OUT))) {
            if (!kind.isOfLease() || !state.leases.isEmpty()) {
                acts.add(new Act(kind, 0, 0));
            }
            if (OF_OTHER.contains(kind)) {
                acts.add(new Act(kind, 1, 0));
            }
        }
        return acts;
    }

    private void reach(LifecycleModel state) {
        boolean small = Arrays.stream(state.agents).allMatch(agent -> agent.incarnation <= MAX_INCARNATION)
                && state.secret <= 1
                && state.agents[1].incarnation <= 1;
        if (small && known.add(kind(state))) {
            waiting.add(state);
        }
    }

    /** What of a state rules tell apart. */
    private static String kind(LifecycleModel state) {
        String agents = Arrays.stream(state.agents)
                .map(agent -> String.join(
                        " ",
                        agent.status,
                        "" + agent.incarnation,
                        agent.isAlive() ? age(state.now - agent.heardAt) : "",
                        "" + (agent.deadline < state.now) + (agent.beats > 0) + (agent.beats > agent.beatsBefore)
                                + (agent.beatsBefore < 0) + agent.commanded + agent.seenByOthers + agent.blocked
                                + agent.instance + agent.secret + agent.load,
                        agent.through + "/" + agent.died + "/" + agent.left + "/" + agent.restarted))
                .collect(Collectors.joining(" | "));
        String leases = state.leases.stream()
                .filter(lease -> lease.status.equals(LifecycleModel.ACTIVE)
                        || lease == state.last(lease.scope).orElseThrow())
                .map(lease -> lease.agent + " " + lease.incarnation + lease.status + lease.timedOut
                        + (state.now < lease.expiresAt) + (state.now < lease.expiresAt + 2)
                        + (lease.expiresAt <= state.agents[lease.agent].since)
                        + (lease.endedAt > state.agents[lease.agent].since - 2))
                .collect(Collectors.joining(" | "));
        return agents + " || " + leases + " " + state.secret + state.revoked;
    }

    private static String age(long seconds) {
        return Stream.of(27L, 60L, 91L, 301L)
                .filter(limit -> seconds < limit)
                .findFirst()
                .map(Object::toString)
                .orElse("-");
    }

    private void check(LifecycleModel before, LifecycleModel after, Act act) {
        steps++;
        int changed = 0;
        for (int i = 0; i < LifecycleModel.AGENTS; i++) {
            check(before.agents[i], after.agents[i], act);
            changed += before.agents[i].sequence == after.agents[i].sequence ? 0 : 1;
        }
        assertThat(changed).as("agents that a step of %s changes", act).isLessThanOrEqualTo(1);
        long held = after.leases.stream()
                .filter(lease -> lease.isInForce(after.now) && after.holds(lease))
                .count();
        assertThat(held).as("leases of the scope in force after %s", act).isLessThanOrEqualTo(1);
        for (int i = 0; i < before.leases.size(); i++) {
            Lease old = before.leases.get(i);
            Lease now = after.leases.get(i);
            assertThat(now.events).startsWith(old.events);
            assertThat(now.events.chars().filter(c -> c == ';').count()).isLessThanOrEqualTo(2);
            if (!old.status.equals(LifecycleModel.ACTIVE)) {
                assertThat(now.toString()).as("an ended lease after %s", act).isEqualTo(old.toString());
            }
        }
        for (Lease granted : after.leases.subList(before.leases.size(), after.leases.size())) {
            Agent holder = after.agents[granted.agent];
            assertThat(holder.takesWork()).as("the holder takes work").isTrue();
            assertThat(granted.incarnation).isEqualTo(holder.incarnation);
        }
        audited(before, after, act);
    }

    private void check(Agent before, Agent after, Act act) {
        assertThat(after.events).startsWith(before.events);
        String status = before.status.equals(LifecycleModel.NONE) ? "registering" : before.status;
        String added = after.events.substring(before.events.length());
        int events = 0;
        for (String event : added.isEmpty() ? new String[0] : added.split(";")) {
            events++;
            if (event.contains(">")) {
                transitions.add(event);
                assertThat(TRANSITIONS).as("after %s", act).contains(event);
                assertThat(event).as("after %s", act).startsWith(status + ">");
                status = event.substring(event.indexOf('>') + 1, event.indexOf(' '));
            }
        }
        assertThat(after.sequence - before.sequence).as("events of %s", act).isEqualTo(events);
        if (!after.status.equals(LifecycleModel.NONE)) {
            assertThat(after.status).as("after %s", act).isEqualTo(status);
        }
        assertThat(after.incarnation).isBetween(before.incarnation, before.incarnation + 1);
        if (after.incarnation == before.incarnation) {
            assertThat(after.version).isGreaterThanOrEqualTo(before.version);
            assertThat(after.beats).isGreaterThanOrEqualTo(before.beats);
        } else {
            assertThat(after.version).isEqualTo(1);
        }
    }

    /** A step of a request of the API that changes more than heartbeats and leases has an entry; nothing else has. */
    private static void audited(LifecycleModel before, LifecycleModel after, Act act) {
        boolean ofRequest = EnumSet.of(
                        Act.Kind.REGISTER,
                        Act.Kind.REPLACE,
                        Act.Kind.REPLACE_ELSEWHERE,
                        Act.Kind.DEREGISTER,
                        Act.Kind.DRAIN,
                        Act.Kind.DRAIN_BY_OPERATOR,
                        Act.Kind.COMMAND,
                        Act.Kind.WITHDRAW,
                        Act.Kind.BLOCK,
                        Act.Kind.ROTATE_KEY,
                        Act.Kind.REVOKE_KEY)
                .contains(act.kind());
        Agent old = before.agents[act.agent()];
        Agent now = after.agents[act.agent()];
        boolean changes = !old.status.equals(now.status)
                || old.incarnation != now.incarnation
                || old.deadline != now.deadline
                || old.commanded != now.commanded
                || old.blocked != now.blocked
                || before.secret != after.secret
                || before.revoked != after.revoked;
        assertThat(after.audit.size() - before.audit.size())
                .as("entries of %s", act)
                .isEqualTo(ofRequest && changes ? 1 : 0);
    }
}
