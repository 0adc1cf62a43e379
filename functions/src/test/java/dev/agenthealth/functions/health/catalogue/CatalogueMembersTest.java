package dev.agenthealth.functions.health.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which agents stand in the catalogue: those that asked for it, as long as they can be called. */
class CatalogueMembersTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final CatalogueClient catalogue = new CatalogueClient(system);

    @Test
    void an_agent_that_asked_for_it_is_found_and_another_one_is_not() {
        catalogue.alive("listed", CatalogueClient.LISTED);
        catalogue.alive("other", ",\"endpoint\":\"https://agent.example.com/a2a\"");
        assertThat(catalogue.found("test")).containsExactly("listed");
        assertThat(catalogue.manifest()).containsExactly("listed");
        assertThat(catalogue.entry("listed").status()).isEqualTo(200);
        assertThat(catalogue.entry("other").status()).isEqualTo(404);
    }

    @Test
    void a_silent_agent_leaves_with_the_sweep_and_returns_with_its_heartbeat() {
        TestAgent agent = catalogue.alive("a", CatalogueClient.LISTED);
        assertThat(catalogue.found("test")).containsExactly("a");
        agent.becomeUnhealthy();
        assertThat(catalogue.found("test")).isEmpty();
        agent.sendHeartbeat();
        catalogue.pass();
        assertThat(catalogue.found("test")).containsExactly("a");
    }

    @Test
    void a_dead_agent_is_in_no_answer() {
        TestAgent agent = catalogue.alive("a", CatalogueClient.LISTED);
        agent.becomeUnhealthy();
        system.clock().advanceSeconds(300);
        assertThat(agent.sweep()).isTrue();
        assertThat(catalogue.found("test")).isEmpty();
        assertThat(catalogue.manifest()).isEmpty();
        assertThat(catalogue.entry("a").status()).isEqualTo(404);
    }

    @Test
    void an_agent_that_never_sent_a_heartbeat_is_not_shown() {
        assertThat(new TestAgent(system, "a").register(CatalogueClient.LISTED).status())
                .isEqualTo(201);
        assertThat(catalogue.found("test")).isEmpty();
        assertThat(catalogue.entry("a").status()).isEqualTo(404);
    }

    @Test
    void a_blocked_agent_is_not_shown() {
        catalogue.alive("a", CatalogueClient.LISTED);
        assertThat(system.api()
                        .post("/v1/admin/agents/a/block")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"reason\":\"x\"}")
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(catalogue.found("test")).isEmpty();
        assertThat(catalogue.entry("a").status()).isEqualTo(404);
    }

    @Test
    void a_draining_agent_is_not_shown() {
        TestAgent agent = catalogue.alive("a", CatalogueClient.LISTED);
        agent.sendHeartbeat("draining", "");
        assertThat(catalogue.found("test")).isEmpty();
    }

    @Test
    void the_flag_is_shown_and_changed_and_leaves_with_a_registration_without_it() {
        TestAgent agent = catalogue.alive("a", "");
        assertThat(shown("a")).isFalse();
        assertThat(catalogue.patch("{\"listed\":true}").status()).isEqualTo(400);
        assertThat(catalogue
                        .patch("{\"listed\":true,\"endpoint\":\"https://agent.example.com/a2a\"}")
                        .status())
                .isEqualTo(200);
        assertThat(shown("a")).isTrue();
        assertThat(catalogue.found("test")).containsExactly("a");
        assertThat(catalogue.patch("{\"name\":\"Tester\"}").status()).isEqualTo(200);
        assertThat(shown("a")).isTrue();
        assertThat(catalogue
                        .patch("{\"endpoint\":null}")
                        .json()
                        .path("errors")
                        .get(0)
                        .path("field")
                        .asText())
                .isEqualTo("listed");
        assertThat(catalogue.patch("{\"listed\":null}").status()).isEqualTo(200);
        catalogue.pass();
        assertThat(catalogue.found("test")).isEmpty();
        assertThat(catalogue.patch("{\"listed\":true}").status()).isEqualTo(200);
        assertThat(agent.register(",\"replace\":true").status()).isEqualTo(201);
        agent.sendHeartbeat();
        catalogue.pass();
        assertThat(shown("a")).isFalse();
        assertThat(catalogue.found("test")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",\"listed\":true",
                ",\"listed\":\"yes\",\"endpoint\":\"https://agent.example.com/a2a\"",
                ",\"listed\":true,\"personal\":true,\"endpoint\":\"https://agent.example.com/a2a\""
            })
    void an_agent_that_cannot_be_shown_is_refused(String more) {
        Response response = new TestAgent(system, "a").register(more);
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().path("errors").get(0).path("field").asText()).isEqualTo("listed");
    }

    private boolean shown(String id) {
        JsonNode record = system.api()
                .get("/api/v1/agents/" + id)
                .key(TestSystem.AGENT_KEY)
                .send()
                .json();
        JsonNode row = system.api()
                .get("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json()
                .path("agents")
                .get(0);
        assertThat(row.path("listed").booleanValue())
                .isEqualTo(record.path("listed").booleanValue());
        return record.path("listed").booleanValue();
    }
}
