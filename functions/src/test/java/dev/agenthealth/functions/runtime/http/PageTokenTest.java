package dev.agenthealth.functions.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.RegistryFunction;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.TableContents;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a page's token shows, and which requests accept it. */
@Tag("R16-22")
class PageTokenTest {

    private static final String AGENTS = "/api/v1/agents";

    @AutoClose
    private final TestSystem system = new TestSystem();

    @BeforeEach
    void registerAgents() {
        for (int i = 0; i < 4; i++) {
            register(system.api(), "secret-name-" + i);
        }
    }

    @Test
    void a_token_does_not_contain_the_position() {
        String token = token(AGENTS, Map.of("limit", "2"));
        String decoded = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.ISO_8859_1);
        assertThat(decoded).doesNotContain("secret").doesNotContain("0:");
        assertThat(token(AGENTS, Map.of("limit", "2")))
                .as("the same page again")
                .isNotEqualTo(token);
    }

    @Test
    void a_token_continues_its_query_with_any_limit() {
        JsonNode all = get(AGENTS, Map.of("status", "active,draining")).json();
        String token = token(AGENTS, Map.of("limit", "1", "status", "active,draining"));
        JsonNode page = get(AGENTS, Map.of("status", "active,draining", "limit", "3", "next_token", token))
                .json();
        assertThat(page.path("agents").findValuesAsText("agent_id"))
                .hasSize(3)
                .isEqualTo(all.path("agents").findValuesAsText("agent_id").subList(1, 4));
    }

    @Test
    void a_token_from_before_the_first_page_is_refused_and_makes_no_key() {
        TableContents before = TableContents.of(system.tables());
        assertRefused(get(AGENTS, Map.of("next_token", "x".repeat(64))));
        assertThat(TableContents.of(system.tables())).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/agents?status=draining",
                "/api/v1/agents?role_id=worker",
                "/api/v1/agents?capabilities=a",
                "/api/v1/pools",
                "/api/v1/workflows",
                "/api/v1/events",
                "/api/v1/agents/secret-name-1/events",
                "/v1/trust/agents",
                "/v1/health/agents",
                "/v1/admin/keys"
            })
    void any_other_query_refuses_the_token(String other) {
        String token = token(AGENTS, Map.of("limit", "1"));
        Map<String, String> query = new HashMap<>(Map.of("next_token", token));
        int question = other.indexOf('?');
        if (question > 0) {
            query.put(other.substring(question + 1, other.indexOf('=')), other.substring(other.indexOf('=') + 1));
        }
        assertRefused(get(question < 0 ? other : other.substring(0, question), query));
    }

    @Test
    void the_token_of_an_event_log_is_refused_for_another_agent_and_another_since() {
        for (String agent : List.of("secret-name-0", "secret-name-1")) {
            assertThat(system.api()
                            .delete(AGENTS + "/" + agent)
                            .key(TestSystem.ADMINISTRATOR_KEY)
                            .send()
                            .status())
                    .isEqualTo(204);
        }
        String path = AGENTS + "/secret-name-0/events";
        String token = token(path, Map.of("limit", "1"));
        assertThat(get(path, Map.of("next_token", token)).json().path("events")).hasSize(1);
        assertRefused(get(AGENTS + "/secret-name-1/events", Map.of("next_token", token)));
        assertRefused(get(path, Map.of("next_token", token, "since", "2026-02-08T09:00:00Z")));
    }

    @Test
    void the_feed_of_the_system_is_resumed_without_since() {
        system.clock().advanceSeconds(10);
        String token = token("/api/v1/events", Map.of("limit", "3", "since", "2026-02-08T09:00:00Z"));
        assertThat(get("/api/v1/events", Map.of("next_token", token)).json().path("events"))
                .hasSize(1);
    }

    @Test
    void another_key_refuses_the_token_even_of_the_same_role() {
        system.addKey("second-coordinator", Role.COORDINATOR, Set.of());
        String token = token(AGENTS, Map.of("limit", "1"));
        for (String key : List.of(TestSystem.COORDINATOR_KEY, "second-coordinator")) {
            assertRefused(
                    system.api().get(AGENTS).key(key).query("next_token", token).send());
        }
    }

    @Test
    void a_changed_token_and_a_made_up_one_are_refused_with_a_clear_text() {
        String token = token(AGENTS, Map.of("limit", "1"));
        byte[] bytes = Base64.getUrlDecoder().decode(token);
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 1;
            assertRefused(
                    get(AGENTS, Map.of("next_token", Base64.getUrlEncoder().encodeToString(changed))));
        }
        String plain = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("0:secret-name-1 and more text".getBytes(StandardCharsets.UTF_8));
        JsonNode problem = assertRefused(get(AGENTS, Map.of("next_token", plain)));
        assertThat(problem.path("errors").path(0).path("message").asText())
                .isEqualTo("must be the next_token of an earlier page of the same query, requested with the same key;"
                        + " without it the list begins anew");
    }

    @Test
    void all_instances_of_a_function_share_the_key() {
        TestApi other = new TestApi(List.of(new RegistryFunction(system.wiring(Map.of()))));
        String token = token(AGENTS, Map.of("limit", "3"));
        Response page = other.get(AGENTS)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .query("next_token", token)
                .send();
        assertThat(page.json().path("agents")).hasSize(1);
    }

    private static void register(TestApi api, String agentId) {
        assertThat(api.post(AGENTS)
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"agent_id\":\"" + agentId + "\"}")
                        .send()
                        .status())
                .isEqualTo(201);
    }

    private String token(String path, Map<String, String> query) {
        String token = get(path, query).json().path("next_token").asText();
        assertThat(token).isNotEmpty();
        return token;
    }

    private Response get(String path, Map<String, String> query) {
        TestApi.Request request = system.api().get(path).key(TestSystem.ADMINISTRATOR_KEY);
        query.forEach(request::query);
        return request.send();
    }

    private static JsonNode assertRefused(Response response) {
        assertThat(response.status()).as(response.text()).isEqualTo(400);
        assertThat(response.json().path("errors").findValuesAsText("field")).contains("next_token");
        return response.json();
    }
}
