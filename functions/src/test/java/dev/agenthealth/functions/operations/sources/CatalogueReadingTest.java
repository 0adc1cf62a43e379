package dev.agenthealth.functions.operations.sources;

import static dev.agenthealth.functions.operations.sources.SourceHarness.counts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The entries that a sync finds in catalogues, lists and registries, and the reasons for which it skips an entry. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CatalogueReadingTest extends SourceCase {

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
}
