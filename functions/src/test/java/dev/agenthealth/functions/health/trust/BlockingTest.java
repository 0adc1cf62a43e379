package dev.agenthealth.functions.health.trust;

import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.mistakes;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Role;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocking and unblocking of agents and providers (ServiceNet, Blocking and unblocking). */
@Tag("SN-03")
class BlockingTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TrustClient client = new TrustClient(system);

    @ParameterizedTest
    @ValueSource(strings = {"agents/a", "providers/p"})
    void a_block_applies_from_its_response_until_it_is_removed(String whom) {
        client.newAgent("a", "p");
        Response blocked = client.block(whom, "manual review");
        assertThat(blocked.status()).isEqualTo(200);
        assertThat(isBlocked(whom)).isTrue();
        assertThat(client.read("/v1/trust/" + whom)).isEqualTo(blocked.json());
        Response unblocked = client.unblock(whom);
        assertThat(unblocked.status()).isEqualTo(200);
        assertThat(isBlocked(whom)).isFalse();
        assertThat(unblocked.json().path("blocked").booleanValue()).isFalse();
        assertThat(unblocked.json().path("block_reason").isNull()).isTrue();
        assertThat(client.read("/v1/trust/" + whom)).isEqualTo(unblocked.json());
    }

    @Test
    void an_agent_and_a_provider_of_the_same_name_are_blocked_separately() {
        client.newAgent("same", "same");
        client.block("agents/same", "why");
        BlockStore.Blocks blocks = new BlockStore(system.database()).of("same", Set.of("same"));
        assertThat(blocks.ofAgent().inForce()).isTrue();
        assertThat(blocks.ofProviders().get(0).inForce()).isFalse();
        client.block("providers/same", "too");
        client.unblock("agents/same");
        blocks = new BlockStore(system.database()).of("same", Set.of("same"));
        assertThat(blocks.ofAgent().inForce()).isFalse();
        assertThat(blocks.ofProviders().get(0).inForce()).isTrue();
        assertThat(blocks.ofProviders().get(0).reason()).isEqualTo("too");
        assertThat(new BlockStore(system.database()).of("same", Set.of()).ofProviders())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"agents/a", "providers/p"})
    void each_decision_is_one_event_with_reason_actor_and_time(String whom) {
        client.newAgent("a", "p");
        system.addKey("operator", Role.ADMINISTRATOR, Set.of());
        Instant first = system.clock().instant();
        client.block(whom, "manual review");
        client.block(whom, "manual review");
        client.block("operator", whom, "{\"reason\":\"manual review\"}");
        system.clock().advanceSeconds(1);
        Instant second = system.clock().instant();
        client.block("operator", whom, "{\"reason\":\"fraud\"}");
        system.clock().advanceSeconds(1);
        Instant third = system.clock().instant();
        client.unblock(whom);
        client.unblock(whom);
        List<JsonNode> events = client.events();
        assertThat(events)
                .extracting(event -> event.path("action").asText() + ", "
                        + event.path("reason").asText() + ", "
                        + event.path("actor").asText() + ", "
                        + event.path("timestamp").asText() + ", "
                        + event.path("revision").asText())
                .containsExactly(
                        "blocked, manual review, administrator, " + Timestamps.text(first) + ", 1",
                        "blocked, fraud, key-operator, " + Timestamps.text(second) + ", 2",
                        "unblocked, fraud, administrator, " + Timestamps.text(third) + ", 3");
        assertThat(events).allSatisfy(event -> {
            assertThat(event.path("type").asText()).isEqualTo("agent.trust");
            assertThat(event.path(whom.startsWith("agents") ? "agent_id" : "provider_id")
                            .asText())
                    .isEqualTo(whom.substring(whom.indexOf('/') + 1));
        });
        assertThat(events).extracting(event -> event.path("event_id").asText()).doesNotHaveDuplicates();
    }

    @Test
    void unblocking_restores_the_status_of_the_outcomes() {
        client.newAgent("a", "p");
        client.invoke("a", "p", "+++-");
        JsonNode trust = client.trustOfAgent("a");
        JsonNode health = client.healthOfAgent("a");
        client.block("agents/a", "why");
        assertThat(client.trustOfAgent("a").path("reputation_score")).isEqualTo(trust.path("reputation_score"));
        client.unblock("agents/a");
        assertThat(client.trustOfAgent("a")).isEqualTo(trust);
        assertThat(client.healthOfAgent("a")).isEqualTo(health);
        client.block("agents/a", "why");
        client.invoke("a", "p", "-");
        client.unblock("agents/a");
        assertThat(client.trustOfAgent("a").path("reputation_score").asText()).isEqualTo("0.3478");
        assertThat(client.healthOfAgent("a").path("status").asText()).isEqualTo("degraded");
    }

    @Test
    void a_dead_or_deregistered_agent_can_be_blocked_and_stays_blocked_when_it_registers_again() {
        TestAgent agent = client.newAgent("a", "p");
        agent.deregister();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(client.block("agents/a", "why").status()).isEqualTo(200);
        assertThat(agent.register("").status()).isEqualTo(201);
        assertThat(isBlocked("agents/a")).isTrue();
        assertThat(client.events()).hasSize(1);
    }

    @Test
    void an_agent_cannot_leave_its_provider_while_that_is_blocked() {
        TestAgent agent = client.newAgent("a", "p");
        client.block("providers/p", "why");
        for (String to : List.of("\"q\"", "null")) {
            Response refused = client.change("a", "{\"provider_id\":" + to + "}");
            assertThat(refused.status()).as(to).isEqualTo(403);
            assertThat(client.change(TestSystem.COORDINATOR_KEY, "a", "{\"provider_id\":" + to + "}")
                            .status())
                    .as(to)
                    .isEqualTo(403);
        }
        assertThat(client.change("a", "{\"provider_id\":\"p\",\"name\":\"n\"}").status())
                .isEqualTo(200);
        agent.deregister();
        for (String to : List.of("", ",\"provider_id\":\"q\"")) {
            assertThat(agent.register(to).status()).as(to).isEqualTo(403);
        }
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(agent.register("").status()).as("an archived agent").isEqualTo(403);
        assertThat(agent.register(",\"provider_id\":\"p\"").status()).isEqualTo(201);
        assertThat(client.healthOfAgent("a").path("provider_id").asText()).isEqualTo("p");
    }

    @Test
    void an_agent_can_leave_a_blocked_provider_by_an_administrator_or_after_the_unblocking() {
        client.newAgent("a", "p");
        client.newAgent("b", "p");
        client.block("providers/p", "why");
        assertThat(client.change(TestSystem.ADMINISTRATOR_KEY, "a", "{\"provider_id\":\"q\"}")
                        .status())
                .isEqualTo(200);
        assertThat(client.change("a", "{\"provider_id\":\"r\"}").status())
                .as("its present provider is not blocked")
                .isEqualTo(200);
        client.unblock("providers/p");
        assertThat(client.change("b", "{\"provider_id\":\"q\"}").status()).isEqualTo(200);
    }

    @Test
    void an_unknown_subject_without_a_block_cannot_be_unblocked() {
        for (String whom : List.of("agents/unknown", "providers/unknown")) {
            assertThat(client.unblock(whom).status()).as(whom).isEqualTo(404);
        }
        assertThat(client.block("agents/a~b", "why").status()).isEqualTo(400);
        assertThat(client.events()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"reason\":null}", "{\"reason\":\"\"}", "{\"reason\":\"  \"}"})
    void a_block_needs_no_body_and_no_reason(String body) {
        client.newAgent("a", "p");
        JsonNode record =
                client.block(TestSystem.ADMINISTRATOR_KEY, "agents/a", body).json();
        assertThat(record.path("blocked").booleanValue()).isTrue();
        assertThat(record.path("block_reason").isNull()).isTrue();
        assertThat(record.path("blocked_until").isNull()).isTrue();
        assertThat(isBlocked("agents/a")).isTrue();
        assertThat(client.events().get(0).path("reason").asText()).isEqualTo("no reason given");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"reason\":7}", "{\"reason\":[\"a\"]}", "{\"reason\":\"a\\u0000b\"}", "TOO LONG"})
    void an_invalid_reason_is_refused(String body) {
        client.newAgent("a", "p");
        String sent = body.equals("TOO LONG") ? "{\"reason\":\"" + "x".repeat(501) + "\"}" : body;
        assertThat(mistakes(client.block(TestSystem.ADMINISTRATOR_KEY, "agents/a", sent)))
                .containsExactly("reason");
        assertThat(isBlocked("agents/a")).isFalse();
    }

    @Test
    void unknown_fields_and_invalid_bodies_are_refused() {
        client.newAgent("a", "p");
        String now = system.clock().instant().toString();
        for (String until : List.of(
                "tomorrow", "2026-02-08T10:00:00", now, "+10000-01-01T00:00:00Z", "+999999999-12-31T23:59:59Z")) {
            assertThat(mistakes(client.block(
                            TestSystem.ADMINISTRATOR_KEY,
                            "agents/a",
                            "{\"for\":\"ever\",\"until\":\"" + until + "\"}")))
                    .containsExactlyInAnyOrder("for", "until");
        }
        for (String body : List.of("[]", "{", "\"why\"")) {
            assertThat(client.block(TestSystem.ADMINISTRATOR_KEY, "agents/a", body)
                            .status())
                    .isEqualTo(400);
        }
        assertThat(isBlocked("agents/a")).isFalse();
    }

    @Test
    void a_reason_may_have_500_characters_of_any_script() {
        client.newAgent("a", "p");
        String reason = "\uD83D\uDD12".repeat(500);
        assertThat(client.block("agents/a", reason).json().path("block_reason").asText())
                .isEqualTo(reason);
        assertThat(client.events())
                .singleElement()
                .satisfies(event -> assertThat(event.path("reason").asText()).isEqualTo(reason));
    }

    private boolean isBlocked(String whom) {
        BlockStore.Blocks blocks = new BlockStore(system.database()).of("a", Set.of("p"));
        return (whom.startsWith("agents")
                        ? blocks.ofAgent()
                        : blocks.ofProviders().get(0))
                .inForce();
    }
}
