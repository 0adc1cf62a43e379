package dev.agenthealth.functions.operations.sources;

import static dev.agenthealth.functions.operations.sources.SourceHarness.counts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.signing.CardSigner;
import dev.agenthealth.functions.api.signing.LocalCardKey;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sources that require a valid signature of each card. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SignedSourceTest {

    private static final String KEYS = "/.well-known/jwks.json";
    private static final String SIGNED = ",'require_signature':true";
    private static final String ONE = "example.com:agents:one";

    private final SourceHarness harness = new SourceHarness();
    private final CardSigner signer = signer();

    private static CardSigner signer() {
        return CardSigner.with(LocalCardKey.read(LocalCardKey.generate()));
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private ObjectNode card(String name) {
        ObjectNode card =
                Json.object().put("name", name).put("description", "d").put("version", "1");
        card.putArray("supportedInterfaces")
                .addObject()
                .put("url", harness.url("/" + name))
                .put("protocolBinding", "JSONRPC")
                .put("protocolVersion", "1.0");
        return card;
    }

    private ObjectNode signed(String name) {
        return signer.sign(card(name), harness.url(""));
    }

    private void serve(String path, ObjectNode document) {
        harness.serve(path, Script.body(Json.text(document)));
    }

    private static ObjectNode entry(String name) {
        return Json.object()
                .put("identifier", "urn:air:example.com:agents:" + name)
                .put("displayName", name)
                .put("type", "application/a2a-agent-card+json");
    }

    private ObjectNode linked(String name, ObjectNode card) {
        serve("/" + name + ".json", card);
        return entry(name).put("url", harness.url("/" + name + ".json"));
    }

    private static ObjectNode embedded(String name, ObjectNode card) {
        return entry(name).set("data", card);
    }

    /** Serves a catalogue, and the keys of the signer. */
    private void catalogue(ObjectNode... entries) {
        ObjectNode catalogue = Json.object().put("specVersion", "1.0");
        List.of(entries).forEach(catalogue.putArray("entries")::add);
        serve("/c", catalogue);
        serve(KEYS, signer.keys());
    }

    private long requestsOf(String path) {
        return harness.server.requests().stream()
                .filter(request -> request.line().contains(path))
                .count();
    }

    @Test
    void only_entries_whose_card_is_validly_signed_become_agents() {
        ObjectNode server = entry("server").put("type", "application/mcp-server-card+json");
        server.putObject("data")
                .put("name", "s")
                .putArray("remotes")
                .addObject()
                .put("type", "streamable-http")
                .put("url", harness.url("/mcp"));
        catalogue(
                linked("one", signed("one")),
                linked("altered", signed("altered").put("name", "other")),
                linked("unsigned", card("unsigned")),
                linked("unknown", signer().sign(card("unknown"), harness.url(""))),
                server);
        assertThat(harness.put("c", "/c", SIGNED)
                        .json()
                        .path("require_signature")
                        .asBoolean())
                .isTrue();
        JsonNode dry = harness.sync("c", true);
        JsonNode sync = harness.sync("c");
        assertThat(counts(sync)).isEqualTo(counts(dry)).isEqualTo("{refused=4, registered=1}");
        assertThat(sync.path("changes").findValuesAsText("agent_id").get(0)).isEqualTo(ONE);
        assertThat(sync.path("changes").findValuesAsText("signature"))
                .as("by identifier")
                .containsExactly("invalid", "unsigned", "unknown_key", "unsigned");
        assertThat(harness.agent("example.com:agents:altered").status()).isEqualTo(404);
        JsonNode state = harness.read("c").path("last_sync");
        assertThat(state.path("refused").findValuesAsText("identifier")).hasSize(4);
        assertThat(state.path("complete").asBoolean()).isTrue();
        assertThat(counts(harness.sync("c"))).isEqualTo("{refused=4, unchanged=1}");
    }

    @Test
    void an_agent_whose_card_loses_its_signature_stays_as_it_is_and_is_reported() {
        catalogue(linked("one", signed("one")));
        harness.put("c", "/c", SIGNED);
        harness.sync("c");
        catalogue(linked("one", card("renamed")));
        for (int i = 0; i < 3; i++) {
            assertThat(counts(harness.sync("c"))).isEqualTo("{refused=1, unchanged=1}");
        }
        assertThat(harness.agent(ONE).json().path("name").asText()).isEqualTo("one");
        assertThat(harness.read("c").at("/last_sync/refused/0").toString())
                .isEqualTo("{\"agent_id\":\"" + ONE + "\",\"identifier\":\"urn:air:example.com:agents:one\","
                        + "\"signature\":\"unsigned\",\"registered\":true}");
        catalogue(linked("one", signed("renamed")));
        assertThat(counts(harness.sync("c"))).isEqualTo("{updated=1}");
        assertThat(harness.agent(ONE).json().path("name").asText()).isEqualTo("renamed");
        catalogue();
        harness.sync("c");
        assertThat(counts(harness.sync("c"))).isEqualTo("{deregistered=1}");
    }

    @Test
    void a_source_that_comes_to_require_signatures_verifies_dated_cards_once() {
        String updated = "2026-02-01T00:00:00Z";
        catalogue(linked("one", card("one")).put("updatedAt", updated));
        harness.source("c", "/c");
        harness.sync("c");
        harness.put("c", "/c", SIGNED);
        assertThat(counts(harness.sync("c"))).isEqualTo("{refused=1, unchanged=1}");
        catalogue(linked("one", signed("one")).put("updatedAt", updated));
        assertThat(counts(harness.sync("c"))).isEqualTo("{updated=1}");
        long read = requestsOf("/one.json");
        assertThat(counts(harness.sync("c"))).isEqualTo("{unchanged=1}");
        assertThat(requestsOf("/one.json")).isEqualTo(read);
    }

    @Test
    void the_keys_are_those_of_the_cards_own_host_or_of_the_operator() {
        String author = harness.url("").replace("catalogue.test", "author.test");
        ObjectNode embedded = card("one");
        ((ObjectNode) embedded.at("/supportedInterfaces/0")).put("url", author + "/one");
        catalogue(embedded("one", signer.sign(embedded.deepCopy(), harness.url(""))));
        harness.put("c", "/c", SIGNED);
        assertThat(harness.sync("c").at("/refused/0/signature").asText())
                .as("a key of the catalogue")
                .isEqualTo("unknown_key");
        catalogue(embedded("one", signer.sign(embedded.deepCopy(), author)));
        assertThat(counts(harness.sync("c"))).as("a key of the agent's host").isEqualTo("{registered=1}");

        CardSigner trusted = signer();
        catalogue(linked("two", trusted.sign(card("two"), "https://elsewhere.example")));
        ObjectNode configuration = (ObjectNode) harness.api
                .get("/v1/admin/configuration")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json();
        configuration.set("card_keys", trusted.keys().path("keys"));
        assertThat(harness.api
                        .put("/v1/admin/configuration")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(Json.text(configuration))
                        .send()
                        .status())
                .isEqualTo(200);
        harness.system.clock().advanceSeconds(61);
        assertThat(counts(harness.sync("c"))).as("a trusted key").isEqualTo("{missing=1, registered=1}");
    }

    @Test
    void a_key_that_was_replaced_is_read_in_the_next_sync() {
        catalogue(linked("one", signed("one")), linked("two", signed("two")));
        harness.put("c", "/c", SIGNED);
        assertThat(counts(harness.sync("c"))).isEqualTo("{registered=2}");
        assertThat(requestsOf(KEYS))
                .as("of two cards of one host, read at once")
                .isLessThanOrEqualTo(2);
        CardSigner next = signer();
        serve(KEYS, next.keys());
        serve("/one.json", next.sign(card("one"), harness.url("")));
        assertThat(counts(harness.sync("c"))).isEqualTo("{refused=1, unchanged=2}");
        assertThat(harness.read("c").at("/last_sync/refused/0/agent_id").asText())
                .isEqualTo("example.com:agents:two");
    }

    @Test
    void keys_are_not_read_at_private_addresses() {
        ObjectNode card = card("one");
        ((ObjectNode) card.at("/supportedInterfaces/0")).put("url", "https://10.0.0.1/one");
        catalogue(embedded("one", signer.sign(card, "https://10.0.0.1")));
        harness.put("c", "/c", SIGNED);
        assertThat(harness.sync("c").at("/refused/0/signature").asText()).isEqualTo("unknown_key");
    }

    /** Entries whose signatures each name another address of one host. */
    private ObjectNode[] ofTenants(int number) {
        ObjectNode[] entries = new ObjectNode[number];
        for (int i = 0; i < number; i++) {
            String name = "tenant-" + i;
            serve("/" + name + KEYS, signer.keys());
            entries[i] = embedded(name, signer.sign(card(name), harness.url("/" + name)));
        }
        return entries;
    }

    @Test
    void one_host_is_asked_for_a_limited_number_of_key_sets() {
        catalogue(ofTenants(2 * KeySets.MAX_OF_HOST));
        harness.put("c", "/c", SIGNED);
        JsonNode sync = harness.sync("c");
        assertThat(counts(sync))
                .isEqualTo("{refused=" + KeySets.MAX_OF_HOST + ", registered=" + KeySets.MAX_OF_HOST + "}");
        assertThat(requestsOf(KEYS)).isEqualTo(KeySets.MAX_OF_HOST);
    }

    @Test
    void a_host_that_failed_is_not_asked_for_further_keys() {
        ObjectNode[] entries = ofTenants(2 * KeySets.MAX_OF_HOST);
        for (int i = 0; i < entries.length; i++) {
            harness.serve("/tenant-" + i + KEYS, Script.status(500));
        }
        catalogue(entries);
        harness.put("c", "/c", SIGNED);
        assertThat(counts(harness.sync("c"))).isEqualTo("{refused=" + entries.length + "}");
        assertThat(requestsOf(KEYS)).as("those that were asked at once").isLessThanOrEqualTo(16);
    }

    @Test
    void an_entry_whose_keys_could_not_be_read_in_time_is_postponed() {
        catalogue(linked("one", signed("one")));
        harness.serve(KEYS, (request, out) -> {
            harness.system.clock().advanceSeconds(600);
            Script.status(404).play(request, out);
        });
        harness.put("c", "/c", SIGNED);
        JsonNode sync = harness.sync("c");
        assertThat(counts(sync)).isEqualTo("{postponed=1}");
        assertThat(sync.path("complete").asBoolean()).isFalse();
    }
}
