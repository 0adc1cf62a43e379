package dev.agenthealth.functions.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An attack: a caller counts the pages of a list to learn how many records of others lie between its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HiddenRecordsTest {

    /** More than are read at once. */
    private static final int HIDDEN = 130;

    private static final int VISIBLE = 3;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private String ofRole = "";

    @BeforeAll
    void prepare() {
        ofRole = send(
                        201,
                        system.api().post("/v1/admin/keys"),
                        TestSystem.ADMINISTRATOR_KEY,
                        """
                                {"role":"coordinator","name":"mine","role_ids":["mine"]}\
                                """)
                .path("api_key")
                .textValue();
        int number = 0;
        for (int i = 0; i < VISIBLE; i++) {
            create("mine", TestSystem.AGENT_KEY, number++);
            // Before each record of the caller but the first, and after the last, others have theirs.
            for (int j = 0; j < HIDDEN / VISIBLE + 1; j++) {
                create("theirs", TestSystem.OTHER_AGENT_KEY, number++);
            }
        }
        system.clock().advanceSeconds(60);
    }

    private void create(String role, String key, int number) {
        String id = "agent-%03d".formatted(number);
        send(
                201,
                system.api().post("/api/v1/agents"),
                key,
                "{\"agent_id\":\"" + id + "\",\"role_id\":\"" + role + "\"}");
        send(
                201,
                system.api().post("/api/v1/intents/intent-1/leases"),
                key,
                "{\"agent_id\":\"" + id + "\",\"scope\":\"scope-" + number + "\",\"duration_seconds\":600}");
        String roles = role.equals("mine") && number == 0 ? "mine" : role + "-" + number;
        send(
                201,
                system.api().put("/api/v1/workflows/workflow-%03d".formatted(number)),
                TestSystem.COORDINATOR_KEY,
                "{\"agents\":{\"" + roles + "\":{}}}");
        send(
                200,
                system.api().post("/v1/admin/agents/" + id + "/block"),
                TestSystem.ADMINISTRATOR_KEY,
                "{\"reason\":\"under review\"}");
    }

    private static JsonNode send(int status, Request request, String key, String body) {
        Response response = request.key(key).body(body).send();
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        return response.json();
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/intents/intent-1/leases, leases, agent, 3",
        "/api/v1/intents/intent-1/leases, leases, role, 3",
        "/api/v1/intents/intent-1/events, events, agent, 3",
        "/api/v1/intents/intent-1/events, events, role, 3",
        "/api/v1/agents, agents, agent, 3",
        "/api/v1/agents, agents, role, 3",
        "/api/v1/workflows, workflows, role, 1",
        "/api/v1/pools, pools, role, 1",
        "/v1/trust/agents?blocked=true, items, role, 3",
        "/v1/trust/agents, items, role, 3",
        "/v1/health/agents, items, role, 3",
    })
    void pages_do_not_say_how_many_records_are_hidden(String path, String list, String who, int visible) {
        String key = who.equals("agent") ? TestSystem.AGENT_KEY : ofRole;
        for (int limit : new int[] {1, 2, 100}) {
            List<Integer> sizes = new ArrayList<>();
            String token = "";
            do {
                Request request = system.api().get(path.split("\\?")[0]).key(key);
                request.query("limit", Integer.toString(limit));
                if (path.contains("?")) {
                    request.query("blocked", "true");
                }
                if (!token.isEmpty()) {
                    request.query("next_token", token);
                }
                Response response = request.send();
                assertThat(response.status()).as(response.text()).isEqualTo(200);
                sizes.add(response.json().path(list).size());
                token = response.json().path("next_token").asText("");
            } while (!token.isEmpty() && sizes.size() <= 2 * HIDDEN);
            List<Integer> full = new ArrayList<>();
            for (int left = visible; left > 0; left -= limit) {
                full.add(Math.min(left, limit));
            }
            // The end of a list may be a page of its own, whatever is hidden.
            if (sizes.size() > full.size() && sizes.get(sizes.size() - 1) == 0) {
                sizes.remove(sizes.size() - 1);
            }
            assertThat(sizes).as("limit %s", limit).isEqualTo(full);
        }
    }
}
