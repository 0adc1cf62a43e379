package dev.agenthealth.functions.sweep.probes;

import static dev.agenthealth.functions.sweep.probes.WatchedFleet.in;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.ACTIVE;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DEAD;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.UNHEALTHY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.sweep.ProbeEvidence;
import dev.agenthealth.model.sweep.ProbeSample;
import dev.agenthealth.model.sweep.ProbeSample.Result;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Probes that fail or do not run because of the registry's own trouble mark no agent as unhealthy or dead. */
@Tag("SYS-02")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OwnTroubleTest {

    private final WatchedFleet fleet = new WatchedFleet();

    @AfterEach
    void close() {
        fleet.close();
    }

    @Test
    void no_watched_agent_is_marked_while_the_network_fails_as_a_whole() {
        List<TestAgent> agents = fleet.watched(40, 8);
        TestAgent sendsHeartbeats = TestAgent.registered(fleet.system, "silent");
        sendsHeartbeats.sendHeartbeat("active", "");
        fleet.minutes(2);
        fleet.networkFails = true;
        fleet.minutes(12);
        assertThat(in(ACTIVE, agents)).isEqualTo(40);
        assertThat(fleet.registryEvents()).containsExactly("registry.probes_inconclusive");
        assertThat(inconclusiveSince()).isNotEmpty();
        // Agents that send heartbeats are judged as before.
        assertThat(sendsHeartbeats.pulse().status()).isEqualTo(DEAD);
        fleet.networkFails = false;
        fleet.stopped.add("/w3");
        fleet.minutes(2);
        assertThat(in(ACTIVE, agents)).isEqualTo(40);
        assertThat(fleet.registryEvents())
                .containsExactly("registry.probes_inconclusive", "registry.probes_inconclusive_over");
        assertThat(inconclusiveSince()).isEmpty();
        // The silence of the one that does not answer counts from the end of the trouble.
        fleet.minutes(1);
        assertThat(agents.get(3).pulse().status()).isEqualTo(UNHEALTHY);
        fleet.minutes(2);
        assertThat(agents.get(3).pulse().status()).isEqualTo(UNHEALTHY);
        fleet.minutes(2);
        assertThat(agents.get(3).pulse().status()).isEqualTo(DEAD);
        assertThat(in(ACTIVE, agents)).isEqualTo(39);
    }

    /** Of the health document of the registry; empty for null. */
    private String inconclusiveSince() {
        return fleet.system
                .api()
                .get("/api/v1/health")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .at("/registry/probes_inconclusive_since")
                .asText("");
    }

    @Test
    @Tag("slow")
    void agents_that_stop_one_after_the_other_are_marked_as_dead() {
        List<TestAgent> agents = fleet.watched(40, 8);
        fleet.minutes(2);
        for (int i = 0; i < 20; i++) {
            fleet.stopped.add("/w" + i);
            fleet.minutes(1);
        }
        fleet.minutes(6);
        assertThat(in(DEAD, agents.subList(0, 20))).isEqualTo(20);
        assertThat(in(ACTIVE, agents.subList(20, 40))).isEqualTo(20);
        assertThat(fleet.registryEvents()).isEmpty();
    }

    @Test
    void agents_that_never_answered_do_not_hide_the_death_of_others() {
        IntStream.range(0, 30).forEach(i -> fleet.stopped.add("/w" + i));
        List<TestAgent> agents = fleet.watched(40, 8);
        fleet.minutes(2);
        fleet.stopped.add("/w39");
        fleet.minutes(9);
        assertThat(in(DEAD, agents.subList(0, 30))).isEqualTo(30);
        assertThat(agents.get(39).pulse().status()).isEqualTo(DEAD);
        assertThat(in(ACTIVE, agents)).isEqualTo(9);
        assertThat(fleet.registryEvents()).isEmpty();
    }

    @Test
    void no_watched_agent_is_marked_while_probes_do_not_run() {
        List<TestAgent> agents = fleet.watched(40, 8);
        fleet.minutes(2);
        fleet.stopped.add("/w3");
        fleet.minutes(1);
        for (int i = 0; i < 30; i++) {
            fleet.minuteWithoutProbes();
        }
        assertThat(in(ACTIVE, agents)).isEqualTo(40);
        fleet.stopped.add("/w4");
        fleet.minutes(1);
        assertThat(in(ACTIVE, agents)).isEqualTo(40);
        fleet.minutes(6);
        assertThat(in(DEAD, agents.subList(3, 5))).isEqualTo(2);
        assertThat(in(ACTIVE, agents)).isEqualTo(38);
        assertThat(fleet.registryEvents()).isEmpty();
    }

    @Test
    void the_state_of_the_sweep_with_all_owners_and_episodes_stays_one_write_unit() {
        fleet.watched(1, 1);
        fleet.minutes(2);
        SweepStateStore states = new SweepStateStore(fleet.system.database());
        Instant now = fleet.system.clock().instant();
        IntStream.range(0, 4 * ProbeSample.MAX_LARGE).forEach(run -> {
            // Owners that are gone have an episode as well.
            Instant at = now.plusSeconds(300L * run);
            List<Result> found = IntStream.range(0, ProbeSample.MIN_AGENTS)
                    .mapToObj(i -> Result.of(run, "p" + i, "h" + i, true, at, run < 9 ? 60 : 86_400))
                    .toList();
            states.addProbes(found, at);
        });
        Instant last = now.plusSeconds(3_600);
        states.addProbes(
                IntStream.range(100, 200)
                        .mapToObj(i -> Result.of(i, "p" + i, "h" + i, true, last, 86_400))
                        .toList(),
                last);
        assertThat(states.current().probes().sample().results()).hasSize(ProbeSample.MAX_AGENTS);
        assertThat(states.current().probes().sample().byOwner()).hasSize(ProbeSample.MAX_OWNERS);
        assertThat(states.current().probes().owners()).hasSize(ProbeEvidence.MAX_OWNERS);
        fleet.system.meter().reset();
        states.stillSweeping(last);
        assertThat(fleet.system.meter().writeUnits()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, ProbeSample.MAX_OWNERS})
    void runs_at_the_same_time_lose_no_result_and_the_state_of_the_sweep_stays_one_write_unit(int owners) {
        fleet.watched(1, 1);
        fleet.minutes(2);
        SweepStateStore states = new SweepStateStore(fleet.system.database());
        Instant now = fleet.system.clock().instant();
        // Each loses to the others seven times at most.
        IntStream.range(0, 8).parallel().forEach(run -> {
            List<Result> found = IntStream.range(10 * run, 10 * run + 10)
                    .mapToObj(i -> Result.of(i % owners, "p" + i, "h" + i, true, now, 86_400))
                    .toList();
            states.addProbes(found, now);
        });
        ProbeSample sample = states.current().probes().sample();
        assertThat(sample.results()).hasSize(ProbeSample.MAX_AGENTS);
        assertThat(sample.byOwner()).hasSizeBetween(owners, owners + 1);
        fleet.system.clock().advanceSeconds(60);
        assertThat(fleet.registryEvents()).containsExactly("registry.probes_inconclusive");
        fleet.system.meter().reset();
        states.stillSweeping(now.plusSeconds(1));
        assertThat(fleet.system.meter().writeUnits()).isEqualTo(1);
    }
}
