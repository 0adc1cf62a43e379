package dev.agenthealth.functions.registry.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestTables;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** One intent with 12 leases of two owners: 3 released, 2 revoked, 1 expired, 6 active. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-17")
@Tag("R16-26")
class LeaseListsTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final LeaseClient leases = new LeaseClient(system.api());
    private final List<String> all = new ArrayList<>();

    @BeforeAll
    void lease() {
        TestAgent.registered(system, "mine");
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(TestSystem.OTHER_AGENT_KEY)
                        .body("{\"agent_id\":\"theirs\"}")
                        .send()
                        .status())
                .isEqualTo(201);
        for (int i = 0; i < 12; i++) {
            JsonNode lease = i < 9
                    ? leases.granted("mine", "scope-" + i, i == 5 ? 1 : 600)
                    : leases.acquire(TestSystem.OTHER_AGENT_KEY, "theirs", "scope-" + i, 600)
                            .json();
            all.add(lease.get("id").textValue());
            if (i < 3) {
                leases.release(lease);
            } else if (i < 5) {
                leases.revoke(TestSystem.COORDINATOR_KEY, lease);
            }
            system.clock().advanceSeconds(1);
        }
    }

    @Test
    void an_intent_s_list_contains_active_leases_by_default() {
        assertThat(LeaseClient.texts(list(TestSystem.COORDINATOR_KEY, "").json().get("leases"), "id"))
                .isEqualTo(all.subList(6, 12));
        assertThat(leases.ids("active")).isEqualTo(all.subList(6, 12));
        assertThat(leases.ids("released")).isEqualTo(all.subList(0, 3));
        assertThat(leases.ids("revoked")).isEqualTo(all.subList(3, 5));
        assertThat(leases.ids("expired")).isEqualTo(all.subList(5, 6));
        assertThat(leases.ids("released,expired,revoked,active")).isEqualTo(all);
        assertThat(list(TestSystem.COORDINATOR_KEY, "nonsense").status()).isEqualTo(400);
    }

    @Test
    void pages_contain_every_lease_once() {
        for (int limit : List.of(1, 3, 5, 12, 13)) {
            assertThat(pages("/api/v1/intents/intent-1/leases", "active,released,expired,revoked", limit))
                    .as("limit %s", limit)
                    .isEqualTo(all);
            assertThat(pages("/api/v1/agents/mine/leases", "", limit))
                    .as("limit %s", limit)
                    .isEqualTo(all.subList(6, 9));
        }
        for (String path : List.of("/api/v1/intents/intent-1/leases", "/api/v1/agents/mine/leases")) {
            for (String limit : List.of("0", "1001", "x")) {
                assertThat(admin(path).query("limit", limit).send().status()).isEqualTo(400);
            }
            assertThat(admin(path).query("next_token", "!").send().status()).isEqualTo(400);
        }
    }

    private List<String> pages(String path, String status, int limit) {
        List<String> seen = new ArrayList<>();
        String token = "";
        do {
            TestApi.Request request = admin(path).query("limit", "" + limit);
            request = status.isEmpty() ? request : request.query("status", status);
            JsonNode page = (token.isEmpty() ? request : request.query("next_token", token))
                    .send()
                    .json();
            assertThat(page.get("leases").size()).isLessThanOrEqualTo(limit);
            seen.addAll(LeaseClient.texts(page.get("leases"), "id"));
            token = page.path("next_token").asText("");
        } while (!token.isEmpty());
        return seen;
    }

    private TestApi.Request admin(String path) {
        return system.api().get(path).key(TestSystem.ADMINISTRATOR_KEY);
    }

    @Test
    @Tag("R16-34")
    void an_agent_s_key_sees_only_its_own_leases() {
        assertThat(LeaseClient.texts(list(TestSystem.AGENT_KEY, "").json().get("leases"), "id"))
                .isEqualTo(all.subList(6, 9));
        assertThat(LeaseClient.texts(list(TestSystem.OTHER_AGENT_KEY, "").json().get("leases"), "id"))
                .isEqualTo(all.subList(9, 12));
        assertThat(LeaseClient.texts(events(TestSystem.OTHER_AGENT_KEY, 1_000), "lease_id"))
                .isEqualTo(all.subList(9, 12));
        assertThat(system.api()
                        .get("/api/v1/agents/mine/leases")
                        .key(TestSystem.OTHER_AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(403);
    }

    @Test
    void an_agent_s_list_contains_active_leases() {
        JsonNode list = system.api()
                .get("/api/v1/agents/mine/leases")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json();
        assertThat(LeaseClient.texts(list.get("leases"), "id")).containsExactlyInAnyOrderElementsOf(all.subList(6, 9));
        assertThat(system.api()
                        .get("/api/v1/agents/unknown/leases")
                        .key(TestSystem.AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(404);
    }

    @Test
    void an_intent_s_log_contains_one_event_per_grant_and_per_end_oldest_first_in_pages() {
        List<JsonNode> events = leases.events();
        assertThat(events.stream().filter(e -> e.get("type").textValue().equals("lease.acquired")))
                .hasSize(12);
        assertThat(events.stream().filter(e -> e.get("type").textValue().equals("lease.released")))
                .hasSize(3);
        assertThat(events.stream().filter(e -> e.get("type").textValue().equals("lease.revoked")))
                .hasSize(2);
        assertThat(events).hasSize(17);
        assertThat(events.stream().map(e -> e.get("event_id").textValue())).doesNotHaveDuplicates();
        assertThat(events.stream().map(e -> e.get("timestamp").textValue()).toList())
                .isSorted();
        List<String> seen = new ArrayList<>();
        String token = "";
        do {
            TestApi.Request request = system.api()
                    .get("/api/v1/intents/intent-1/events")
                    .query("limit", "4")
                    .key(TestSystem.COORDINATOR_KEY);
            JsonNode page = (token.isEmpty() ? request : request.query("next_token", token))
                    .send()
                    .json();
            seen.addAll(LeaseClient.texts(page.get("events"), "event_id"));
            token = page.path("next_token").asText("");
        } while (!token.isEmpty());
        assertThat(seen)
                .isEqualTo(
                        events.stream().map(e -> e.get("event_id").textValue()).toList());
    }

    @Test
    @Tag("SYS-05")
    void every_event_of_a_lease_is_stored_for_publishing_as_it_is_shown() {
        List<String> shown = leases.events().stream().map(JsonNode::toString).toList();
        List<String> outbox =
                system.tables().dynamoDb().scanPaginator(r -> r.tableName(TestTables.REGISTRY)).items().stream()
                        .filter(item -> item.get("sk").s().startsWith("E#"))
                        .filter(item -> item.get("type").s().startsWith("lease."))
                        .map(item -> item.get("detail").s())
                        .toList();
        assertThat(outbox).containsExactlyInAnyOrderElementsOf(shown);
        assertThat(outbox).hasSize(17);
    }

    private TestApi.Response list(String key, String status) {
        TestApi.Request request =
                system.api().get("/api/v1/intents/intent-1/leases").key(key);
        return (status.isEmpty() ? request : request.query("status", status)).send();
    }

    private JsonNode events(String key, int limit) {
        return system.api()
                .get("/api/v1/intents/intent-1/events")
                .query("limit", "" + limit)
                .key(key)
                .send()
                .json()
                .get("events");
    }
}
