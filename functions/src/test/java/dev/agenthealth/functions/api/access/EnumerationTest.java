package dev.agenthealth.functions.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.EveryKindOfItem;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.testkit.Attack;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Who may not see a thing gets the answer of one that does not exist: its status, its text, its headers, and, where no agent decides who sees
 * it, the same calls of storage, which stand for the time that it takes. Lists and totals are those of a registry without it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag(Attack.TAG)
class EnumerationTest {

    private static final String PROBLEM =
            ProblemId.of("agent.declaration_changed:" + EveryKindOfItem.AGENT).toString();

    @AutoClose
    private final EveryKindOfItem items = new EveryKindOfItem();

    private String other = "";
    private String viewerOfOthers = "";
    private String mapping = "";

    @BeforeAll
    void addCallers() {
        other = key("{\"role\":\"agent\",\"name\":\"other\"}");
        viewerOfOthers =
                key("""
                {"role":"viewer","name":"viewer","role_ids":["other"]}\
                """);
        mapping = items.api()
                .get("/api/v1/telemetry/mappings")
                .key(EveryKindOfItem.AGENT_KEY)
                .send()
                .json()
                .at("/mappings/0/mapping_id")
                .asText();
        assertThat(mapping).isNotEmpty();
        // A blocked or stopped agent is not called.
        items.send(
                200,
                items.api()
                        .delete("/v1/admin/stop")
                        .query("agent_id", EveryKindOfItem.AGENT)
                        .key(TestSystem.ADMINISTRATOR_KEY));
        for (String blocked : List.of("agents/" + EveryKindOfItem.AGENT, "providers/acme")) {
            items.send(
                    200, items.api().post("/v1/admin/" + blocked + "/unblock").key(TestSystem.ADMINISTRATOR_KEY));
        }
    }

    private String key(String body) {
        return items.api()
                .post("/v1/admin/keys")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(body)
                .send()
                .json()
                .path("api_key")
                .asText();
    }

    /**
     * Something that is hidden.
     *
     * @param path with the place of its name
     * @param name of one that exists
     * @param absent of one that does not, of the same length
     * @param visibleTo a key that sees it; empty where that is shown elsewhere
     * @param hiddenFrom a key that does not; empty for none
     */
    private record Hidden(
            String method, String path, String name, String absent, String body, String visibleTo, String hiddenFrom) {

        /** Who may see it is decided by the agent, which is read then; whether an agent exists is no secret. */
        boolean isOfAgent() {
            return path.contains("/problems/") || path.startsWith("/agents/");
        }

        @Override
        public String toString() {
            return method + " " + path + " " + name;
        }
    }

    Stream<Hidden> hidden() {
        String absentProblem = ProblemId.of("agent:absent").toString();
        String absentMapping = mapping.replaceAll(".$", mapping.endsWith("0") ? "1" : "0");
        String admin = TestSystem.ADMINISTRATOR_KEY;
        String agent = EveryKindOfItem.AGENT_KEY;
        String tasks = "/a2a/agents/" + EveryKindOfItem.AGENT + "/tasks/";
        return Stream.of(other, viewerOfOthers)
                .flatMap(caller -> Stream.of(
                        new Hidden("GET", "/api/v1/problems/#", PROBLEM, absentProblem, "", admin, caller),
                        new Hidden("POST", "/api/v1/problems/#/acknowledge", PROBLEM, absentProblem, "{}", "", caller),
                        new Hidden("GET", "/api/v1/silences/#", "deployment", "deploymenu", "", agent, caller),
                        new Hidden("DELETE", "/api/v1/silences/#", "deployment", "deploymenu", "", "", caller),
                        new Hidden("DELETE", "/api/v1/telemetry/mappings/#", mapping, absentMapping, "", "", caller),
                        new Hidden("GET", tasks + "#", EveryKindOfItem.MARKER, "secret-of-the-other", "", "", caller),
                        new Hidden("GET", "/agents/#", urn(EveryKindOfItem.OTHER), urn("bystandes"), "", "", caller)))
                // A viewer changes nothing and calls no agent, whatever it names.
                .filter(one -> one.hiddenFrom().equals(other)
                        || one.method().equals("GET") && !one.path().equals(tasks + "#"));
    }

    private static String urn(String agentId) {
        return "urn:air:registry.example:agent:" + agentId;
    }

    @ParameterizedTest
    @MethodSource("hidden")
    void what_is_hidden_is_answered_as_what_is_absent(Hidden hidden) {
        if (!hidden.visibleTo().isEmpty()) {
            assertThat(send(hidden, hidden.name(), hidden.visibleTo()).status()).isBetween(200, 204);
        }
        // The caller's key is read once.
        send(hidden, hidden.absent(), hidden.hiddenFrom());
        items.system().ledger().reset();
        Response absent = send(hidden, hidden.absent(), hidden.hiddenFrom());
        List<String> callsOfAbsent = items.system().ledger().operations();
        items.system().ledger().reset();
        Response found = send(hidden, hidden.name(), hidden.hiddenFrom());
        assertThat(found.status())
                .isEqualTo(absent.status())
                .isEqualTo(hidden.method().equals("DELETE") ? 204 : 404);
        assertThat(found.text().replace(hidden.name(), hidden.absent())).isEqualTo(absent.text());
        assertThat(found.event().getHeaders()).isEqualTo(absent.event().getHeaders());
        if (!hidden.isOfAgent()) {
            assertThat(items.system().ledger().operations()).isEqualTo(callsOfAbsent);
        }
    }

    private Response send(Hidden hidden, String name, String key) {
        Request request = items.api()
                .request(hidden.method(), hidden.path().replace("#", name))
                .header("a2a-version", "1.0")
                .domain("registry.example")
                .key(key);
        return (hidden.body().isEmpty() ? request : request.body(hidden.body())).send();
    }

    @Test
    void lists_and_totals_of_who_sees_nothing_are_empty() {
        for (String key : List.of(other, viewerOfOthers)) {
            for (String path :
                    List.of("/api/v1/agents", "/api/v1/problems", "/api/v1/silences", "/openintent/api/v1/agents")) {
                JsonNode list = items.api().get(path).key(key).send().json();
                assertThat(list.findValues("agent_id")).as(path).isEmpty();
                assertThat(
                                list.isArray()
                                        ? list
                                        : list.properties().stream()
                                                .filter(field -> !field.getKey().equals("status_filter"))
                                                .map(Map.Entry::getValue)
                                                .filter(JsonNode::isArray)
                                                .findFirst()
                                                .orElseThrow())
                        .as(path)
                        .isEmpty();
                assertThat(list.findValues("total")).as(path).allMatch(total -> total.asInt() == 0);
            }
        }
        JsonNode summary =
                items.api().get("/api/v1/health").key(viewerOfOthers).send().json();
        assertThat(summary.toString())
                .doesNotContain(EveryKindOfItem.MARKER, EveryKindOfItem.AGENT, EveryKindOfItem.OTHER, "billing");
        for (String path : List.of(
                "/v1/trust/agents", "/v1/health/agents", "/api/v1/workflows", "/api/v1/pools", "/api/v1/events")) {
            assertThat(items.api().get(path).key(viewerOfOthers).send().text())
                    .as(path)
                    .doesNotContain(EveryKindOfItem.MARKER, EveryKindOfItem.AGENT, EveryKindOfItem.OTHER, "billing");
        }
    }

    @Test
    void tools_of_mcp_show_no_more_than_the_api() {
        JsonNode tools = items.api()
                .post("/mcp")
                .key(other)
                .body(
                        """
                        {"jsonrpc":"2.0","id":1,"method":"tools/list"}\
                        """)
                .send()
                .json()
                .at("/result/tools");
        assertThat(tools).hasSizeGreaterThan(4);
        for (JsonNode tool : tools) {
            // A tool that needs arguments names what it is about, and says so.
            String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\""
                    + tool.path("name").asText() + "\",\"arguments\":{}}}";
            for (String key : List.of(other, viewerOfOthers)) {
                assertThat(items.api().post("/mcp").key(key).body(body).send().text())
                        .as(tool.path("name").asText())
                        .doesNotContain(EveryKindOfItem.MARKER, "\"" + EveryKindOfItem.AGENT, EveryKindOfItem.OTHER);
            }
        }
    }
}
