package dev.agenthealth.functions.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.lifecycle.DrainRule;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.testkit.Interleavings;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Heartbeats concurrent with what begins, moves and ends a drain. */
@Tag("R16-02")
@Tag("R16-03")
@Tag("R16-12")
class DrainInterleavingTest extends HeartbeatInterleavings {

    @Test
    @Tag("R16-19")
    void a_heartbeat_and_a_drain_request() {
        explore(
                TestAgent::becomeUnhealthy,
                race -> {
                    assertThat(race.codes()).as(race.about()).containsOnly(200);
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.DRAINING);
                },
                heartbeat(agent -> agent.sendHeartbeat(api, "active", ",\"current_load\":1")
                        .status()),
                other(this::drain));
    }

    @Test
    @Tag("R16-19")
    @Tag("exhaustive")
    void two_heartbeats_that_both_begin_a_drain() {
        explore(
                TestAgent::becomeUnhealthy,
                race -> {
                    assertThat(race.codes()).as(race.about()).containsOnly(200);
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.DRAINING);
                    assertThat(race.agent().changes())
                            .as(race.about())
                            .filteredOn(change -> change.endsWith("drain_initiated"))
                            .hasSize(1);
                },
                heartbeat(this::sendDraining),
                heartbeat(this::sendDraining));
    }

    @Test
    @Tag("R16-19")
    @Tag("exhaustive")
    void a_heartbeat_that_begins_a_drain_and_the_sweep_that_is_about_to_mark_the_agent_unhealthy() {
        explore(
                agent -> system.clock().advanceSeconds(91),
                race -> {
                    assertThat(race.code(0)).as(race.about()).isEqualTo(200);
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.DRAINING);
                },
                heartbeat(this::sendDraining),
                other(this::sweep));
    }

    @Test
    @Tag("R16-19")
    @Tag("exhaustive")
    void two_heartbeats_that_both_end_a_drain() {
        explore(
                agent -> agent.sendHeartbeat("draining", ",\"current_load\":1"),
                race -> {
                    assertThat(race.codes()).as(race.about()).contains(200).isSubsetOf(200, 410);
                    assertThat(race.agent().changes())
                            .as(race.about())
                            .filteredOn(change -> change.endsWith("drain_completed"))
                            .hasSize(1);
                },
                heartbeat(this::sendIdle),
                heartbeat(this::sendIdle));
    }

    @Test
    @Tag("R16-19")
    @Tag("R16-29")
    void a_heartbeat_and_the_release_of_the_last_lease() {
        explore(
                this::drainWithLease,
                race -> {
                    assertThat(race.code(0)).as(race.about()).isIn(200, 410);
                    assertThat(race.code(1)).as(race.about()).isEqualTo(204);
                    assertDrained(race);
                },
                heartbeat(this::sendDraining),
                other(this::release));
    }

    @Test
    @Tag("R16-19")
    @Tag("R16-29")
    @Tag("exhaustive")
    void the_release_of_the_last_lease_and_a_sweep() {
        explore(
                agent -> {
                    drainWithLease(agent);
                    agent.sendHeartbeat("draining", ",\"current_load\":0");
                },
                race -> {
                    assertThat(race.code(0)).as(race.about()).isEqualTo(204);
                    assertDrained(race);
                },
                other(this::release),
                other(this::sweepDrain));
    }

    @Test
    @Tag("R16-19")
    @Tag("R16-30")
    @Tag("exhaustive")
    void a_release_and_a_deregistration_of_a_draining_agent() {
        explore(
                this::drainWithLease,
                race -> {
                    assertThat(race.codes()).as(race.about()).containsOnly(204);
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.DEREGISTERED);
                },
                other(this::release),
                other(this::deregister));
    }

    @Test
    @Tag("R16-19")
    @Tag("exhaustive")
    void the_first_heartbeat_since_another_requested_the_drain_and_the_sweep() {
        explore(
                agent -> assertThat(api.patch("/api/v1/agents/" + agent.id() + "/status")
                                .key(TestSystem.ADMINISTRATOR_KEY)
                                .header("if-match", "*")
                                .body("{\"status\":\"draining\"}")
                                .send()
                                .status())
                        .isEqualTo(200),
                race -> {
                    assertThat(race.code(0))
                            .as("the agent learns of the drain, %s", race.about())
                            .isEqualTo(200);
                    boolean gone = race.agent().pulse().status() == LifecycleStatus.DEREGISTERED;
                    assertThat(race.code(1)).as(race.about()).isEqualTo(gone ? DONE : NOTHING_TO_DO);
                },
                heartbeat(this::sendIdle),
                other(this::sweepDrain));
    }

    @Test
    @Tag("R16-20")
    @Tag("exhaustive")
    void a_moved_deadline_and_the_sweep_that_is_about_to_mark_the_agent_dead() {
        interleavings.explore(() -> {
            TestAgent agent = newAgent();
            agent.sendHeartbeat("draining", ",\"current_load\":1");
            system.clock().advanceSeconds(121);
            int[] codes = new int[2];
            return new Interleavings.Scenario() {
                @Override
                public List<Runnable> operations() {
                    return List.of(() -> codes[0] = drain(agent), () -> codes[1] = sweepDrain(agent));
                }

                @Override
                public void check(List<Integer> order) {
                    boolean dead = codes[1] == DONE;
                    assertThat(agent.pulse().status())
                            .isEqualTo(dead ? LifecycleStatus.DEAD : LifecycleStatus.DRAINING);
                    assertThat(codes[0]).isEqualTo(dead ? 409 : 200);
                }
            };
        });
    }

    private int sendIdle(TestAgent agent) {
        return agent.sendHeartbeat(api, "draining", ",\"current_load\":0").status();
    }

    /** Ends the drain if it is due, as the sweep does. */
    private int sweepDrain(TestAgent agent) {
        Instant now = system.clock().instant();
        Pulse pulse = new PulseStore(database).find(agent.id()).orElseThrow();
        return DrainRule.mayEnd(pulse, Instant.EPOCH, now)
                        && DrainRule.end(pulse, new LeaseStore(database).holdsAny(pulse, now), Instant.EPOCH, now)
                                .filter(end -> new AgentStore(database)
                                        .change(end, agent.stored().profile()))
                                .isPresent()
                ? DONE
                : NOTHING_TO_DO;
    }

    /** Starts a drain with load while the agent holds one lease. */
    private void drainWithLease(TestAgent agent) {
        Response granted = system.api()
                .post("/api/v1/intents/" + agent.id() + "/leases")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"" + agent.id() + "\",\"scope\":\"s\"}")
                .send();
        assertThat(granted.status()).isEqualTo(201);
        agent.sendHeartbeat("draining", ",\"current_load\":1");
    }

    private int release(TestAgent agent) {
        String intent = "/api/v1/intents/" + agent.id() + "/leases";
        String lease = system.api()
                .get(intent)
                .query("status", "active,released")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json()
                .at("/leases/0/id")
                .textValue();
        return api.delete(intent + "/" + lease).key(TestSystem.AGENT_KEY).send().status();
    }

    private static void assertDrained(Race race) {
        assertThat(race.agent().changes())
                .as(race.about())
                .endsWith("active->draining drain_initiated", "draining->deregistered drain_completed");
    }

    private int drain(TestAgent agent) {
        return agent.drain(api).status();
    }
}
