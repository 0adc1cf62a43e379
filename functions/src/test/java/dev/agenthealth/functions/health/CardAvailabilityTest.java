package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A card that leads to the gateway says whether the agent takes new work. */
class CardAvailabilityTest {

    private static final String ENDPOINT = ",\"endpoint\":\"https://agent.example.com/a2a\"";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TestAgent agent = new TestAgent(system, "a");

    private void register(String more) {
        Response response = agent.register(ENDPOINT + more);
        assertThat(response.status()).as(response.text()).isEqualTo(201);
    }

    private JsonNode card(String file, String via) {
        var request = system.api().get("/agents/a/.well-known/" + file).domain("registry.example.com");
        Response response = (via.isEmpty() ? request : request.query("via", via)).send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    /** The parameters of the extension; missing without the extension. */
    private JsonNode params(JsonNode card) {
        for (JsonNode extension : card.at("/capabilities/extensions")) {
            if (extension.path("uri").asText().equals(CardAvailability.URI)) {
                assertThat(extension.path("required").asBoolean(true)).isFalse();
                return extension.path("params");
            }
        }
        return MissingNode.getInstance();
    }

    private String state() {
        return params(card("agent-card.json", "gateway")).path("state").asText();
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent.json", "agent-card.json"})
    void an_active_agent_is_ready_as_of_its_last_heartbeat(String file) {
        register("");
        String version = card(file, "gateway").path("version").asText();
        system.clock().advanceSeconds(10);
        agent.sendHeartbeat();
        JsonNode card = card(file, "gateway");
        assertThat(params(card).path("state").asText()).isEqualTo("ready");
        assertThat(params(card).path("as_of").asText())
                .isEqualTo(Timestamps.text(system.clock().instant()));
        assertThat(params(card).has("next_run_at")).isFalse();
        assertThat(card.path("version").asText())
                .as("the availability is no new version")
                .isEqualTo(version);
        assertThat(params(card(file, "")).isMissingNode())
                .as("the agent's own address")
                .isTrue();
    }

    @Test
    void an_agent_with_as_many_tasks_as_it_can_do_is_busy() {
        register(",\"capacity\":{\"max_concurrent_tasks\":2}");
        agent.sendHeartbeat("active", ",\"current_load\":1");
        assertThat(state()).isEqualTo("ready");
        agent.sendHeartbeat("active", ",\"current_load\":2");
        assertThat(state()).isEqualTo("busy");
    }

    @Test
    void a_drain_counts_from_its_command_on() {
        register("");
        system.api()
                .post("/api/v1/agents/a/commands")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"command\":\"drain\"}")
                .send();
        assertThat(state()).isEqualTo("draining");
        agent.sendHeartbeat("draining", "");
        assertThat(state()).isEqualTo("draining");
    }

    @Test
    void a_silent_agent_is_unavailable_since_its_last_sign_of_life() {
        register("");
        agent.sendHeartbeat();
        String seen = Timestamps.text(system.clock().instant());
        agent.becomeUnhealthy();
        assertThat(state()).isEqualTo("unavailable");
        agent.becomeDead();
        JsonNode params = params(card("agent-card.json", "gateway"));
        assertThat(params.path("state").asText()).isEqualTo("unavailable");
        assertThat(params.path("as_of").asText()).isEqualTo(seen);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/admin/agents/a/block", "/v1/admin/providers/acme-labs/block"})
    void a_blocked_agent_is_unavailable(String path) {
        register("");
        system.api()
                .patch("/api/v1/agents/a")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .header("if-match", "*")
                .body("{\"provider_id\":\"acme-labs\"}")
                .send();
        assertThat(state()).isEqualTo("ready");
        system.api()
                .post(path)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"reason\":\"Under review\"}")
                .send();
        assertThat(state()).isEqualTo("unavailable");
    }

    @Test
    void a_stopped_agent_is_unavailable() {
        register("");
        system.api()
                .post("/v1/admin/stop")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"role_id\":\"worker\",\"reason\":\"Under review\"}")
                .send();
        assertThat(state()).isEqualTo("unavailable");
    }

    @Test
    void the_next_run_is_the_run_of_the_agent_s_record() {
        register(",\"heartbeat_config\":{\"schedule\":{\"cron\":\"0 3 * * *\"}}");
        String expected = system.api()
                .get("/api/v1/agents/a")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json()
                .path("expected_at")
                .asText();
        assertThat(expected).isNotEmpty();
        assertThat(params(card("agent-card.json", "gateway"))
                        .path("next_run_at")
                        .asText())
                .isEqualTo(expected);
    }

    @Test
    void a_personal_agent_and_an_agent_whose_silence_is_no_fault_show_nothing() {
        register(",\"personal\":true");
        assertThat(params(card("agent-card.json", "gateway")).isMissingNode()).isTrue();
        agent.deregister();
        register(",\"personal\":false,\"heartbeat_config\":{\"mode\":\"none\"}");
        assertThat(params(card("agent-card.json", "gateway")).isMissingNode()).isTrue();
    }
}
