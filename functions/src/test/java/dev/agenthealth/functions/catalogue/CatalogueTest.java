package dev.agenthealth.functions.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.configuration.RuntimeConfiguration;
import dev.agenthealth.model.identity.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The catalogue shows agents that asked for it, as long as they can be called (ARD 0.91). */
class CatalogueTest {

    private static final String LISTED = ",\"listed\":true,\"endpoint\":\"https://agent.example.com/a2a\"";
    private static final String URN = "urn:air:registry.example.com:agent:";

    @AutoClose
    private final TestSystem system = new TestSystem();

    @Test
    void an_agent_that_asked_for_it_is_found_and_another_one_is_not() {
        alive("listed", LISTED);
        alive("other", ",\"endpoint\":\"https://agent.example.com/a2a\"");
        assertThat(found("test")).containsExactly("listed");
        assertThat(manifest()).containsExactly("listed");
        assertThat(entry("listed").status()).isEqualTo(200);
        assertThat(entry("other").status()).isEqualTo(404);
    }

    @Test
    void an_entry_has_the_form_of_ard_and_leads_to_the_gateway() {
        alive("a", LISTED + ",\"name\":\"Tester\"");
        JsonNode entry = entry("a").json();
        assertThat(entry)
                .isEqualTo(Json.stored(
                        """
                                {"identifier":"urn:air:registry.example.com:agent:a","displayName":"Tester",
                                 "type":"application/a2a-agent-card+json",
                                 "url":"https://registry.example.com/agents/a/.well-known/agent-card.json?via=gateway",
                                 "tags":["worker"],"description":"An agent with the capabilities test.","capabilities":["test"],
                                 "representativeQueries":["find an agent for test","which agent does test"],
                                 "metadata":{"agent_id":"a","verdict":"ok","health_status":"unknown"},
                                 "updatedAt":"%s"}
                                """
                                .formatted(system.clock().instant())));
        JsonNode result =
                search("{\"query\":{\"text\":\"test\"}}").json().path("results").get(0);
        assertThat(result.path("score").asInt()).isEqualTo(100);
        assertThat(result.path("source").asText()).isEqualTo("https://registry.example.com/");
        assertThat(result.has("representativeQueries")).isFalse();
        assertThat(system.api()
                        .get(entry.path("url")
                                .asText()
                                .replaceFirst("https://[^/]+", "")
                                .replaceFirst("\\?.*", ""))
                        .query("via", "gateway")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    @Test
    void the_catalogue_shows_where_it_is_searched_and_the_server_of_mcp() {
        JsonNode entries = read().json().path("entries");
        assertThat(entries.get(0).path("type").asText()).isEqualTo("application/ai-registry+json");
        assertThat(entries.get(0).path("url").asText()).isEqualTo("https://registry.example.com/");
        assertThat(entries.get(1).path("data").path("name").asText()).isEqualTo("com.example.registry/mcp");
        assertThat(entries.get(1)
                        .path("data")
                        .path("remotes")
                        .get(0)
                        .path("url")
                        .asText())
                .isEqualTo("https://registry.example.com/mcp");
        for (JsonNode entry : entries) {
            assertThat(entryOf(entry.path("identifier").asText()).json()).isEqualTo(entry);
        }
    }

    @Test
    void a_silent_agent_leaves_with_the_sweep_and_returns_with_its_heartbeat() {
        TestAgent agent = alive("a", LISTED);
        assertThat(found("test")).containsExactly("a");
        agent.becomeUnhealthy();
        assertThat(found("test")).isEmpty();
        agent.sendHeartbeat();
        pass();
        assertThat(found("test")).containsExactly("a");
    }

    @Test
    void a_dead_agent_is_in_no_answer() {
        TestAgent agent = alive("a", LISTED);
        agent.becomeUnhealthy();
        system.clock().advanceSeconds(300);
        assertThat(agent.sweep()).isTrue();
        assertThat(found("test")).isEmpty();
        assertThat(manifest()).isEmpty();
        assertThat(entry("a").status()).isEqualTo(404);
    }

    @Test
    void an_agent_that_never_sent_a_heartbeat_is_not_shown() {
        assertThat(new TestAgent(system, "a").register(LISTED).status()).isEqualTo(201);
        assertThat(found("test")).isEmpty();
        assertThat(entry("a").status()).isEqualTo(404);
    }

    @Test
    void a_blocked_agent_is_not_shown() {
        alive("a", LISTED);
        assertThat(system.api()
                        .post("/v1/admin/agents/a/block")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"reason\":\"x\"}")
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(found("test")).isEmpty();
        assertThat(entry("a").status()).isEqualTo(404);
    }

    @Test
    void a_draining_agent_is_not_shown() {
        TestAgent agent = alive("a", LISTED);
        agent.sendHeartbeat("draining", "");
        assertThat(found("test")).isEmpty();
    }

    @Test
    void of_equally_relevant_agents_the_healthiest_are_first() {
        alive("restarted", LISTED);
        for (int i = 0; i < 5; i++) {
            assertThat(new TestAgent(system, "restarted")
                            .register(LISTED + ",\"replace\":true")
                            .status())
                    .isEqualTo(201);
            new TestAgent(system, "restarted").sendHeartbeat();
        }
        alive("steady", LISTED);
        assertThat(results("{\"query\":{\"text\":\"test\"}}"))
                .extracting(
                        result -> result.path("metadata").path("agent_id").asText(),
                        result -> result.path("metadata").path("verdict").asText())
                .containsExactly(tuple("steady", "ok"), tuple("restarted", "degraded"));
        assertThat(manifest()).containsExactly("steady", "restarted");
        assertThat(found("test", "{\"metadata.verdict\":\"ok\"}")).containsExactly("steady");
    }

    @Test
    void the_more_relevant_agent_is_first() {
        alive("a", LISTED);
        alive("b", LISTED + ",\"name\":\"Load test\"");
        assertThat(results("{\"query\":{\"text\":\"load test\"}}"))
                .extracting(result -> result.path("score").asInt())
                .containsExactly(100, 50);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":[\"application/a2a-agent-card+json\"]}                          | 2",
                "{\"type\":\"application/mcp-server-card+json\"}                           | 0",
                "{\"capabilities\":[\"other\",\"test\"]}                                   | 2",
                "{\"capabilities\":[\"other\"]}                                            | 0",
                "{\"tags\":[\"worker\"],\"displayName\":[\"a\"]}                           | 1",
                "{\"publisher\":[\"registry.example.com\"]}                                | 2",
                "{\"publisher\":[\"example.com\"]}                                         | 0",
                "{\"https://agenticresourcediscovery.org/ns#capabilities\":[\"test\"]}     | 2",
                "{\"p:tags\":[\"worker\"]}                                                 | 2",
                "{\"displayName\":[\"a\"],\"p:displayName\":[\"a\",\"b\"]}                   | 1",
                "{\"p:displayName\":[\"a\"],\"displayName\":[\"b\"]}                         | 0",
                "{\"trustManifest.attestations.type\":[\"SOC2-Type2\"]}                    | 0",
                "{\"metadata.agent_id\":[\"b\"]}                                           | 1",
            })
    void a_filter_has_alternatives_in_a_key_and_conditions_in_keys(String filter, int matches) {
        alive("a", LISTED);
        alive("b", LISTED);
        assertThat(results("{\"query\":{\"text\":\"test\",\"filter\":" + filter
                        + ",\"@context\":{\"p\":\"https://agenticresourcediscovery.org/ns#\"}}}"))
                .hasSize(matches);
    }

    @Test
    void pages_show_every_agent_once() {
        IntStream.range(0, 7).forEach(i -> alive("agent-" + i, LISTED));
        List<String> shown = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = search("{\"query\":{\"text\":\"test\"},\"pageSize\":3"
                            + (token.isEmpty() ? "" : ",\"pageToken\":\"" + token + "\"") + "}")
                    .json();
            shown.addAll(ids(page.path("results")));
            token = page.path("pageToken").asText();
        } while (!token.isEmpty());
        assertThat(shown).hasSize(7).doesNotHaveDuplicates();
    }

    @Test
    void a_token_is_for_the_query_and_the_caller_that_it_was_made_for() {
        alive("a", LISTED);
        alive("b", LISTED);
        String token = search("{\"query\":{\"text\":\"test\"},\"pageSize\":1}")
                .json()
                .path("pageToken")
                .asText();
        String more = ",\"pageSize\":1,\"pageToken\":\"" + token + "\"}";
        refused(search("{\"query\":{\"text\":\"tests\"}" + more), "pageToken");
        refused(
                post("{\"query\":{\"text\":\"test\"}" + more)
                        .key(TestSystem.OTHER_AGENT_KEY)
                        .send(),
                "pageToken");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                        | query",
                "{\"query\":{}}                                            | query.text",
                "{\"query\":{\"text\":\" \"}}                              | query.text",
                "{\"query\":{\"text\":7}}                                  | query.text",
                "{\"query\":\"test\"}                                      | query",
                "{\"query\":{\"text\":\"x\",\"filter\":{\"okf:x\":\"y\"}}} | query.filter.okf:x",
                "{\"query\":{\"text\":\"x\",\"filter\":{\"colour\":\"y\"}}}| query.filter.colour",
                "{\"query\":{\"text\":\"x\",\"filter\":{\"tags\":[]}}}     | query.filter.tags",
                "{\"query\":{\"text\":\"x\",\"filter\":{\"tags\":[1]}}}    | query.filter.tags[0]",
                "{\"query\":{\"text\":\"x\",\"filter\":{\"tags.x\":\"y\"}}}| query.filter.tags.x",
                "{\"query\":{\"text\":\"x\",\"sort\":\"y\"}}               | query.sort",
                "{\"query\":{\"text\":\"x\"},\"pageSize\":101}             | pageSize",
                "{\"query\":{\"text\":\"x\"},\"pageSize\":0}               | pageSize",
                "{\"query\":{\"text\":\"x\"},\"pageToken\":\"x\"}          | pageToken",
                "{\"query\":{\"text\":\"x\"},\"federation\":\"all\"}       | federation",
                "{\"query\":{\"text\":\"x\"},\"limit\":3}                  | limit",
                "no JSON                                                   | JSON",
            })
    void a_bad_search_is_refused_in_the_form_of_ard(String body, String named) {
        refused(search(body), named);
    }

    @Test
    void all_bad_fields_are_named() {
        String message = search("{\"query\":{\"text\":\"\"},\"pageSize\":0,\"limit\":1}")
                .json()
                .path("message")
                .asText();
        assertThat(message).contains("'query.text'", "'pageSize'", "'limit'");
    }

    @Test
    void other_registries_are_not_asked() {
        alive("a", LISTED);
        JsonNode answer = search("{\"query\":{\"text\":\"test\"},\"federation\":\"referrals\"}")
                .json();
        assertThat(answer.path("referrals").isArray()).isTrue();
        assertThat(answer.path("referrals")).isEmpty();
        assertThat(search("{\"query\":{\"text\":\"test\"},\"federation\":\"auto\"}")
                        .json()
                        .has("referrals"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "urn:air:registry.example.com:agent:unknown,404,NOT_FOUND",
        "urn:air:example.com:agent:a,404,NOT_FOUND",
        "urn:air:registry.example.com:service:a,404,NOT_FOUND",
        "a,400,INVALID_ARGUMENT",
        "urn%3Aair%3Aregistry.example.com%3Aagent%3Aa,400,INVALID_ARGUMENT",
    })
    void another_identifier_finds_nothing(String identifier, int status, String code) {
        alive("a", LISTED);
        Response response = entryOf(identifier);
        assertThat(response.status()).isEqualTo(status);
        assertThat(response.json().path("errorCode").asText()).isEqualTo(code);
    }

    @Test
    void without_a_key_the_catalogue_is_read_only_where_it_is_public() {
        alive("a", LISTED);
        String body = "{\"query\":{\"text\":\"test\"}}";
        List<Request> requests = List.of(
                at(system.api().get("/.well-known/ard.json")),
                at(system.api().post("/search")).body(body),
                at(system.api().get("/agents/" + URN + "a")));
        for (Request request : requests) {
            Response response = request.send();
            assertThat(response.status()).isEqualTo(401);
            assertThat(response.json().path("errorCode").asText()).isEqualTo("UNAUTHENTICATED");
        }
        configure(true);
        for (Request request : requests) {
            assertThat(request.send().status()).isEqualTo(200);
        }
        assertThat(requests.get(0).send().header("Cache-Control")).isEqualTo("public, max-age=5");
        assertThat(requests.get(0).key("unknown").send().status()).isEqualTo(401);
        configure(false);
        assertThat(requests.get(1).send().status()).isEqualTo(401);
    }

    @Test
    void every_valid_key_searches_all_of_the_catalogue() {
        alive("a", LISTED);
        system.addKey("viewer-of-others", Role.VIEWER, Set.of("others"));
        for (String key : List.of(TestSystem.OTHER_AGENT_KEY, "viewer-of-others", TestSystem.ADMINISTRATOR_KEY)) {
            assertThat(post("{\"query\":{\"text\":\"test\"}}")
                            .key(key)
                            .send()
                            .json()
                            .path("results"))
                    .hasSize(1);
        }
    }

    @Test
    void a_manifest_is_answered_304_as_long_as_the_agents_are_the_same() {
        alive("a", LISTED);
        Response first = read();
        assertThat(first.header("Cache-Control")).isEqualTo("private, no-cache");
        Request again = manifestRequest().header("if-none-match", first.header("ETag"));
        system.clock().advanceSeconds(10);
        assertThat(again.send().status()).isEqualTo(304);
        alive("b", LISTED);
        pass();
        assertThat(again.send().status()).isEqualTo(200);
    }

    @Test
    void head_of_the_manifest_has_the_headers_of_get_and_no_body() {
        alive("a", LISTED);
        Request head = at(system.api().head("/.well-known/ard.json"));
        assertThat(head.send().status()).isEqualTo(401);
        Response answer = head.key(TestSystem.COORDINATOR_KEY).send();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEmpty();
        assertThat(answer.header("ETag")).isEqualTo(read().header("ETag"));
        assertThat(head.header("if-none-match", answer.header("ETag")).send().status())
                .isEqualTo(304);
    }

    @Test
    void an_entry_is_answered_304_as_long_as_it_is_the_same() {
        alive("a", LISTED);
        Response first = entry("a");
        assertThat(first.header("Cache-Control")).isEqualTo("private, no-cache");
        Request again = at(system.api().get("/agents/" + URN + "a"))
                .key(TestSystem.COORDINATOR_KEY)
                .header("if-none-match", first.header("ETag"));
        assertThat(again.send().status()).isEqualTo(304);
        assertThat(patch("{\"name\":\"Tester\"}").status()).isEqualTo(200);
        assertThat(again.send().status()).isEqualTo(200);
    }

    @Test
    void the_flag_is_shown_and_changed_and_leaves_with_a_registration_without_it() {
        TestAgent agent = alive("a", "");
        assertThat(shown("a")).isFalse();
        assertThat(patch("{\"listed\":true}").status()).isEqualTo(400);
        assertThat(patch("{\"listed\":true,\"endpoint\":\"https://agent.example.com/a2a\"}")
                        .status())
                .isEqualTo(200);
        assertThat(shown("a")).isTrue();
        assertThat(found("test")).containsExactly("a");
        assertThat(patch("{\"name\":\"Tester\"}").status()).isEqualTo(200);
        assertThat(shown("a")).isTrue();
        assertThat(patch("{\"endpoint\":null}")
                        .json()
                        .path("errors")
                        .get(0)
                        .path("field")
                        .asText())
                .isEqualTo("listed");
        assertThat(patch("{\"listed\":null}").status()).isEqualTo(200);
        pass();
        assertThat(found("test")).isEmpty();
        assertThat(patch("{\"listed\":true}").status()).isEqualTo(200);
        assertThat(agent.register(",\"replace\":true").status()).isEqualTo(201);
        agent.sendHeartbeat();
        pass();
        assertThat(shown("a")).isFalse();
        assertThat(found("test")).isEmpty();
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

    @Test
    void a_search_reads_half_a_unit_for_each_listed_agent_and_none_for_others() {
        IntStream.range(0, 20).forEach(i -> alive("listed-" + i, LISTED));
        IntStream.range(0, 20).forEach(i -> alive("other-" + i, ""));
        found("test");
        pass();
        system.meter().reset();
        found("test");
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(20 * 0.5 + 3);
        assertThat(system.meter().writeUnits()).isZero();
    }

    @Test
    void searches_within_five_seconds_read_the_agents_once() {
        alive("a", LISTED);
        found("test");
        system.meter().reset();
        found("test");
        assertThat(system.meter().operations()).isEmpty();
    }

    private TestAgent alive(String id, String more) {
        TestAgent agent = new TestAgent(system, id);
        Response response = agent.register(more);
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        return agent;
    }

    /** Lets what is cached expire. */
    private void pass() {
        system.clock().advance(LiveAgents.MAX_AGE);
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

    private Response patch(String body) {
        return system.api()
                .patch("/api/v1/agents/a")
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body(body)
                .send();
    }

    private static Request at(Request request) {
        return request.domain("registry.example.com");
    }

    private Request post(String body) {
        return at(system.api().post("/search")).body(body);
    }

    private Response search(String body) {
        return post(body).key(TestSystem.COORDINATOR_KEY).send();
    }

    private Iterable<JsonNode> results(String body) {
        Response response = search(body);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json().path("results");
    }

    private List<String> found(String text) {
        return found(text, "{}");
    }

    private List<String> found(String text, String filter) {
        return ids(results("{\"query\":{\"text\":\"" + text + "\",\"filter\":" + filter + "}}"));
    }

    private Request manifestRequest() {
        return at(system.api().get("/.well-known/ard.json")).key(TestSystem.COORDINATOR_KEY);
    }

    private Response read() {
        Response response = manifestRequest().send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response;
    }

    private List<String> manifest() {
        return ids(read().json().path("entries"));
    }

    private static List<String> ids(Iterable<JsonNode> entries) {
        return StreamSupport.stream(entries.spliterator(), false)
                .filter(entry -> entry.path("metadata").has("agent_id"))
                .map(entry -> entry.path("metadata").path("agent_id").asText())
                .toList();
    }

    private Response entry(String id) {
        return entryOf(URN + id);
    }

    private Response entryOf(String identifier) {
        return at(system.api().get("/agents/" + identifier))
                .key(TestSystem.COORDINATOR_KEY)
                .send();
    }

    private static void refused(Response response, String named) {
        assertThat(response.status()).as(response.text()).isEqualTo(400);
        assertThat(response.json().path("errorCode").asText()).isEqualTo("INVALID_ARGUMENT");
        assertThat(response.json().path("message").asText()).contains(named);
    }

    private void configure(boolean isPublic) {
        RuntimeConfiguration now = system.stores().configuration().current();
        system.stores()
                .configuration()
                .replace(new RuntimeConfiguration(
                        now.sweepPassesPerMinute(),
                        now.sweepFanOutAgents(),
                        now.massSilence(),
                        now.invocations(),
                        now.defaultWindow(),
                        now.maxAgentsPerKey(),
                        now.maxInvocationsInFlight(),
                        isPublic));
        system.clock().advanceSeconds(60);
    }
}
