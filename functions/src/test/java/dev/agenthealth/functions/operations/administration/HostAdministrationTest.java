package dev.agenthealth.functions.operations.administration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Administrators, not agents, decide which host shows which agent's health. */
@Tag("AHS-01")
class HostAdministrationTest {

    private static final String HOSTS = "/v1/admin/hosts";

    @AutoClose
    private final TestSystem system = new TestSystem();

    @Test
    void a_host_can_be_mapped_and_remapped() {
        TestAgent.registered(system, "a");
        TestAgent.registered(system, "b");
        Response mapped = map("Agent.Example.COM", "a");
        assertThat(mapped.status()).isEqualTo(200);
        assertThat(mapped.json())
                .isEqualTo(
                        Json.stored(
                                """
                                {"host":"agent.example.com","agent_id":"a","updated_at":"2026-02-08T10:00:00.000Z"}
                                """));
        system.clock().advanceSeconds(60);
        assertThat(map("agent.example.com", "b").json().path("agent_id").asText())
                .isEqualTo("b");
        JsonNode list = list("").json();
        assertThat(list.path("hosts"))
                .isEqualTo(
                        Json.stored(
                                """
                                [{"host":"agent.example.com","agent_id":"b","updated_at":"2026-02-08T10:01:00.000Z"}]
                                """));
        assertThat(list.has("next_token")).isFalse();
    }

    @Test
    void a_mapping_can_be_removed_and_the_removal_repeated() {
        TestAgent.registered(system, "a");
        map("agent.example.com", "a");
        for (int i = 0; i < 2; i++) {
            Response removed = unmap("AGENT.example.com");
            assertThat(removed.status()).isEqualTo(204);
            assertThat(removed.text()).isEmpty();
            assertThat(list("").json().path("hosts")).isEmpty();
        }
    }

    @Test
    void an_agent_may_have_several_hosts_and_the_list_is_paged() {
        TestAgent.registered(system, "a");
        List<String> hosts = List.of("a.example", "b.example", "c.example", "d.example", "e");
        hosts.forEach(host -> assertThat(map(host, "a").status()).isEqualTo(200));
        List<String> seen = new ArrayList<>();
        String token = "";
        do {
            Request page = request("GET", HOSTS).query("limit", "2");
            JsonNode json = (token.isEmpty() ? page : page.query("next_token", token))
                    .send()
                    .json();
            seen.addAll(json.path("hosts").findValuesAsText("host"));
            token = json.path("next_token").asText("");
        } while (!token.isEmpty());
        assertThat(seen).isEqualTo(hosts);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "agent.example.com:443",
                "-agent.example.com",
                "agent-.example.com",
                "agent..example.com",
                "agent.example.com.",
                ".",
                "a_b.example.com",
                "a b",
                "ägent.example.com",
                "\u212Aelvin.example",
                "*.example.com",
                "[::1]"
            })
    void an_invalid_host_name_is_refused(String host) {
        TestAgent.registered(system, "a");
        for (Response refused : List.of(map(host, "a"), unmap(host))) {
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.json().path("errors").findValuesAsText("field")).containsExactly("host");
        }
    }

    @Test
    void all_errors_are_reported_together() {
        Response refused =
                request("PUT", HOSTS + "/-").body("{\"agent\":\"a\"}").send();
        assertThat(refused.json().path("errors").findValuesAsText("field"))
                .containsExactlyInAnyOrder("host", "agent_id", "agent");
        assertThat(map("a.example", "~registry").status()).isEqualTo(400);
        assertThat(list("?").status()).isEqualTo(400);
        assertThat(request("GET", HOSTS).query("limit", "0").send().status()).isEqualTo(400);
    }

    @Test
    void an_unknown_agent_is_refused() {
        Response refused = map("agent.example.com", "never");
        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.json().path("error").asText()).isEqualTo("agent_not_found");
    }

    private Response map(String host, String agentId) {
        return request("PUT", HOSTS + "/" + host)
                .body("{\"agent_id\":\"" + agentId + "\"}")
                .send();
    }

    private Response unmap(String host) {
        return request("DELETE", HOSTS + "/" + host).send();
    }

    private Response list(String token) {
        Request request = request("GET", HOSTS);
        return (token.isEmpty() ? request : request.query("next_token", token)).send();
    }

    private Request request(String method, String path) {
        Request request =
                switch (method) {
                    case "PUT" -> system.api().put(path);
                    case "DELETE" -> system.api().delete(path);
                    default -> system.api().get(path);
                };
        return request.key(TestSystem.ADMINISTRATOR_KEY);
    }
}
