package dev.agenthealth.functions.operations.sources;

import static dev.agenthealth.functions.operations.sources.SourceHarness.counts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.registry.declarations.DeclaredDocuments;
import dev.agenthealth.functions.registry.declarations.Observation;
import dev.agenthealth.functions.registry.declarations.ObservedDeclarations;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.declaration.DeclarationKind;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents of a source whose entries, owners or profiles change. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SourcedAgentTest extends SourceCase {

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

    private void serveCard(boolean embedded, String skill) {
        harness.serve("/c", embedded ? catalogue(agent("one", "'data':" + card(skill))) : card(skill));
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
}
