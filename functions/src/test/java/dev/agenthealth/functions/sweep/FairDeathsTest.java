package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.testkit.TestContext;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The agents of one owner key do not keep silent agents of another one from being marked as dead. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-02")
@Tag("R16-15")
class FairDeathsTest {

    private static final int FAN_OUT_AGENTS = 30;

    private final SweepHarness harness = new SweepHarness();
    private final Sweep shards = harness.sweepThrough(harness.system().dynamoDb());
    private final WorkerServer server =
            new WorkerServer(request -> shards.shard(request, TestContext.of("SweepFunction")));

    @BeforeEach
    void start() {
        server.answer();
        server.forget();
        harness.startAfresh();
        harness.passToTheNextMinute();
    }

    @AfterAll
    void close() {
        server.close();
        harness.close();
    }

    @Test
    void registrations_without_heartbeats_do_not_keep_agents_of_another_key_from_dying() {
        List<TestAgent> registered = harness.fleetOf("idle-key", "idle-", 150, false);
        List<TestAgent> dead = harness.fleet("a-", 10, SweepHarness.SHORT_LIVED);
        harness.passTime(50);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, dead)).isEqualTo(10);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, registered)).isEqualTo(150);
        assertThat(harness.registryEvents("registry.mass_silence")).isEmpty();
    }

    @ParameterizedTest(name = "shared out: {0}")
    @ValueSource(booleans = {false, true})
    @Tag("slow")
    void the_limit_of_a_mass_silence_is_shared_among_owner_keys(boolean sharedOut) {
        List<TestAgent> many = harness.fleetOf("many-key", "many-", 91, true);
        List<TestAgent> few = harness.fleetOf("few-key", "few-", 3, true);
        List<TestAgent> some = harness.fleetOf("some-key", "some-", 26, true);
        List<TestAgent> never = harness.fleetOf("never-key", "never-", 20, false);
        if (sharedOut) {
            harness.configure(1, FAN_OUT_AGENTS, MassSilenceRule.DEFAULT);
            harness.use(sharing());
        }
        harness.passTime(50);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, few))
                .as("less than an equal share")
                .isEqualTo(3);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, never))
                .as("outside of the limit")
                .isEqualTo(20);
        long ofMany = SweepHarness.in(LifecycleStatus.DEAD, many);
        long ofSome = SweepHarness.in(LifecycleStatus.DEAD, some);
        assertThat(ofMany + ofSome).isEqualTo(9);
        assertThat(Math.abs(ofMany - ofSome)).isEqualTo(1);
        assertThat(harness.registryEvents("registry.mass_silence")).hasSize(1).allSatisfy(event -> {
            assertThat(event.get("monitored_agents").intValue()).isEqualTo(120);
            assertThat(event.get("deaths_per_minute").intValue()).isEqualTo(12);
        });
        assertThat(server.calls().isEmpty()).isEqualTo(!sharedOut);
        harness.passTime(60);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, some))
                .as("an equal share of the next minute")
                .isBetween(9L, 11L);
    }

    private Sweep sharing() {
        Wiring usual = harness.wiring(harness.system().dynamoDb(), Map.of());
        return new Sweep(usual.toBuilder().lambda(server::client).build(), harness.publicApi());
    }
}
