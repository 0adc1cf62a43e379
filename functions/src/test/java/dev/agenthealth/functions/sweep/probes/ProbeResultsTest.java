package dev.agenthealth.functions.sweep.probes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.probes.ProbeStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.ProbeResult;
import dev.agenthealth.model.registry.profile.ProbeState;
import dev.agenthealth.testkit.TestDynamoDb;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Results are stored once, and the end of a certificate is published with the state that says so. */
class ProbeResultsTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final ProbeStore states = new ProbeStore(system.database());
    private final ProbeResults results = new ProbeResults(system.database());
    private final Instant end = system.clock().instant().plus(Duration.ofDays(24));
    private TestAgent agent;
    private AgentProfile profile;

    @BeforeEach
    void register() {
        agent = TestAgent.registered(system, "w");
        profile = agent.stored().profile();
    }

    private ProbeResult found(Instant certificateEnds) {
        return new ProbeResult(system.clock().instant(), "", "", 42, certificateEnds);
    }

    private void daysBefore(Instant end, int days) {
        system.clock()
                .advanceSeconds(Duration.between(system.clock().instant(), end).toSeconds() - days * 86_400L);
    }

    private List<JsonNode> warnings() {
        return agent.events().stream()
                .filter(event -> event.path("type").asText().equals("agent.certificate_expiring"))
                .toList();
    }

    @Test
    void the_end_of_a_certificate_is_published_at_21_7_and_1_days_and_for_the_next_one_again() {
        for (int days = 23; days > 0; days--) {
            daysBefore(end, days);
            results.note(profile, states.find("w"), found(end));
            results.note(profile, states.find("w"), found(end));
        }
        assertThat(warnings())
                .extracting(event -> event.path("days_before_end").asInt())
                .containsExactly(21, 7, 1);
        assertThat(warnings())
                .extracting(event -> event.path("severity").asText())
                .containsExactly("warning", "warning", "error");
        assertThat(warnings()).allSatisfy(event -> assertThat(
                        Instant.parse(event.path("certificate_ends_at").asText()))
                .isEqualTo(end));
        agent.assertHistoryIsWhole("after warnings");
        Instant next = end.plus(Duration.ofDays(90));
        results.note(profile, states.find("w"), found(next));
        assertThat(warnings()).hasSize(3);
        daysBefore(next, 21);
        results.note(profile, states.find("w"), found(next));
        assertThat(warnings())
                .as("of the last 90 days")
                .extracting(event -> event.path("days_before_end").asInt())
                .containsExactly(7, 1, 21);
        assertThat(warnings()).last().satisfies(event -> assertThat(
                        Instant.parse(event.path("certificate_ends_at").asText()))
                .isEqualTo(next));
    }

    @Test
    void a_probe_that_is_overtaken_publishes_nothing_twice_and_a_later_state_stays() {
        daysBefore(end, 7);
        ProbeResult late = found(end);
        system.clock().advanceSeconds(1);
        ProbeResult later = new ProbeResult(system.clock().instant(), "HTTP 503", "", 7, end);
        AtomicInteger writes = new AtomicInteger();
        TestDynamoDb hooked = new TestDynamoDb(system.dynamoDb()).before(request -> {
            boolean write = request instanceof TransactWriteItemsRequest || request instanceof PutItemRequest;
            if (write && writes.getAndIncrement() == 0) {
                results.note(profile, ProbeState.NONE, later);
            }
        });
        new ProbeResults(system.databaseThrough(hooked)).note(profile, ProbeState.NONE, late);
        assertThat(writes.get()).isEqualTo(1);
        assertThat(warnings()).hasSize(1);
        assertThat(states.current("w").failure()).isEqualTo("HTTP 503");
        agent.assertHistoryIsWhole("after the race");
    }

    @Test
    void another_event_meanwhile_delays_no_warning() {
        daysBefore(end, 7);
        AtomicInteger writes = new AtomicInteger();
        TestDynamoDb hooked = new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest && writes.getAndIncrement() == 0) {
                agent.becomeUnhealthy();
            }
        });
        new ProbeResults(system.databaseThrough(hooked)).note(profile, ProbeState.NONE, found(end));
        assertThat(warnings()).hasSize(1);
        agent.assertHistoryIsWhole("after the race");
    }

    @Test
    void nothing_is_published_of_a_deregistered_agent() {
        daysBefore(end, 1);
        agent.deregister();
        results.note(profile, ProbeState.NONE, found(end));
        assertThat(warnings()).isEmpty();
        assertThat(states.current("w")).isEqualTo(ProbeState.NONE);
    }

    @Test
    void a_state_with_all_it_keeps_is_one_write_unit_and_is_read_as_it_was_stored() {
        Instant at = Instant.ofEpochMilli(system.clock().instant().toEpochMilli());
        ProbeState state = ProbeState.NONE.then(new ProbeResult(at, "", "degraded", 1, at));
        for (int i = 0; i < 300; i++) {
            state = state.then(new ProbeResult(at.plusSeconds(300L * i), "", "degraded", 19_999 - i, at));
        }
        state = state.then(
                new ProbeResult(at.plusSeconds(90_000), "does not contain '" + "x".repeat(200) + "'", "", 5, at));
        system.meter().reset();
        assertThat(states.replace("w", ProbeState.NONE, state)).isTrue();
        assertThat(system.meter().writeUnits()).isEqualTo(1);
        assertThat(states.current("w")).isEqualTo(state);
        assertThat(states.replace("w", ProbeState.NONE, state)).isFalse();
    }
}
