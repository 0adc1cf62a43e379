package dev.agenthealth.model.health.trust;

import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.health.trust.StopScope.Kind;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Pulses;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StopsTest {

    private static final PendingDrain COMMAND = new PendingDrain("maintenance", Duration.ofSeconds(60), "key_2");

    @ParameterizedTest
    @CsvSource({
        "AGENT, agent_1, true",
        "AGENT, agent_2, false",
        "ROLE,  billing, true",
        "ROLE,  other,   false",
        "KEY,   key_1,   true",
        "KEY,   key_2,   false",
        "ALL,   '',      true"
    })
    void a_stop_covers_the_agents_that_it_names(Kind kind, String id, boolean covered) {
        StopScope scope = new StopScope(kind, id);
        assertThat(stops(scope).of(agent()).isPresent()).isEqualTo(covered);
        assertThat(StopScope.covering("agent_1", "billing", "key_1").contains(scope))
                .isEqualTo(covered);
        assertThat(StopScope.ofText(scope.text())).contains(scope);
    }

    @Test
    void the_narrowest_stop_counts() {
        List<StopScope> narrowestFirst = StopScope.covering("agent_1", "billing", "key_1");
        for (int i = 0; i < narrowestFirst.size(); i++) {
            StopScope[] wider = narrowestFirst.subList(i, narrowestFirst.size()).toArray(StopScope[]::new);
            assertThat(stops(wider).of(agent()).orElseThrow().scope()).isEqualTo(wider[0]);
        }
    }

    @Test
    void an_agent_without_a_role_is_in_no_role() {
        assertThat(StopScope.covering("a", "", "key")).noneMatch(scope -> scope.kind() == Kind.ROLE);
    }

    @Test
    void a_stopped_agent_is_asked_to_drain_once() {
        PendingDrain drain = stops(StopScope.ALL).due(agent()).orElseThrow();
        assertThat(drain.requestedBy()).isEqualTo(PendingDrain.STOP);
        assertThat(drain.timeout()).isEqualTo(Drain.DEFAULT_TIMEOUT);
        assertThat(stops(StopScope.ALL).due(agent().withPendingDrain(drain))).isEmpty();
        assertThat(Stops.NONE.due(agent().withPendingDrain(drain))).contains(PendingDrain.NONE);
    }

    @Test
    void a_command_of_another_author_stays() {
        assertThat(stops(StopScope.ALL).due(agent().withPendingDrain(COMMAND))).isEmpty();
        assertThat(Stops.NONE.due(agent().withPendingDrain(COMMAND))).isEmpty();
        assertThat(Stops.NONE.due(agent())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ACTIVE, true", "UNHEALTHY, true", "DRAINING, false", "DEAD, false", "DEREGISTERED, false"})
    void only_agents_that_can_drain_are_asked(LifecycleStatus status, boolean asked) {
        assertThat(stops(StopScope.ALL).due(Pulses.in(status)).isPresent()).isEqualTo(asked);
    }

    @ParameterizedTest
    @CsvSource({"63", "64", "65", "500"})
    void a_row_has_the_beginning_of_the_reason(int length) {
        String reason =
                PendingDrain.ofStop("r".repeat(length), Duration.ofSeconds(1)).reason();
        assertThat(reason).hasSize(Math.min(length, PendingDrain.MAX_REASON));
        String split = "r".repeat(PendingDrain.MAX_REASON - 1) + "\uD83D\uDED1";
        assertThat(PendingDrain.ofStop(split, Duration.ofSeconds(1)).reason())
                .isEqualTo("r".repeat(PendingDrain.MAX_REASON - 1));
    }

    private static Stops stops(StopScope... scopes) {
        return Stops.of(Stream.of(scopes)
                .map(scope -> new Stop(scope, "why", "operator", Instant.EPOCH))
                .toList());
    }

    private static Pulse agent() {
        Coordination billing =
                new Coordination(GroupNumber.of("billing"), Drain.DEFAULT_TIMEOUT, PendingDrain.NONE, Instant.EPOCH);
        return RegistrationRule.first("agent_1", HeartbeatConfig.DEFAULT, 5, billing, Pulses.OWNER, T0);
    }
}
