package dev.agenthealth.functions.operations.sources;

import static dev.agenthealth.functions.operations.sources.SourceHarness.counts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.SourceFunction;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.health.CardAvailability;
import dev.agenthealth.functions.registry.declarations.DeclaredDocuments;
import dev.agenthealth.functions.registry.declarations.Observation;
import dev.agenthealth.functions.registry.declarations.ObservedDeclarations;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.declaration.DeclarationKind;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources from their declaration over the document to the agents. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SourceTest {

    private static final String CARD_03 =
            """
            {'protocolVersion':'0.3.0','name':'Research','description':'Finds papers.','url':'@/research','version':'1.0.0',
             'capabilities':{},'defaultInputModes':['text/plain'],'defaultOutputModes':['text/plain'],
             'provider':{'organization':'Example Labs','url':'https://labs.example'},
             'skills':[{'id':'papers','name':'Papers','description':'Finds papers.','tags':['science']},
                       {'id':'a, b','name':'Both','description':'Both.','tags':[]}]}""";

    private static final String CARD_10 =
            """
            {'name':'Billing','description':'Writes bills.','version':'2.1.0','capabilities':{},
             'supportedInterfaces':[{'url':'@/grpc','protocolBinding':'GRPC','protocolVersion':'1.0'},
                                    {'url':'@/billing','protocolBinding':'JSONRPC','protocolVersion':'1.0'}],
             'defaultInputModes':['text/plain'],'defaultOutputModes':['text/plain'],
             'skills':[{'id':'invoice','name':'Invoice','description':'Writes one.','tags':[]}],
             'signatures':[{'protected':'eyJhbGciOiJFUzI1NiJ9','signature':'AAAA'}]}""";

    private final SourceHarness harness = new SourceHarness();

    @AfterEach
    void close() {
        harness.close();
    }

    private String id(String rest) {
        return "catalogue.test:" + harness.server.port() + rest;
    }

    private static String catalogue(String... entries) {
        return "{'specVersion':'1.0','entries':[" + String.join(",", entries) + "]}";
    }

    private static String agent(String name, String more) {
        return "{'identifier':'urn:air:example.com:agents:" + name + "','displayName':'" + name
                + "','mediaType':'application/a2a-agent-card+json'," + more + "}";
    }

    private static String embedded(String name, String skill) {
        return agent(name, "'data':{'name':'" + name + "','url':'@/" + name + "','skills':[{'id':'" + skill + "'}]}");
    }

    @Test
    void a_byte_order_mark_before_a_document_is_no_part_of_it() {
        harness.serve("/cards", "\ufeff[" + CARD_03 + "]");
        harness.source("marked", "/cards");
        assertThat(counts(harness.sync("marked"))).isEqualTo("{registered=1}");
    }

    @Test
    void a_card_becomes_a_watched_agent_with_its_skills() {
        harness.serve("/.well-known/agent-card.json", CARD_03);
        harness.source("labs", "/.well-known/agent-card.json");
        JsonNode sync = harness.sync("labs");
        assertThat(counts(sync)).isEqualTo("{registered=1}");
        assertThat(sync.at("/changes/0/agent_id").asText()).isEqualTo(id("-research"));
        JsonNode agent = harness.agent(id("-research")).json();
        assertThat(agent.path("name").asText()).isEqualTo("Research");
        assertThat(agent.path("a2a_version").asText()).isEqualTo("0.3");
        assertThat(agent.path("capabilities").toString()).isEqualTo("[\"papers\",\"a  b\"]");
        assertThat(agent.at("/watch/by").asText()).isEqualTo("a2a");
        assertThat(agent.at("/watch/url").asText()).isEqualTo(harness.url("/.well-known/agent-card.json"));
        assertThat(agent.at("/metadata/imported_from/source").asText()).isEqualTo("labs");
        assertThat(harness.read("labs").at("/last_sync/counts/registered").asLong())
                .isEqualTo(1);
    }

    @Test
    void a_list_of_cards_registers_each_by_its_callable_interface() {
        harness.serve("/cards", "[" + CARD_03 + "," + CARD_10 + ",{'name':'none'}]");
        harness.source("labs", "/cards");
        JsonNode sync = harness.sync("labs");
        assertThat(counts(sync)).isEqualTo("{failed=1, registered=2}");
        assertThat(sync.path("errors").toString()).contains("no agent card");
        JsonNode agent = harness.agent(id("-billing")).json();
        assertThat(agent.path("endpoint").asText()).isEqualTo(harness.url("/billing"));
        assertThat(agent.path("a2a_version").asText()).isEqualTo("1.0");
        assertThat(agent.at("/watch/url").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'supportedInterfaces':[{'url':'@/rest','protocolBinding':'HTTP+JSON','protocolVersion':'1.0'}]|/rest|HTTP+JSON|1.0",
                "'supportedInterfaces':[{'url':'@/rest','protocolBinding':'HTTP+JSON','protocolVersion':'1.0'},"
                        + "{'url':'@/rpc','protocolBinding':'JSONRPC','protocolVersion':'1.0'}]|/rpc|JSONRPC|1.0",
                "'supportedInterfaces':[{'url':'@/rpc','protocolBinding':'GRPC','protocolVersion':'1.0'},"
                        + "{'url':'@/rest','protocolBinding':'HTTP+JSON','protocolVersion':'1.0'}]|/rest|HTTP+JSON|1.0",
                "'url':'@/rest','preferredTransport':'HTTP+JSON','protocolVersion':'0.3.0'|/rest|HTTP+JSON|0.3",
                "'url':'@/grpc','preferredTransport':'GRPC','additionalInterfaces':[{'url':'@/rest','transport':'HTTP+JSON'}]|/rest|HTTP+JSON|0.3",
                "'url':'@/rest','preferredTransport':'HTTP+JSON','additionalInterfaces':[{'url':'@/rpc','transport':'JSONRPC'}]|/rpc|JSONRPC|0.3",
                "'url':'@/grpc','preferredTransport':'GRPC','protocolVersion':'0.3.0'|/grpc|JSONRPC|0.3",
            })
    void a_card_decides_at_which_address_and_how_its_agent_is_called(
            String interfaces, String path, String binding, String version) {
        harness.serve("/card", "{'name':'Billing'," + interfaces + "}");
        harness.source("labs", "/card");
        String agentId = harness.sync("labs").at("/changes/0/agent_id").asText();
        JsonNode agent = harness.agent(agentId).json();
        assertThat(agent.path("endpoint").asText()).isEqualTo(harness.url(path));
        assertThat(agent.path("a2a_binding").asText()).isEqualTo(binding);
        assertThat(agent.path("a2a_version").asText()).isEqualTo(version);
    }

    @Test
    void a_card_decides_which_tenant_calls_name() {
        String card = "{'name':'Billing','supportedInterfaces':[{'url':'@/rpc','protocolBinding':'JSONRPC',"
                + "'protocolVersion':'1.0','tenant':'%s'},{'url':'@/rest','protocolBinding':'HTTP+JSON','protocolVersion':'1.0'}]}";
        harness.serve("/card", "[" + card.formatted("acme/eu") + "," + card.formatted("acme/us") + "]");
        harness.source("labs", "/card");
        JsonNode sync = harness.sync("labs");
        assertThat(counts(sync)).as("agents at one URL").isEqualTo("{registered=2}");
        List<String> tenants = new ArrayList<>();
        for (JsonNode change : sync.path("changes")) {
            JsonNode agent = harness.agent(change.path("agent_id").asText()).json();
            assertThat(agent.path("endpoint").asText()).isEqualTo(harness.url("/rpc"));
            tenants.add(agent.path("a2a_tenant").asText());
        }
        assertThat(tenants).containsExactlyInAnyOrder("acme/eu", "acme/us");
        harness.serve("/other", card.formatted("../eu"));
        harness.source("other", "/other");
        JsonNode agent = harness.agent(
                        harness.sync("other").at("/changes/0/agent_id").asText())
                .json();
        assertThat(agent.path("endpoint").asText())
                .as("an interface with such a tenant is not called")
                .isEqualTo(harness.url("/rest"));
        assertThat(agent.has("a2a_tenant")).isFalse();
    }

    @Test
    void the_availability_in_a_card_of_another_registry_is_no_change() {
        String card = "{'name':'Billing','url':'@/rpc','capabilities':{'extensions':[{'uri':'" + CardAvailability.URI
                + "','params':{'state':'ready','as_of':'%s'}}]}}";
        harness.serve("/card", card.formatted("2026-02-08T10:30:00.000Z"));
        harness.source("labs", "/card");
        harness.sync("labs");
        harness.serve("/card", card.formatted("2026-02-08T10:31:00.000Z"));
        assertThat(counts(harness.sync("labs"))).isEqualTo("{unchanged=1}");
    }

    @Test
    void a_provider_is_taken_over_where_it_is_granted_to_the_key() {
        harness.api
                .patch("/v1/admin/keys/" + SourceHarness.KEY_ID)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"provider_ids\":[\"example-labs\",\"other\"]}")
                .send();
        harness.serve("/card", CARD_03);
        harness.source("labs", "/card");
        harness.sync("labs");
        assertThat(harness.agent(id("-research")).json().path("provider_id").asText())
                .isEqualTo("example-labs");
    }

    @Test
    void an_unchanged_source_costs_one_write_of_its_state_and_none_of_its_agents() {
        harness.serve("/c", catalogue(embedded("one", "x"), embedded("two", "x")));
        harness.source("c", "/c");
        harness.sync("c");
        harness.system.meter().reset();
        assertThat(counts(harness.sync("c"))).isEqualTo("{unchanged=2}");
        assertThat(harness.system.meter().writeUnits()).isEqualTo(1);
    }

    @Test
    void a_changed_entry_changes_its_agent_and_nothing_that_was_set_since() {
        harness.serve("/c", catalogue(embedded("one", "x"), embedded("two", "x")));
        harness.source("c", "/c");
        harness.sync("c");
        String one = "example.com:agents:one";
        harness.api
                .patch("/api/v1/agents/" + one)
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body("{\"watch\":{\"interval_seconds\":120},\"platform\":\"mine\"}")
                .send();
        harness.serve("/c", catalogue(embedded("one", "y"), embedded("two", "x")));
        assertThat(counts(harness.sync("c"))).isEqualTo("{unchanged=1, updated=1}");
        JsonNode agent = harness.agent(one).json();
        assertThat(agent.at("/capabilities/0").asText()).isEqualTo("y");
        assertThat(agent.at("/watch/interval_seconds").asInt()).isEqualTo(120);
        assertThat(agent.path("platform").asText()).isEqualTo("mine");
        assertThat(agent.path("incarnation").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_sync_records_what_a_card_declares_and_publishes_its_change_before_any_probe(boolean embedded) {
        serveCard(embedded, "x");
        harness.source("c", "/c");
        String agentId = harness.sync("c").at("/changes/0/agent_id").asText();
        JsonNode declaration = harness.agent(agentId).json().path("declaration");
        assertThat(declaration.path("digest").asText()).hasSize(64);
        assertThat(declaration.path("change").isNull()).isTrue();
        serveCard(embedded, "y");
        assertThat(counts(harness.sync("c"))).isEqualTo("{updated=1}");
        assertThat(harness.agent(agentId).json().path("capabilities").toString())
                .isEqualTo("[\"y\"]");
        assertThat(harness.agent(agentId).json().at("/declaration/change/added").toString())
                .isEqualTo("[\"skill:y\"]");
        assertThat(changes(agentId)).singleElement().satisfies(event -> {
            assertThat(event.path("of").asText()).isEqualTo("card");
            assertThat(event.path("added").toString()).isEqualTo("[\"skill:y\"]");
            assertThat(event.path("removed").toString()).isEqualTo("[\"skill:x\"]");
        });
        // A probe that reads the same card finds nothing new, and accepts nothing.
        Instant now = harness.system.clock().instant();
        new ObservedDeclarations(harness.system.database())
                .note(
                        new TestAgent(harness.system, agentId).stored().profile(),
                        "",
                        new Observation(DeclarationKind.CARD, DeclaredDocuments.ofCard(harness.json(card("y")))),
                        now);
        assertThat(changes(agentId)).hasSize(1);
        assertThat(harness.agent(agentId).json().at("/declaration/change").isNull())
                .isFalse();
        assertThat(counts(harness.sync("c"))).isEqualTo("{unchanged=1}");
        harness.system.clock().advanceSeconds(1);
        serveCard(embedded, "x");
        harness.sync("c");
        assertThat(harness.agent(agentId).json().at("/declaration/change").isNull())
                .as("what was accepted is back")
                .isTrue();
        assertThat(changes(agentId)).hasSize(2);
    }

    private static String card(String skill) {
        return "{'name':'one','url':'@/one','skills':[{'id':'" + skill + "'}]}";
    }

    private void serveCard(boolean embedded, String skill) {
        harness.serve("/c", embedded ? catalogue(agent("one", "'data':" + card(skill))) : card(skill));
    }

    private List<JsonNode> changes(String agentId) {
        return new TestAgent(harness.system, agentId)
                .events().stream()
                        .filter(event -> event.path("type").asText().equals("agent.declaration_changed"))
                        .toList();
    }

    private static String server(String name, String path, String more) {
        return agent(
                        name,
                        "'data':{'name':'" + name + "','remotes':[{'type':'streamable-http','url':'@" + path + "'"
                                + more + "}]}")
                .replace("a2a-agent-card", "mcp-server-card");
    }

    private void patch(String agentId, String body) {
        Response response = harness.api
                .patch("/api/v1/agents/" + agentId)
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body(body.replace('\'', '"').replace("@", harness.url("")))
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
    }

    private void deregister(String agentId) {
        Response response = harness.api
                .delete("/api/v1/agents/" + agentId)
                .key(TestSystem.AGENT_KEY)
                .send();
        assertThat(response.status()).isEqualTo(204);
    }

    @Test
    void an_entry_that_becomes_another_kind_is_asked_in_the_way_of_that_kind() {
        String one = "example.com:agents:one";
        String demanding = ",'headers':[{'name':'x','isRequired':true}]";
        harness.serve("/c", catalogue(server("one", "/mcp", "")));
        harness.source("c", "/c");
        harness.sync("c");
        patch(one, "{'watch':{'interval_seconds':120},'metadata':" + metadata(one) + "}");
        harness.serve("/c", catalogue(server("one", "/mcp", demanding)));
        assertThat(counts(harness.sync("c"))).isEqualTo("{updated=1}");
        assertThat(harness.agent(one).json().at("/watch/by").asText()).isEqualTo("http");
        assertThat(harness.agent(one).json().at("/watch/expect/statuses")).hasSize(6);
        harness.serve("/c", catalogue(embedded("one", "x")));
        JsonNode sync = harness.sync("c");
        assertThat(counts(sync)).as(sync.toString()).isEqualTo("{updated=1}");
        JsonNode agent = harness.agent(one).json();
        assertThat(agent.path("kind").asText()).isEqualTo("agent");
        assertThat(agent.at("/watch/by").asText()).isEqualTo("a2a");
        assertThat(agent.at("/watch/url").isNull()).isTrue();
        assertThat(agent.at("/watch/expect/statuses")).isEmpty();
        assertThat(agent.at("/watch/interval_seconds").asInt()).isEqualTo(120);
        assertThat(agent.at("/metadata/team").asText()).isEqualTo("mine");
    }

    /** The metadata of an agent with a field of its owner. */
    private String metadata(String agentId) {
        return harness.agent(agentId).json().path("metadata").toString().replaceFirst("[{]", "{'team':'mine',");
    }

    @Test
    void a_watch_that_its_owner_changed_or_took_away_stays_so() {
        String one = "example.com:agents:one";
        harness.serve("/c", catalogue(server("one", "/mcp", "")));
        harness.source("c", "/c");
        harness.sync("c");
        patch(one, "{'watch':{'by':'http','url':'@/health'}}");
        harness.serve("/c", catalogue(server("one", "/mcp2", "")));
        assertThat(counts(harness.sync("c"))).isEqualTo("{updated=1}");
        JsonNode agent = harness.agent(one).json();
        assertThat(agent.path("endpoint").asText()).isEqualTo(harness.url("/mcp2"));
        assertThat(agent.at("/watch/by").asText()).isEqualTo("http");
        assertThat(agent.at("/watch/url").asText()).isEqualTo(harness.url("/health"));
        patch(one, "{'watch':null}");
        harness.serve("/c", catalogue(server("one", "/mcp3", "")));
        assertThat(counts(harness.sync("c"))).isEqualTo("{updated=1}");
        assertThat(harness.agent(one).json().path("endpoint").asText()).isEqualTo(harness.url("/mcp3"));
        assertThat(harness.agent(one).json().path("watch").isObject()).isFalse();
    }

    @Test
    void an_agent_that_its_owner_registered_again_is_no_longer_the_sources() {
        String one = "example.com:agents:one";
        harness.serve("/c", catalogue(embedded("one", "x")));
        harness.source("c", "/c");
        harness.sync("c");
        deregister(one);
        harness.api
                .post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"" + one + "\",\"name\":\"Mine\"}")
                .send();
        harness.serve("/c", catalogue(embedded("one", "y")));
        JsonNode sync = harness.sync("c");
        assertThat(counts(sync)).isEqualTo("{conflict=1}");
        assertThat(sync.at("/conflicts/0/reason").asText()).contains("not registered by this source");
        harness.serve("/c", catalogue());
        assertThat(counts(harness.sync("c"))).isEqualTo("{missing=1}");
        assertThat(counts(harness.sync("c"))).isEqualTo("{conflict=1}");
        assertThat(counts(harness.sync("c"))).isEqualTo("{}");
        harness.serve("/c", catalogue(embedded("one", "y")));
        assertThat(counts(harness.sync("c"))).isEqualTo("{conflict=1}");
        JsonNode agent = harness.agent(one).json();
        assertThat(agent.path("name").asText()).isEqualTo("Mine");
        assertThat(agent.path("version").asInt()).isEqualTo(1);
        assertThat(agent.path("status").asText()).isEqualTo("active");
    }

    @Test
    void an_agent_that_its_owner_deregistered_stays_so_when_its_entry_changes() {
        harness.serve("/c", catalogue(embedded("one", "x")));
        harness.source("c", "/c");
        harness.sync("c");
        deregister("example.com:agents:one");
        harness.serve("/c", catalogue(embedded("one", "y")));
        for (int i = 0; i < 2; i++) {
            JsonNode sync = harness.sync("c");
            assertThat(counts(sync)).isEqualTo("{conflict=1}");
            assertThat(sync.at("/conflicts/0/reason").asText()).contains("was deregistered");
        }
        assertThat(harness.agent("example.com:agents:one").json().path("status").asText())
                .isEqualTo("deregistered");
    }

    @Test
    void an_entry_that_moves_to_another_source_of_the_key_takes_its_agent_along() {
        String one = "example.com:agents:one";
        harness.serve("/a", catalogue(embedded("one", "x")));
        harness.serve("/b", catalogue(embedded("one", "y")));
        harness.source("a", "/a");
        harness.source("b", "/b");
        harness.sync("a");
        harness.serve("/a", catalogue());
        harness.sync("a");
        JsonNode sync = harness.sync("b");
        assertThat(counts(sync)).isEqualTo("{conflict=1}");
        assertThat(sync.at("/conflicts/0/reason").asText()).contains("the source 'a'");
        assertThat(counts(harness.sync("a"))).isEqualTo("{deregistered=1}");
        assertThat(counts(harness.sync("b"))).isEqualTo("{registered=1}");
        JsonNode agent = harness.agent(one).json();
        assertThat(agent.path("status").asText()).isEqualTo("active");
        assertThat(agent.at("/metadata/imported_from/source").asText()).isEqualTo("b");
        harness.serve("/a", catalogue(embedded("one", "x")));
        assertThat(harness.sync("a").at("/conflicts/0/reason").asText()).contains("the source 'b'");
        assertThat(counts(harness.sync("b"))).isEqualTo("{unchanged=1}");
    }

    @Test
    void an_entry_that_is_missing_twice_is_deregistered_and_registers_again_when_it_returns() {
        harness.serve("/c", catalogue(embedded("one", "x"), embedded("two", "x")));
        harness.source("c", "/c");
        harness.sync("c");
        harness.serve("/c", catalogue(embedded("two", "x")));
        assertThat(counts(harness.sync("c"))).isEqualTo("{missing=1, unchanged=1}");
        String one = "example.com:agents:one";
        assertThat(harness.agent(one).json().path("status").asText()).isEqualTo("active");
        assertThat(counts(harness.sync("c"))).isEqualTo("{deregistered=1, unchanged=1}");
        assertThat(harness.agent(one).json().path("status").asText()).isEqualTo("deregistered");
        assertThat(counts(harness.sync("c"))).isEqualTo("{unchanged=1}");
        harness.serve("/c", catalogue(embedded("one", "x"), embedded("two", "x")));
        assertThat(counts(harness.sync("c"))).isEqualTo("{registered=1, unchanged=1}");
        assertThat(harness.agent(one).json().path("incarnation").asInt()).isEqualTo(2);
    }

    @Test
    void an_entry_that_is_missing_once_and_returns_is_not_deregistered_when_it_is_missing_again() {
        harness.serve("/c", catalogue(embedded("one", "x")));
        harness.source("c", "/c");
        harness.sync("c");
        for (int i = 0; i < 2; i++) {
            harness.serve("/c", catalogue());
            assertThat(counts(harness.sync("c"))).isEqualTo("{missing=1}");
            harness.serve("/c", catalogue(embedded("one", "x")));
            assertThat(counts(harness.sync("c"))).isEqualTo("{unchanged=1}");
        }
    }

    @Test
    void a_source_that_cannot_be_read_changes_nothing() {
        harness.serve("/c", catalogue(embedded("one", "x")));
        harness.source("c", "/c");
        harness.sync("c");
        harness.serve("/c", "<html>");
        for (int i = 0; i < 3; i++) {
            JsonNode sync = harness.sync("c");
            assertThat(sync.path("complete").asBoolean()).isFalse();
            assertThat(sync.at("/errors/0").asText()).contains("is not valid JSON");
        }
        assertThat(harness.agent("example.com:agents:one").json().path("status").asText())
                .isEqualTo("active");
    }

    @Test
    void agents_of_others_and_those_registered_by_hand_are_conflicts() {
        harness.system.addKey("other-key", Role.AGENT, Set.of());
        for (String key : new String[] {"other-key", TestSystem.AGENT_KEY}) {
            harness.api
                    .post("/api/v1/agents")
                    .key(key)
                    .body("{\"agent_id\":\"example.com:agents:of-" + key + "\"}")
                    .send();
        }
        harness.serve("/c", catalogue(embedded("of-other-key", "x"), embedded("of-" + TestSystem.AGENT_KEY, "x")));
        harness.source("c", "/c");
        JsonNode sync = harness.sync("c");
        assertThat(counts(sync)).isEqualTo("{conflict=2}");
        assertThat(sync.at("/conflicts/0/reason").asText()).contains("not registered by this source");
        assertThat(harness.agent("example.com:agents:of-" + TestSystem.AGENT_KEY)
                        .json()
                        .path("version")
                        .asInt())
                .isEqualTo(1);
        assertThat(harness.read("c").at("/last_sync/conflicts").size()).isEqualTo(2);
    }

    @Test
    void an_agent_that_got_another_owner_is_a_conflict_from_then_on() {
        harness.serve("/c", catalogue(embedded("one", "x")));
        harness.source("c", "/c");
        harness.sync("c");
        harness.system.addKey("other-key", Role.AGENT, Set.of());
        Response moved = harness.api
                .put("/v1/admin/agents/example.com:agents:one/owner")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"key_id\":\"" + TestSystem.keyId("other-key") + "\"}")
                .send();
        assertThat(moved.status()).as(moved.text()).isEqualTo(200);
        harness.serve("/c", catalogue(embedded("one", "y")));
        assertThat(counts(harness.sync("c"))).isEqualTo("{conflict=1}");
    }

    @Test
    void ids_that_differ_only_by_case_are_one_agent_and_a_conflict() {
        harness.serve("/c", catalogue(embedded("One", "x"), embedded("one", "y")));
        harness.source("c", "/c");
        JsonNode sync = harness.sync("c");
        assertThat(counts(sync)).isEqualTo("{conflict=1, registered=1}");
        assertThat(sync.at("/conflicts/0/reason").asText())
                .contains("same agent_id as 'urn:air:example.com:agents:One'");
        assertThat(counts(harness.sync("c"))).isEqualTo("{conflict=1, unchanged=1}");
    }

    @Test
    void a_dry_run_refuses_what_a_sync_refuses() {
        String inside = agent("inside", "'data':{'name':'Inside','url':'https://10.0.0.1/a2a'}");
        harness.serve("/c", catalogue(embedded("one", "x"), inside));
        harness.source("c", "/c");
        JsonNode dry = harness.sync("c", true);
        assertThat(counts(dry)).isEqualTo("{failed=1, registered=1}");
        JsonNode sync = harness.sync("c");
        assertThat(counts(sync)).isEqualTo(counts(dry));
        assertThat(dry.path("errors")).isEqualTo(sync.path("errors")).hasSize(1);
    }

    @Test
    void a_dry_run_shows_what_would_be_done_and_writes_nothing() {
        harness.serve("/c", catalogue(embedded("one", "x")));
        harness.source("c", "/c");
        harness.system.meter().reset();
        JsonNode sync = harness.sync("c", true);
        assertThat(counts(sync)).isEqualTo("{registered=1}");
        assertThat(sync.path("dry_run").asBoolean()).isTrue();
        assertThat(harness.system.meter().writeUnits()).isZero();
        assertThat(harness.agent("example.com:agents:one").status()).isEqualTo(404);
        assertThat(harness.read("c").has("last_sync")).isFalse();
    }

    @Test
    void a_source_that_was_deleted_and_written_anew_takes_its_agents_over() {
        harness.serve("/c", catalogue(embedded("one", "x")));
        harness.source("c", "/c");
        harness.sync("c");
        assertThat(harness.api
                        .delete("/v1/admin/sources/c")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(204);
        assertThat(harness.agent("example.com:agents:one").status()).isEqualTo(200);
        harness.source("c", "/c");
        assertThat(counts(harness.sync("c"))).isEqualTo("{updated=1}");
        assertThat(counts(harness.sync("c"))).isEqualTo("{unchanged=1}");
        harness.source("d", "/c");
        assertThat(counts(harness.sync("d"))).isEqualTo("{conflict=1}");
        harness.api
                .delete("/v1/admin/sources/c")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
        assertThat(counts(harness.sync("d"))).isEqualTo("{updated=1}");
        assertThat(harness.agent("example.com:agents:one")
                        .json()
                        .at("/metadata/imported_from/source")
                        .asText())
                .isEqualTo("d");
    }

    @Test
    void nested_catalogues_are_read_and_a_loop_ends() {
        String nested = "{'identifier':'urn:air:example.com:c','displayName':'c','type':'application/ai-catalog+json',";
        harness.serve("/c", catalogue(nested + "'url':'@/n'}", embedded("one", "x")));
        harness.serve(
                "/n",
                catalogue(
                        nested + "'url':'@/c'}",
                        nested + "'data':" + catalogue(embedded("three", "x")) + "}",
                        agent("two", "'url':'@/two.json'"),
                        "{'identifier':'d','displayName':'Data','mediaType':'application/parquet','url':'@/d'}"));
        harness.serve("/two.json", "{'name':'two','url':'@/two'}");
        harness.source("c", "/c");
        JsonNode sync = harness.sync("c");
        assertThat(counts(sync)).isEqualTo("{registered=3, skipped=1}");
        assertThat(sync.path("errors").toString()).contains("/c: nested in itself or listed twice");
        assertThat(sync.path("complete").asBoolean()).isTrue();
    }

    @Test
    void a_host_without_a_manifest_of_ard_is_read_at_the_path_of_ai_catalog() {
        harness.serve("/.well-known/ai-catalog.json", catalogue(embedded("old", "x")));
        harness.source("c", "", "ai_catalog");
        assertThat(counts(harness.sync("c"))).isEqualTo("{registered=1}");
        harness.serve("/.well-known/ard.json", catalogue(embedded("old", "x"), embedded("new", "x")));
        assertThat(counts(harness.sync("c"))).isEqualTo("{registered=1, unchanged=1}");
    }

    @Test
    void a_manifest_of_ard_that_cannot_be_read_is_not_replaced_by_an_older_catalogue() {
        harness.serve("/.well-known/ai-catalog.json", catalogue(embedded("old", "x")));
        harness.serve("/.well-known/ard.json", Script.status(503));
        harness.source("c", "", "ai_catalog");
        JsonNode sync = harness.sync("c");
        assertThat(counts(sync)).isEqualTo("{}");
        assertThat(sync.path("errors").toString()).contains("/.well-known/ard.json: answers with a server error");
    }

    @Test
    void entries_of_a_nested_catalogue_that_cannot_be_read_are_not_missing() {
        String nested = "{'identifier':'n','displayName':'n','mediaType':'application/ai-catalog+json','url':'@/n'}";
        harness.serve("/c", catalogue(nested));
        harness.serve("/n", catalogue(embedded("one", "x")));
        harness.source("c", "/c");
        harness.sync("c");
        harness.serve("/n", "[]");
        for (int i = 0; i < 3; i++) {
            assertThat(counts(harness.sync("c"))).isEqualTo("{failed=1, unchanged=1}");
        }
    }

    @Test
    void catalogues_nested_too_deeply_are_not_read() {
        for (int i = 0; i < 6; i++) {
            harness.serve(
                    "/" + i,
                    catalogue(
                            embedded("at-" + i, "x"),
                            "{'identifier':'n','displayName':'n','type':'application/ai-catalog+json','url':'@/"
                                    + (i + 1) + "'}"));
        }
        harness.source("c", "/0");
        JsonNode sync = harness.sync("c");
        assertThat(counts(sync)).isEqualTo("{failed=1, registered=4}");
        assertThat(sync.path("errors").toString()).contains("nested deeper than 4");
    }

    @Test
    void the_newest_version_of_an_entry_counts_and_a_dated_card_is_read_once() {
        harness.serve(
                "/c",
                catalogue(
                        agent("one", "'url':'@/new.json','updatedAt':'2026-03-01T00:00:00Z','version':'2'"),
                        agent("one", "'url':'@/old.json','updatedAt':'2026-01-01T00:00:00Z','version':'1'")));
        harness.serve("/new.json", "{'name':'New','url':'@/one'}");
        harness.source("c", "/c");
        harness.sync("c");
        assertThat(harness.agent("example.com:agents:one").json().path("name").asText())
                .isEqualTo("New");
        int before = harness.server.requests().size();
        assertThat(counts(harness.sync("c"))).isEqualTo("{unchanged=1}");
        assertThat(harness.server.requests()).hasSize(before + 1);
        String listed = catalogue(agent("one", "'url':'@/new.json','updatedAt':'2026-03-01T00:00:00Z','version':'2'"));
        harness.serve("/c", catalogue());
        harness.sync("c");
        harness.sync("c");
        harness.serve("/c", listed);
        assertThat(counts(harness.sync("c"))).isEqualTo("{registered=1}");
    }

    @Test
    void a_card_that_cannot_be_read_or_is_refused_fails_alone() {
        harness.serve(
                "/c",
                catalogue(
                        agent("gone", "'url':'@/gone.json'"),
                        agent("private", "'data':{'name':'p','url':'https://10.0.0.1/a'}"),
                        embedded("one", "x")));
        harness.source("c", "/c");
        JsonNode sync = harness.sync("c");
        assertThat(counts(sync)).isEqualTo("{failed=2, registered=1}");
        assertThat(sync.path("errors").toString()).contains("HTTP 4xx").contains("must lead to a public address");
    }

    @Test
    void an_entry_with_several_mistakes_names_the_first_field() {
        harness.serve("/c", catalogue(agent("wrong", "'data':{'name':'W','url':'ftp://x'}")));
        harness.source("c", "/c");
        assertThat(harness.sync("c").path("errors").toString()).contains("fields of the request are not valid. '");
    }

    private static String server(String name, String more) {
        return "{'server':{'name':'" + name + "','description':'d','version':'1.0.0'" + more + "}}";
    }

    private static String remote(String path) {
        return ",'remotes':[{'type':'sse','url':'@/sse'},{'type':'streamable-http','url':'@" + path + "'}]";
    }

    @Test
    void the_pages_of_an_mcp_registry_become_watched_servers() {
        String first = "/v0.1/servers?version=latest&limit=100";
        harness.serve(
                first,
                "{'servers':[" + server("io.example/one", remote("/one")) + "," + server("io.example/local", "")
                        + "],'metadata':{'nextCursor':'io.example/local:1.0.0','count':2}}");
        String secret =
                ",'remotes':[{'type':'streamable-http','url':'@/two','headers':[{'name':'X-Key','isRequired':true}]}]";
        harness.serve(
                first + "&cursor=io.example%2Flocal%3A1.0.0",
                "{'servers':[" + server("io.example/two", secret) + "],'metadata':{'count':1}}");
        harness.source("mcp", "", "mcp_registry");
        assertThat(counts(harness.sync("mcp"))).isEqualTo("{registered=2, skipped=1}");
        JsonNode one = harness.agent("io.example-one").json();
        assertThat(one.at("/watch/by").asText()).isEqualTo("mcp");
        assertThat(one.path("kind").asText()).isEqualTo("mcp_server");
        assertThat(one.path("endpoint").asText()).isEqualTo(harness.url("/one"));
        JsonNode two = harness.agent("io.example-two").json();
        assertThat(two.at("/watch/by").asText()).isEqualTo("http");
        assertThat(two.at("/watch/expect/statuses").toString()).contains("401");
        // Within a day, only what changed is read, and what is not in there is not missing.
        String deleted = server("io.example/two", "");
        harness.serve(
                first + "&updated_since=2026-02-08T09%3A50%3A00Z",
                "{'servers':["
                        + deleted.substring(0, deleted.length() - 1)
                        + ",'_meta':{'io.modelcontextprotocol.registry/official':{'status':'deleted'}}}],'metadata':{}}");
        JsonNode second = harness.sync("mcp");
        assertThat(second.path("errors").toString()).isEqualTo("[]");
        assertThat(counts(second)).isEqualTo("{deleted=1, deregistered=1, unchanged=1}");
    }

    @Test
    void every_card_of_a_list_that_cannot_be_read_has_its_reason() {
        harness.serve("/cards", "[{'name':'x','url':'@/x'},{'name':'without an address'},5,{'url':'@/y'}]");
        harness.source("c", "/cards");
        JsonNode sync = harness.sync("c");
        assertThat(counts(sync)).isEqualTo("{failed=3, registered=1}");
        assertThat(sync.path("errors"))
                .extracting(error -> error.asText().replaceAll(":.*", ""))
                .containsExactlyInAnyOrder("card 2 of the list", "card 3 of the list", "card 4 of the list");
    }

    @Test
    void every_entry_that_is_skipped_has_its_reason() {
        harness.serve("/x.json", "{'name':'x','url':'@/x'}");
        String longName = "i".repeat(600);
        harness.serve(
                "/c",
                catalogue(
                        agent("one", "'url':'@/x.json'"),
                        "{'identifier':'data','type':'application/parquet'}",
                        "{'identifier':'untyped'}",
                        "{'type':'application/a2a-agent-card+json'}",
                        "{'identifier':'" + longName + "','type':'application/a2a-agent-card+json','url':'@/x.json'}",
                        "{'identifier':'local','type':'application/mcp-server+json','data':{'name':'local'}}"));
        harness.source("c", "/c");
        JsonNode sync = harness.sync("c");
        assertThat(sync.at("/counts/skipped").asInt()).isEqualTo(5);
        assertThat(reasons(sync))
                .containsExactlyInAnyOrder(
                        "data has the type 'application/parquet', which is no agent card and no MCP server",
                        "untyped has no type",
                        " has no identifier",
                        longName.substring(0, 300) + " has an identifier of more than 512 characters",
                        "local has no address to call: it runs on the machine of its user");
        JsonNode stored = harness.api
                .get("/v1/admin/sources/c")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .path("last_sync");
        assertThat(reasons(stored)).containsExactlyInAnyOrderElementsOf(reasons(sync));
    }

    @Test
    void a_sync_names_a_hundred_skipped_entries_and_the_source_keeps_twenty() {
        String entry = "{'identifier':'i','type':'application/parquet'}";
        harness.serve("/c", "{'entries':[" + (entry + ",").repeat(149) + entry + "]}");
        harness.source("c", "/c");
        JsonNode sync = harness.sync("c");
        assertThat(sync.at("/counts/skipped").asInt()).isEqualTo(150);
        assertThat(sync.path("skipped")).hasSize(100);
        assertThat(harness.api
                        .get("/v1/admin/sources/c")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .json()
                        .at("/last_sync/skipped"))
                .hasSize(20);
    }

    private static List<String> reasons(JsonNode sync) {
        List<String> reasons = new ArrayList<>();
        sync.path("skipped")
                .forEach(entry -> reasons.add(entry.path("identifier").asText() + " "
                        + entry.path("reason").asText()));
        return reasons;
    }

    @Test
    void pages_that_do_not_end_are_an_error() {
        String page = "{'servers':[],'metadata':{'nextCursor':'x'}}";
        harness.serve("/v0.1/servers?version=latest&limit=100", page);
        harness.serve("/v0.1/servers?version=latest&limit=100&cursor=x", page);
        harness.source("mcp", "", "mcp_registry");
        assertThat(harness.sync("mcp").at("/errors/0").asText()).contains("the pages of the list do not end");
    }

    @Test
    void an_answer_that_is_too_large_or_lists_too_much_is_an_error_and_registers_nothing() {
        harness.serve("/large", (request, out) -> {
            out.write("HTTP/1.1 200 OK\r\n\r\n[".getBytes(StandardCharsets.UTF_8));
            byte[] part = new byte[1 << 20];
            for (int i = 0; i < 100; i++) {
                out.write(part);
            }
        });
        harness.source("large", "/large");
        assertThat(harness.sync("large").at("/errors/0").asText()).contains("larger than 8192 KB");
        String entry = "{'type':'application/x','identifier':'i'}";
        harness.serve("/long", "{'entries':[" + (entry + ",").repeat(SourceReader.MAX_ENTRIES) + entry + "]}");
        harness.source("long", "/long");
        JsonNode sync = harness.sync("long");
        assertThat(sync.at("/errors/0").asText()).contains("more than 20000 entries");
        assertThat(sync.path("complete").asBoolean()).isFalse();
    }

    @Test
    void an_address_that_is_not_public_is_refused() {
        for (String url : new String[] {"https://10.0.0.1/", "ftp://example.com", "nonsense"}) {
            Response response = harness.api
                    .put("/v1/admin/sources/s")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .body("{\"url\":\"" + url + "\",\"key_id\":\"" + SourceHarness.KEY_ID + "\"}")
                    .send();
            assertThat(response.status()).as(url).isEqualTo(400);
            assertThat(response.json().at("/errors/0/field").asText()).isEqualTo("url");
        }
    }

    @Test
    void the_key_of_a_source_must_be_in_force_and_does_not_change() {
        assertThat(harness.put("s", "/c", ",'unknown':1").status()).isEqualTo(400);
        harness.source("s", "/c");
        harness.system.addKey("other-key", Role.AGENT, Set.of());
        for (String keyId : new String[] {"unknown", TestSystem.keyId("other-key")}) {
            Response response = harness.api
                    .put("/v1/admin/sources/s")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .body("{\"url\":\"" + harness.url("/c") + "\",\"key_id\":\"" + keyId + "\"}")
                    .send();
            assertThat(response.json().at("/errors/0/field").asText()).isEqualTo("key_id");
        }
        assertThat(harness.put("s", "/d", "").status()).isEqualTo(200);
        harness.api
                .delete("/v1/admin/keys/" + SourceHarness.KEY_ID)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
        assertThat(harness.sync("s").at("/errors/0").asText()).contains("no longer in force");
    }

    @Test
    void what_a_source_would_do_is_shown_before_it_is_written() {
        harness.serve("/c", catalogue(embedded("one", "x")));
        String body = "{'url':'" + harness.url("/c") + "','key_id':'" + SourceHarness.KEY_ID + "'}";
        assertThat(counts(harness.sync("new", body, true).json())).isEqualTo("{registered=1}");
        assertThat(harness.read("new").path("error").asText()).isEqualTo("source_not_found");
        assertThat(harness.agent("example.com:agents:one").status()).isEqualTo(404);
        assertThat(harness.sync("new", body, false).text()).contains("PUT writes the source");
        assertThat(harness.sync("new", "{'key_id':'" + SourceHarness.KEY_ID + "'}", true)
                        .text())
                .contains("\"url\"", "is required");
    }

    @Test
    void a_document_is_imported_once_and_what_it_lacks_is_not_missing() {
        String first = document(catalogue(embedded("one", "x"), embedded("two", "x")));
        assertThat(counts(harness.sync("file", first, true).json())).isEqualTo("{registered=2}");
        assertThat(counts(harness.sync("file", first, false).json())).isEqualTo("{registered=2}");
        harness.system.meter().reset();
        assertThat(counts(harness.sync("file", first, false).json())).isEqualTo("{unchanged=2}");
        assertThat(harness.system.meter().writeUnits()).isZero();
        String second = document(catalogue(embedded("two", "y")));
        assertThat(counts(harness.sync("file", second, false).json())).isEqualTo("{updated=1}");
        assertThat(counts(harness.sync("file", second, false).json())).isEqualTo("{unchanged=1}");
        assertThat(harness.agent("example.com:agents:one").json().path("status").asText())
                .isEqualTo("active");
        assertThat(counts(harness.sync("other", second, false).json())).isEqualTo("{conflict=1}");
        harness.source("file", "/c");
        assertThat(harness.sync("file", second, false).json().path("error").asText())
                .isEqualTo("source_exists");
    }

    @Test
    void documents_of_every_kind_are_imported() {
        String servers =
                "{'servers':[{'server':{'name':'example.com/s','remotes':[{'type':'streamable-http','url':'@/s'}]}}]}";
        for (String document : new String[] {"[" + CARD_03 + "," + CARD_10 + "]", CARD_03, servers}) {
            assertThat(harness.sync("f", document(document), false)
                            .json()
                            .path("complete")
                            .asBoolean())
                    .isTrue();
        }
        assertThat(harness.agent("example.com-s").json().at("/watch/by").asText())
                .isEqualTo("mcp");
        assertThat(harness.sync("f", document("{'a':1}"), false).text()).contains("the document: no agent card");
        assertThat(harness.sync("f", document("[],'kind':'ai_catalog'"), false).text())
                .contains("it says what it is");
    }

    @Test
    void annotated_resources_of_kubernetes_become_agents() {
        harness.serve("/.well-known/agent-card.json", CARD_10);
        String list = "{'apiVersion':'v1','kind':'List','items':["
                + resource(
                        "Service",
                        "site",
                        "'agent-health/watch':'@/status','agent-health/capabilities':'pages, search'",
                        "")
                + "," + resource("Service", "tools", "'agent-health/watch':'@/mcp','agent-health/id':'tools-1'", "")
                + "," + resource("Service", "bills", "'agent-health/watch':'@/.well-known/agent-card.json'", "")
                + ","
                + resource(
                        "CronJob",
                        "nightly",
                        "'agent-health/id':'nightly-1'",
                        "'schedule':'0 2 * * *','timeZone':'Europe/Berlin'")
                + "," + resource("CronJob", "off", "'agent-health/id':'off'", "'schedule':'0 2 * * *','suspend':true")
                + "," + resource("Service", "plain", "", "") + ","
                + resource("ConfigMap", "c", "'agent-health/id':'c'", "") + "]}";
        JsonNode sync = harness.sync("cluster", document(list), false).json();
        assertThat(sync.path("errors")).isEmpty();
        assertThat(counts(sync)).isEqualTo("{registered=4, skipped=3}");
        assertThat(reasons(sync))
                .containsExactly(
                        "shop:CronJob:off is suspended",
                        "shop:Service:plain has no annotation that begins with agent-health/",
                        "shop:ConfigMap:c is no service and no cron job");
        JsonNode site = harness.agent("shop:service:site").json();
        assertThat(site.at("/watch/by").asText()).isEqualTo("http");
        assertThat(site.path("capabilities").toString()).isEqualTo("[\"pages\",\"search\"]");
        assertThat(harness.agent("tools-1").json().at("/watch/by").asText()).isEqualTo("mcp");
        assertThat(harness.agent("shop:service:bills").json().path("endpoint").asText())
                .isEqualTo(harness.url("/billing"));
        JsonNode nightly = harness.agent("nightly-1").json();
        assertThat(nightly.at("/heartbeat_config/schedule/cron").asText()).isEqualTo("0 2 * * *");
        assertThat(nightly.at("/heartbeat_config/schedule/time_zone").asText()).isEqualTo("Europe/Berlin");
        assertThat(nightly.path("watch").isObject()).isFalse();
        String again =
                document(list.replace("0 2 * * *", "0 3 * * *").replace("'apiVersion'", "'more':1,'apiVersion'"));
        assertThat(counts(harness.sync("cluster", again, false).json()))
                .isEqualTo("{skipped=3, unchanged=3, updated=1}");
        assertThat(harness.agent("nightly-1")
                        .json()
                        .at("/heartbeat_config/schedule/cron")
                        .asText())
                .isEqualTo("0 3 * * *");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "'schedule':'\\u0040hourly'; {'cron':'0 * * * *','time_zone':'UTC','grace_seconds':300}",
                "'schedule':'0\\t9\\t?\\t*\\tMON'; {'cron':'0 9 * * MON','time_zone':'UTC','grace_seconds':300}",
                "'schedule':'CRON_TZ=US/Pacific 0 2 * * *'; {'cron':'0 2 * * *','time_zone':'US/Pacific','grace_seconds':300}",
                "'schedule':'\\u0040daily','timeZone':'EST'; {'cron':'0 0 * * *','time_zone':'America/Panama','grace_seconds':300}",
                "'schedule':'\\u0040every 1h30m'; {'every_seconds':5400,'grace_seconds':300}",
                "'schedule':'\\u0040every 10m','timeZone':'Europe/Berlin'; {'every_seconds':600,'grace_seconds':300}",
            })
    // The sign @ stands for the address of the harness.
    void a_cron_job_may_have_every_schedule_that_kubernetes_accepts(String spec, String schedule) {
        String job = resource("CronJob", "nightly", "'agent-health/id':'nightly-1'", spec);
        assertThat(counts(harness.sync("k", document(job), false).json())).isEqualTo("{registered=1}");
        assertThat(harness.agent("nightly-1")
                        .json()
                        .at("/heartbeat_config/schedule")
                        .toString())
                .isEqualTo(schedule.replace('\'', '"'));
        assertThat(counts(harness.sync("k", document(job), false).json())).isEqualTo("{unchanged=1}");
    }

    @Test
    void a_path_of_a_service_is_one_of_its_load_balancer() {
        String balanced = "},'status':{'loadBalancer':{'ingress':[{'hostname':'shop.example.com'}]}},'more':{";
        String service = resource(
                "Service",
                "site",
                "'agent-health/watch':'/status'",
                "'ports':[{'port':8443,'name':'https'}]" + balanced);
        assertThat(counts(harness.sync("k", document(service), false).json())).isEqualTo("{registered=1}");
        assertThat(harness.agent("shop:service:site").json().path("endpoint").asText())
                .isEqualTo("https://shop.example.com:8443/status");
    }

    @Test
    void a_resource_with_a_mistake_is_named_and_not_registered() {
        String list = "{'apiVersion':'v1','kind':'List','items':["
                + resource("CronJob", "nightly", "'agent-health/id':'n'", "'schedule':'61 2 * * *'")
                + "," + resource("CronJob", "start", "'agent-health/id':'s'", "'schedule':'\\u0040reboot'")
                + "," + resource("Service", "inside", "'agent-health/watch':'/status'", "")
                + "," + resource("Service", "words", "'agent-health/capabilities':'x'", "")
                + "," + resource("Service", "one", "'agent-health/id':'n1','agent-health/watch':'@/1'", "")
                + "," + resource("Service", "two", "'agent-health/id':'n1','agent-health/watch':'@/2'", "") + "]}";
        JsonNode sync = harness.sync("k", document(list), false).json();
        assertThat(counts(sync)).isEqualTo("{failed=5, registered=1}");
        assertThat(sync.path("errors").toString())
                .contains(
                        "shop:CronJob:nightly: its schedule '61 2 * * *' must be",
                        "shop:CronJob:start: its schedule '@reboot' must name times, and @reboot names none",
                        "shop:Service:inside: has no load balancer",
                        "shop:Service:words: its annotation agent-health/watch must be",
                        "two resources have the id n1");
    }

    private static String resource(String kind, String name, String annotations, String spec) {
        return "{'apiVersion':'v1','kind':'" + kind + "','metadata':{'name':'" + name
                + "','namespace':'shop','annotations':{" + annotations + "}},'spec':{" + spec + "}}";
    }

    private static String document(String document) {
        return "{'key_id':'" + SourceHarness.KEY_ID + "','document':" + document + "}";
    }

    @Test
    void sources_are_listed_by_name_in_pages() {
        for (String name : new String[] {"b", "a", "c"}) {
            harness.source(name, "/c");
        }
        JsonNode page = harness.api
                .get("/v1/admin/sources")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .query("limit", "2")
                .send()
                .json();
        assertThat(page.path("sources").findValuesAsText("name")).containsExactly("a", "b");
        assertThat(page.path("next_token").asText()).isNotEmpty();
    }

    @Test
    void the_schedule_reads_a_source_once_an_hour() {
        harness.serve("/c", catalogue(embedded("one", "x")));
        harness.source("c", "/c");
        SourceFunction function = new SourceFunction(
                harness.wiring, host -> List.of(InetAddress.getLoopbackAddress()), SecureSockets.usualWhenUsed());
        assertThat(function.handleRequest(Map.of(), null)).hasToString("Result[due=1, read=1]");
        assertThat(harness.agent("example.com:agents:one").status()).isEqualTo(200);
        harness.system.clock().advanceSeconds(3_599);
        assertThat(function.handleRequest(Map.of(), null).due()).isZero();
        harness.system.clock().advanceSeconds(1);
        assertThat(function.handleRequest(Map.of(), null).due()).isEqualTo(1);
    }

    @Test
    void two_registries_import_each_other_without_a_loop() {
        harness.serve("/cards", CARD_10);
        harness.source("labs", "/cards");
        harness.sync("labs");
        String imported = id("-billing");
        String own = "{\"agent_id\":\"native\",\"name\":\"Native\",\"endpoint\":\"" + harness.url("/native") + "\"}";
        harness.api.post("/api/v1/agents").key(TestSystem.AGENT_KEY).body(own).send();
        StringBuilder entries = new StringBuilder();
        for (String agent : new String[] {imported, "native"}) {
            String path = "/agents/" + agent + "/.well-known/agent-card.json";
            Response card = harness.api
                    .get(path)
                    .query("via", "gateway")
                    .domain("other.test")
                    .send();
            assertThat(card.status()).isEqualTo(200);
            harness.serve(path + "?via=gateway", card.text().replace("https://other.test", harness.url("")));
            harness.serve("/agents/" + agent + "/.well-known/agent-health", "{}");
            entries.append(entries.isEmpty() ? "" : ",")
                    .append("{'identifier':'urn:air:other.test:agent:" + agent
                            + "','displayName':'a','type':'application/a2a-agent-card+json','url':'@" + path
                            + "?via=gateway'}");
        }
        harness.serve("/.well-known/ard.json", "{'specVersion':'1.0','entries':[" + entries + "]}");
        harness.source("other", "", "agent_health");
        JsonNode sync = harness.sync("other");
        assertThat(counts(sync)).isEqualTo("{registered=1, skipped=1}");
        assertThat(reasons(sync)).singleElement().asString().endsWith(" was itself imported from elsewhere");
        JsonNode agent = harness.agent("other.test:agent:native").json();
        assertThat(agent.path("endpoint").asText()).isEqualTo(harness.url("/a2a/agents/native"));
        assertThat(agent.at("/watch/by").asText()).isEqualTo("agent_health");
        assertThat(agent.at("/watch/url").asText()).isEqualTo(harness.url("/agents/native/.well-known/agent-health"));
        // It is not listed while it cannot be called, and is missing once its registry does not have it.
        harness.serve("/.well-known/ard.json", "{'specVersion':'1.0','entries':[]}");
        assertThat(counts(harness.sync("other"))).isEqualTo("{unchanged=1}");
        harness.serve("/agents/native/.well-known/agent-health", Script.status(410));
        assertThat(counts(harness.sync("other"))).isEqualTo("{missing=1}");
    }

    @Test
    void a_sync_without_time_registers_nothing_and_is_continued_by_the_next_one() {
        harness.serve("/c", catalogue(embedded("one", "x"), embedded("two", "x"), embedded("three", "x")));
        harness.source("c", "/c");
        harness.system.clock().advanceSeconds(1);
        Instant past = harness.system.clock().instant().minusSeconds(1);
        Source source = new SourceStore(harness.system.database()).find("c").orElseThrow();
        SourceSync sync = new SourceSync(
                harness.wiring,
                harness.system.database(),
                Authenticator.of(harness.wiring, harness.system.database()),
                host -> List.of(InetAddress.getLoopbackAddress()),
                SecureSockets.usualWhenUsed(),
                harness.system.log());
        sync.run(source, Optional.empty(), false, past);
        assertThat(harness.read("c").at("/last_sync/errors/0").asText()).contains("the time for one sync was over");
        assertThat(harness.agent("example.com:agents:one").status()).isEqualTo(404);
        assertThat(counts(harness.sync("c"))).isEqualTo("{registered=3}");
    }
}
