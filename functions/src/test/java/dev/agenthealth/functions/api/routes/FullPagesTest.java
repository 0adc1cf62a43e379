package dev.agenthealth.functions.api.routes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists whose {@code limit} is the number of their items, with items beside them that the list leaves out. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FullPagesTest {

    private static final String LIMITED_KEY = "coordinator-of-some-roles";
    private static final int AGENTS = 12;

    @AutoClose
    private final TestSystem system = new TestSystem();

    @BeforeAll
    void fill() {
        system.addKey(LIMITED_KEY, Role.COORDINATOR, Set.of("role-00", "role-03", "role-07"));
        for (int i = 0; i < AGENTS; i++) {
            String number = String.format("%02d", i);
            register("agent-" + number, "role-" + number, i % 2 == 0 ? "even" : "odd", "provider-" + number);
            put(
                    "/api/v1/workflows/w-" + number,
                    "{\"agents\":{\"role-" + number + "\":{\"pool\":{\"min_instances\":1}}}}");
            put("/v1/admin/hosts/host-" + number + ".example.com", "{\"agent_id\":\"agent-" + number + "\"}");
            post(TestSystem.ADMINISTRATOR_KEY, "/v1/admin/agents/agent-" + number + "/block", "{\"reason\":\"test\"}");
            post(
                    TestSystem.ADMINISTRATOR_KEY,
                    "/v1/admin/providers/provider-" + number + "/block",
                    "{\"reason\":\"test\"}");
            system.clock().advanceSeconds(1);
        }
        register("holder", "holders", "holding", "");
        for (int i = 0; i < AGENTS; i++) {
            lease("scope-" + i, i % 4 == 3 ? 1 : 600);
            system.clock().advanceSeconds(1);
        }
        for (int i = 8; i < AGENTS; i++) {
            TestAgent gone = new TestAgent(system, String.format("agent-%02d", i));
            gone.deregister();
            gone.finishCleanUp();
            assertThat(gone.archive()).isTrue();
        }
        system.clock().advanceSeconds(30);
    }

    private void register(String id, String role, String capability, String provider) {
        post(
                TestSystem.AGENT_KEY,
                "/api/v1/agents",
                "{\"agent_id\":\"" + id + "\",\"role_id\":\"" + role + "\",\"capabilities\":[\"" + capability + "\"]}");
        if (!provider.isEmpty()) {
            Response changed = system.api()
                    .patch("/api/v1/agents/" + id)
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .header("if-match", "*")
                    .body("{\"provider_id\":\"" + provider + "\"}")
                    .send();
            assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        }
    }

    private void lease(String scope, int seconds) {
        post(
                TestSystem.AGENT_KEY,
                "/api/v1/intents/intent/leases",
                "{\"agent_id\":\"holder\",\"scope\":\"" + scope + "\",\"duration_seconds\":" + seconds + "}");
    }

    private void post(String key, String path, String body) {
        Response done = system.api().post(path).key(key).body(body).send();
        assertThat(done.status()).as(done.text()).isIn(200, 201);
    }

    private void put(String path, String body) {
        Response done = system.api()
                .put(path)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(body)
                .send();
        assertThat(done.status()).as(done.text()).isIn(200, 201);
    }

    /** @param expected 0 for as many as one large page has */
    @ParameterizedTest(name = "{0} for {2}: {3}")
    @Tag("R16-21")
    @CsvSource({
        "/api/v1/agents?status=active,                      agents,    administrator, 9",
        "/api/v1/agents?status=active,                      agents,    limited,       3",
        "/api/v1/agents?status=deregistered,                agents,    administrator, 4",
        "'/api/v1/agents?status=active,deregistered',       agents,    administrator, 13",
        "/api/v1/agents?capabilities=even,                  agents,    administrator, 4",
        "/api/v1/agents?role_id=role-03,                    agents,    administrator, 1",
        "/api/v1/agents?blocked=true,                       agents,    administrator, 8",
        "/api/v1/agents,                                    agents,    agent,         9",
        "/api/v1/agents/holder/events,                      events,    administrator, 1",
        "/api/v1/agents/agent-09/events,                    events,    administrator, 3",
        "/api/v1/intents/intent/events,                     events,    administrator, 12",
        "/api/v1/intents/intent/leases,                     leases,    administrator, 9",
        "/api/v1/intents/intent/leases?status=expired,      leases,    administrator, 3",
        "/api/v1/agents/holder/leases,                      leases,    administrator, 9",
        "/api/v1/events?type=agent.trust,                   events,    administrator, 24",
        "/api/v1/events?agent_id=agent-09,                  events,    administrator, 3",
        "/api/v1/pools,                                     pools,     administrator, 13",
        "/api/v1/pools,                                     pools,     limited,       3",
        "/api/v1/workflows,                                 workflows, administrator, 12",
        "/api/v1/workflows,                                 workflows, limited,       3",
        "/v1/trust/agents,                                  items,     administrator, 13",
        "/v1/trust/agents?status=active,                    items,     administrator, 9",
        "/v1/trust/agents?blocked=true,                     items,     administrator, 12",
        "/v1/trust/agents?blocked=true&status=active,       items,     administrator, 8",
        "/v1/trust/agents?blocked=true,                     items,     limited,       3",
        "/v1/health/agents?status=active,                   items,     administrator, 9",
        "/v1/trust/providers,                               items,     administrator, 12",
        "/v1/trust/providers?blocked=true,                  items,     administrator, 12",
        "/v1/health/providers,                              items,     administrator, 12",
        "/v1/admin/hosts,                                   hosts,     administrator, 12",
        "/v1/admin/audit?agent_id=agent-03&since=2026-02-08T10:00:00Z, entries, administrator, 0",
        "/v1/admin/audit?agent_id=agent-03&action=agent.blocked&since=2026-02-08T10:00:00Z, entries, administrator, 1",
    })
    void a_page_with_as_many_items_as_its_limit_is_the_last_one(String path, String name, String caller, int expected) {
        JsonNode all = page(path, caller, 1_000, "").path(name);
        int items = expected == 0 ? all.size() : expected;
        assertThat(all).hasSize(items).isNotEmpty();
        JsonNode full = page(path, caller, items, "");
        assertThat(full.path(name)).hasSize(items);
        assertThat(full.has("next_token")).isFalse();
        if (name.equals("agents")) {
            assertThat(full.path("total").intValue()).isEqualTo(items);
        }
        if (items > 1) {
            JsonNode first = page(path, caller, items - 1, "");
            assertThat(first.path(name)).hasSize(items - 1);
            assertThat(first.has("total")).isFalse();
            JsonNode second =
                    page(path, caller, items - 1, first.path("next_token").asText());
            assertThat(second.path(name)).hasSize(1);
            assertThat(second.has("next_token")).isFalse();
        }
    }

    private JsonNode page(String path, String caller, int limit, String token) {
        String[] parts = path.split("\\?");
        TestApi.Request request = system.api().get(parts[0]).key(key(caller)).query("limit", String.valueOf(limit));
        for (String parameter : parts.length < 2 ? new String[0] : parts[1].split("&")) {
            String[] pair = parameter.split("=");
            request = request.query(pair[0], pair[1]);
        }
        Response answer = (token.isEmpty() ? request : request.query("next_token", token)).send();
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json();
    }

    private static String key(String caller) {
        return switch (caller) {
            case "limited" -> LIMITED_KEY;
            case "agent" -> TestSystem.AGENT_KEY;
            default -> TestSystem.ADMINISTRATOR_KEY;
        };
    }
}
