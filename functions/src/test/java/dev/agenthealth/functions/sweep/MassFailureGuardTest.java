package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.pulses.CanaryStore;
import dev.agenthealth.functions.storage.system.DeathQuotaStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.sweep.PublicApi.Answer;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.MassRestartRule;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.model.sweep.SweepState;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What an operator reads of failures of the whole, and the metrics on which alarms depend: once for each beginning and each end. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-02")
class MassFailureGuardTest {

    private static final String CHECK_FAILURES = "SelfCheckFailures";

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private Answer answer = Answer.ACKNOWLEDGED;
    private SweepStateStore states;
    private MassFailureGuard guard;

    @BeforeEach
    void start() {
        harness.startAfresh();
        out.reset();
        answer = Answer.ACKNOWLEDGED;
        states = new SweepStateStore(harness.system().database());
        guard = new MassFailureGuard(
                new SelfCheck(
                        new CanaryStore(harness.system().database()),
                        List.of((agentId, key) -> answer == Answer.ACKNOWLEDGED
                                ? harness.publicApi().forward(agentId, key)
                                : answer),
                        Runnable::run,
                        harness.system().clock()),
                states,
                new DeathQuotaStore(harness.system().database()),
                new Log(harness.system().clock(), new PrintStream(out, true, StandardCharsets.UTF_8), "a-stack"),
                harness.system().clock());
    }

    private Pulse registered(int agent, Instant at) {
        return RegistrationRule.first("agent-" + agent, HeartbeatConfig.DEFAULT, 1, Coordination.NONE, Owner.NONE, at);
    }

    private Stream<Pulse> silent(int agents) {
        Instant longAgo = harness.now().minusSeconds(3_600);
        return IntStream.range(0, agents)
                .mapToObj(agent -> registered(agent, longAgo).withHeartbeat(Heartbeat.BARE, longAgo.plusSeconds(60)));
    }

    private Stream<Pulse> restarted(int agents) {
        Instant now = harness.now();
        return IntStream.range(1_000, 1_000 + agents)
                .mapToObj(agent -> RegistrationRule.again(
                        RegistrationRule.replaced(registered(agent, now.minusSeconds(3_600)), now),
                        HeartbeatConfig.DEFAULT,
                        1,
                        Coordination.NONE,
                        Owner.NONE,
                        now));
    }

    /** The events of the log and the metrics of one decision. */
    private List<String> decide(Stream<Pulse> fleet) {
        out.reset();
        Instant now = harness.now();
        SweepState state = states.begin(now, Duration.ofMinutes(2), SweepStateStore.Learnt.NOTHING);
        FleetCount.Tally count = new FleetCount.Tally(state.graceFrom(), now);
        OwnerCounts.Tally owners = new OwnerCounts.Tally();
        fleet.forEach(pulse -> {
            count.add(pulse);
            owners.add(pulse, 0, state.graceFrom(), now);
            owners.addRestart(pulse, now);
        });
        guard.decide(count.count(), owners.counts(), state, MassSilenceRule.DEFAULT, Optional.empty(), now);
        harness.system().clock().advanceSeconds(10);
        return lines().map(MassFailureGuardTest::nameOf).toList();
    }

    private Stream<JsonNode> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().map(Json::stored);
    }

    private static String nameOf(JsonNode line) {
        JsonNode metric = line.at("/_aws/CloudWatchMetrics/0/Metrics/0/Name");
        return metric.isMissingNode() ? line.path("event").asText() : metric.asText();
    }

    private JsonNode only(String event) {
        return lines().filter(line -> line.path("event").asText().equals(event))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void each_failed_self_check_is_logged_and_counted_and_the_first_that_passes_ends_it() {
        answer = Answer.FAILED;
        assertThat(decide(silent(1))).containsExactly("self_check_failed", CHECK_FAILURES);
        assertThat(only("self_check_failed").path("canaries_sent").asLong()).isEqualTo(2);
        assertThat(only("self_check_failed").path("canaries_answered").asLong()).isZero();
        assertThat(decide(silent(1))).containsExactly("self_check_failed", CHECK_FAILURES);
        answer = Answer.ACKNOWLEDGED;
        assertThat(decide(silent(1))).containsExactly("self_check_recovered");
        assertThat(decide(silent(1))).isEmpty();
    }

    @Test
    void a_self_check_that_is_throttled_is_logged_and_counts_as_failed_after_a_minute() {
        answer = Answer.THROTTLED;
        for (int i = 0; i < 6; i++) {
            assertThat(decide(silent(1))).containsExactly("self_check_inconclusive");
        }
        assertThat(only("self_check_inconclusive").path("canaries_throttled").asLong())
                .isPositive();
        assertThat(decide(silent(1))).containsExactly("self_check_failed", CHECK_FAILURES);
    }

    @Test
    void a_mass_silence_is_logged_and_counted_when_it_begins_and_logged_when_it_ends() {
        assertThat(decide(silent(60))).containsExactly("mass_silence", "MassSilence");
        assertThat(only("mass_silence").path("monitored").asLong()).isEqualTo(60);
        assertThat(only("mass_silence").path("silent").asLong()).isEqualTo(60);
        assertThat(decide(silent(60))).isEmpty();
        assertThat(decide(silent(1))).containsExactly("mass_silence_over");
        assertThat(decide(silent(1))).isEmpty();
    }

    @Test
    void a_mass_restart_is_logged_and_counted_while_deaths_wait_for_it_and_logged_when_it_ends() {
        int restarts = MassRestartRule.MIN_RESTARTS;
        assertThat(decide(restarted(restarts))).as("no death waits").isEmpty();
        assertThat(decide(Stream.concat(restarted(restarts), silent(1))))
                .containsExactly("mass_restart", "MassRestart");
        assertThat(only("mass_restart").path("restarted").asLong()).isEqualTo(restarts);
        assertThat(decide(Stream.concat(restarted(restarts), silent(1)))).isEmpty();
        assertThat(decide(silent(1))).containsExactly("mass_restart_over");
        assertThat(decide(silent(1))).isEmpty();
    }
}
