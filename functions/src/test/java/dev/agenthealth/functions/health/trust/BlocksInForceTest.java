package dev.agenthealth.functions.health.trust;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.trust.BlockStore.InForce;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Role;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that end by themselves, blocks of unknown agents and providers, and the lists of all blocks in force. */
@Tag("SN-03")
class BlocksInForceTest {

    private static final String COORDINATOR_OF_WORKERS = "coordinator-of-workers";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TrustClient client = new TrustClient(system);

    @ParameterizedTest
    @ValueSource(strings = {"agents", "providers"})
    void a_block_with_an_end_ends_by_itself(String kind) {
        client.newAgent("a", "a");
        String until = Timestamps.text(system.clock().instant().plusSeconds(60));
        JsonNode record = client.block(
                        TestSystem.ADMINISTRATOR_KEY,
                        kind + "/a",
                        "{\"reason\":\"cool down\",\"until\":\"" + until + "\"}")
                .json();
        assertThat(record.path("blocked_until").asText()).isEqualTo(until);
        system.clock().advanceSeconds(59);
        assertThat(blocked(kind, "100")).containsExactly("a");
        assertThat(client.read("/v1/trust/" + kind + "/a").path("blocked").booleanValue())
                .isTrue();
        system.clock().advanceSeconds(1);
        assertThat(blocked(kind, "100")).isEmpty();
        JsonNode after = client.read("/v1/trust/" + kind + "/a");
        assertThat(after.path("blocked").booleanValue()).isFalse();
        assertThat(after.path("block_reason").isNull()).isTrue();
        assertThat(after.path("blocked_until").isNull()).isTrue();
        assertThat(new BlockStore(system.database())
                        .of("a", Set.of("a"))
                        .ofAgent()
                        .inForce())
                .isFalse();
        assertThat(new BlockStore(system.database())
                        .of("a", Set.of("a"))
                        .ofProviders()
                        .get(0)
                        .inForce())
                .isFalse();
        assertThat(new BlockStore(system.database()).inForce()).isEqualTo(InForce.NONE);
        assertThat(Instant.parse(client.events().get(0).path("until").asText())).isEqualTo(Instant.parse(until));
    }

    @Test
    void a_block_that_ended_can_be_decided_again() {
        client.newAgent("a", "p");
        String until = Timestamps.text(system.clock().instant().plusSeconds(60));
        client.block(TestSystem.ADMINISTRATOR_KEY, "agents/a", "{\"until\":\"" + until + "\"}");
        system.clock().advanceSeconds(61);
        assertThat(client.unblock("agents/a").status()).isEqualTo(200);
        assertThat(client.events()).as("nothing was left to unblock").hasSize(1);
        client.block(TestSystem.ADMINISTRATOR_KEY, "agents/a", "");
        assertThat(client.events()).hasSize(2);
        assertThat(blocked("agents", "100")).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"agents/a", "agents/unknown", "providers/p"})
    void the_sweep_publishes_the_end_of_a_block_once(String whom) {
        client.newAgent("a", "p");
        Instant until = system.clock().instant().plusSeconds(60);
        client.block(
                TestSystem.ADMINISTRATOR_KEY,
                whom,
                "{\"reason\":\"cool down\",\"until\":\"" + Timestamps.text(until) + "\"}");
        system.clock().advanceSeconds(59);
        assertThat(blocking().noteEnds(() -> true)).isZero();
        system.clock().advanceSeconds(601);
        assertThat(blocking().noteEnds(() -> false)).isZero();
        system.sweep().passes(null);
        system.sweep().passes(null);
        assertThat(client.events())
                .extracting(event -> event.path("action").asText() + " "
                        + event.path("revision").asInt() + " "
                        + event.path("until").asText() + " "
                        + event.path("severity").asText())
                .containsExactly(
                        "blocked 1 " + Timestamps.text(until) + " warning",
                        "unblocked 2 " + Timestamps.text(until) + " info");
        client.block(whom, "again");
        assertThat(blocking().noteEnds(() -> true)).isZero();
        assertThat(client.read("/v1/trust/" + whom).path("blocked").booleanValue())
                .isTrue();
    }

    @Test
    void the_end_of_the_block_of_an_archived_agent_is_published() {
        TestAgent agent = client.newAgent("a", "p");
        client.block(
                TestSystem.ADMINISTRATOR_KEY,
                "agents/a",
                "{\"until\":\"" + Timestamps.text(system.clock().instant().plusSeconds(60)) + "\"}");
        agent.deregister();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        system.clock().advanceSeconds(60);
        assertThat(blocking().noteEnds(() -> true)).isEqualTo(1);
        assertThat(client.events())
                .extracting(event -> event.path("action").asText())
                .containsExactly("blocked", "unblocked");
    }

    private Blocking blocking() {
        return new Blocking(system.database(), system.clock(), system.log());
    }

    @Test
    void an_agent_and_a_provider_can_be_blocked_before_the_first_registration() {
        for (String whom : List.of("agents/new", "providers/new")) {
            JsonNode record = client.block(whom, "known fraud").json();
            assertThat(record.path("blocked").booleanValue()).as(whom).isTrue();
            assertThat(record.path("reputation_score").asDouble()).isEqualTo(0.5);
            assertThat(client.read("/v1/trust/" + whom)).isEqualTo(record);
        }
        assertThat(blocked("agents", "100")).containsExactly("new");
        assertThat(blocked("providers", "100")).containsExactly("new");
        client.newAgent("new", "new");
        assertThat(client.read("/v1/trust/agents/new").path("blocked").booleanValue())
                .isTrue();
        assertThat(client.unblock("agents/new").json().path("blocked").booleanValue())
                .isFalse();
        assertThat(blocked("agents", "100")).isEmpty();
    }

    @Test
    void the_lists_show_all_blocks_in_force_page_by_page() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            String id = "agent-" + (char) ('a' + i);
            if (i % 3 != 0) {
                client.newAgent(id, "");
            }
            client.block("agents/" + id, "why");
            client.block("providers/" + id, "why");
            all.add(id);
        }
        new TestAgent(system, "agent-b").deregister();
        client.newAgent("free", "");
        for (String kind : List.of("agents", "providers")) {
            for (String limit : List.of("1", "5", "11", "12", "100")) {
                assertThat(blocked(kind, limit)).as(kind + " by " + limit).isEqualTo(all);
            }
            assertThat(client.get(TestSystem.ADMINISTRATOR_KEY, "/v1/trust/" + kind)
                            .status())
                    .isEqualTo(200);
        }
        client.unblock("agents/agent-b");
        all.remove("agent-b");
        assertThat(blocked("agents", "4")).isEqualTo(all);
    }

    @Test
    void a_coordinator_of_some_roles_sees_the_blocks_of_their_agents_only() {
        system.addKey(COORDINATOR_OF_WORKERS, Role.COORDINATOR, Set.of("worker"));
        for (String role : List.of("worker", "other")) {
            assertThat(system.api()
                            .post("/api/v1/agents")
                            .key(TestSystem.AGENT_KEY)
                            .body("{\"agent_id\":\"" + role + "-1\",\"role_id\":\"" + role + "\"}")
                            .send()
                            .status())
                    .isEqualTo(201);
            client.block("agents/" + role + "-1", "why");
        }
        client.block("agents/unknown", "why");
        assertThat(blocked(COORDINATOR_OF_WORKERS, "agents", "1")).containsExactly("worker-1");
        assertThat(client.get(COORDINATOR_OF_WORKERS, "/v1/trust/agents/unknown")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void blocked_is_a_boolean() {
        assertThat(system.api()
                        .get("/v1/trust/agents")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .query("blocked", "no")
                        .send()
                        .status())
                .isEqualTo(400);
    }

    private List<String> blocked(String kind, String limit) {
        return blocked(TestSystem.ADMINISTRATOR_KEY, kind, limit);
    }

    private List<String> blocked(String key, String kind, String limit) {
        String id = kind.equals("agents") ? "agent_id" : "provider_id";
        List<String> ids = new ArrayList<>();
        String token = "";
        do {
            Request request = system.api()
                    .get("/v1/trust/" + kind)
                    .key(key)
                    .query("blocked", "true")
                    .query("limit", limit);
            JsonNode page = (token.isEmpty() ? request : request.query("next_token", token))
                    .send()
                    .json();
            page.path("items").forEach(item -> {
                assertThat(item.path("blocked").booleanValue()).isTrue();
                ids.add(item.path(id).asText());
            });
            token = page.path("next_token").asText("");
        } while (!token.isEmpty());
        return ids;
    }
}
