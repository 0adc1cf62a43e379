package dev.agenthealth.functions.operations.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ping addresses move to another registry with their agents. */
class MovedPingsTest {

    @AutoClose
    private final TestSystem here = new TestSystem();

    @AutoClose
    private final TestSystem there = new TestSystem();

    @BeforeEach
    void register() {
        assertThat(here.api()
                        .post("/api/v1/agents")
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"agent_id\":\"nightly\"}")
                        .send()
                        .status())
                .isEqualTo(201);
    }

    /** Issues a ping address, and returns its path. */
    private String issue(String key) {
        String url = here.api()
                .post("/api/v1/agents/nightly/ping-url")
                .key(key)
                .send()
                .json()
                .path("ping_url")
                .textValue();
        return url.substring(url.indexOf("/p/"));
    }

    private JsonNode export(TestSystem system) {
        return system.api()
                .get("/v1/admin/export")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json();
    }

    private JsonNode move() {
        ObjectNode document = (ObjectNode) export(here);
        // Both registries have the keys of the tests, whose ids no document has.
        document.remove("keys");
        Response imported = there.api()
                .post("/v1/admin/import")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(document.toString())
                .send();
        assertThat(imported.status()).as(imported.text()).isEqualTo(200);
        assertThat(imported.json().path("skipped").asInt()).as(imported.text()).isZero();
        return imported.json();
    }

    private int ping(String path) {
        return there.api().get(path).send().status();
    }

    @Test
    void programs_ping_the_same_path_at_the_new_registry() {
        String ofOwner = issue(TestSystem.AGENT_KEY);
        String ofAdministrator = issue(TestSystem.ADMINISTRATOR_KEY);
        assertThat(ping(ofOwner)).isEqualTo(404);
        String document = export(here).toString();
        assertThat(document)
                .doesNotContain(ofOwner.substring(ofOwner.lastIndexOf('.') + 1))
                .doesNotContain(ofAdministrator.substring(ofAdministrator.lastIndexOf('.') + 1));
        move();
        assertThat(List.of(ping(ofOwner), ping(ofAdministrator))).containsOnly(200);
        assertThat(ping(ofOwner + "x")).isEqualTo(404);
        assertThat(export(there).at("/agents/0/ping_tokens"))
                .isEqualTo(export(here).at("/agents/0/ping_tokens"))
                .hasSize(2);
    }

    @Test
    void a_token_that_was_issued_since_the_last_import_moves_with_the_next() {
        String first = issue(TestSystem.AGENT_KEY);
        move();
        String second = issue(TestSystem.AGENT_KEY);
        move();
        assertThat(ping(first)).isEqualTo(404);
        assertThat(ping(second)).isEqualTo(200);
        assertThat(move().at("/results/0/result").asText()).isNotEqualTo("updated");
        assertThat(ping(second)).isEqualTo(200);
    }

    @Test
    void a_token_of_a_revoked_key_does_not_move() {
        String path = issue(TestSystem.AGENT_KEY);
        assertThat(here.api()
                        .delete("/v1/admin/keys/" + TestSystem.keyId(TestSystem.AGENT_KEY))
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(204);
        assertThat(export(here).at("/agents/0/agent_id").textValue()).isEqualTo("nightly");
        assertThat(export(here).at("/agents/0").has("ping_tokens")).isFalse();
        move();
        assertThat(ping(path)).isEqualTo(404);
    }

    @Test
    void an_import_keeps_addresses_that_the_document_does_not_have() {
        move();
        String url = there.api()
                .post("/api/v1/agents/nightly/ping-url")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json()
                .path("ping_url")
                .textValue();
        move();
        assertThat(ping(url.substring(url.indexOf("/p/")))).isEqualTo(200);
    }
}
