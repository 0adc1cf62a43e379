package dev.agenthealth.functions.health.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The manifest and the entries of the catalogue (ARD 0.91): their form, who may read them, and caching. */
class CatalogueTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final CatalogueClient catalogue = new CatalogueClient(system);

    @Test
    void an_entry_has_the_form_of_ard_and_leads_to_the_gateway() {
        catalogue.alive("a", CatalogueClient.LISTED + ",\"name\":\"Tester\"");
        JsonNode entry = catalogue.entry("a").json();
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
                                .formatted(Timestamps.text(system.clock().instant()))));
        JsonNode result = catalogue
                .search("{\"query\":{\"text\":\"test\"}}")
                .json()
                .path("results")
                .get(0);
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
    void an_mcp_server_has_a_card_that_leads_to_its_own_endpoint() {
        catalogue.alive(
                "io.example:weather",
                """
                        ,"kind":"mcp_server","listed":true,"name":"Weather",\
                        "endpoint":"https://weather.example.com/mcp"\
                        """);
        catalogue.alive("a", CatalogueClient.LISTED);
        String now = Timestamps.text(system.clock().instant());
        String identifier = "urn:air:registry.example.com:mcp:io.example:weather";
        JsonNode entry = catalogue.entryOf(identifier).json();
        assertThat(entry)
                .isEqualTo(Json.stored(
                        """
                                {"identifier":"%s","displayName":"Weather","type":"application/mcp-server-card+json",
                                 "data":{"$schema":"https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
                                  "name":"com.example.registry/io.example.weather","version":"%s","title":"Weather",
                                  "description":"An MCP server.",
                                  "remotes":[{"type":"streamable-http","url":"https://weather.example.com/mcp"}]},
                                 "tags":["worker"],"description":"An MCP server with the capabilities test.","capabilities":["test"],
                                 "representativeQueries":["find an MCP server for test","which MCP server does test"],
                                 "metadata":{"agent_id":"io.example:weather","verdict":"ok","health_status":"unknown"},
                                 "updatedAt":"%s"}
                                """
                                .formatted(identifier, now, now)));
        assertThat(catalogue.read().json().at("/entries/3")).isEqualTo(((ObjectNode) entry).without("updatedAt"));
        assertThat(catalogue.found("weather", "{\"type\":\"application/mcp-server-card+json\"}"))
                .containsExactly("io.example:weather");
        assertThat(catalogue.entry("io.example:weather").status())
                .as("as an agent")
                .isEqualTo(404);
    }

    @Test
    void the_catalogue_shows_where_it_is_searched_and_the_server_of_mcp() {
        JsonNode entries = catalogue.read().json().path("entries");
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
            assertThat(catalogue.entryOf(entry.path("identifier").asText()).json())
                    .isEqualTo(entry);
        }
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
        catalogue.alive("a", CatalogueClient.LISTED);
        Response response = catalogue.entryOf(identifier);
        assertThat(response.status()).isEqualTo(status);
        assertThat(response.json().path("errorCode").asText()).isEqualTo(code);
    }

    @Test
    void without_a_key_the_catalogue_is_read_only_where_it_is_public() {
        catalogue.alive("a", CatalogueClient.LISTED);
        String body = "{\"query\":{\"text\":\"test\"}}";
        List<Request> requests = List.of(
                CatalogueClient.at(system.api().get("/.well-known/ard.json")),
                CatalogueClient.at(system.api().post("/search")).body(body),
                CatalogueClient.at(system.api().get("/agents/" + CatalogueClient.URN + "a")));
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
        catalogue.alive("a", CatalogueClient.LISTED);
        system.addKey("viewer-of-others", Role.VIEWER, Set.of("others"));
        for (String key : List.of(TestSystem.OTHER_AGENT_KEY, "viewer-of-others", TestSystem.ADMINISTRATOR_KEY)) {
            assertThat(catalogue
                            .post("{\"query\":{\"text\":\"test\"}}")
                            .key(key)
                            .send()
                            .json()
                            .path("results"))
                    .hasSize(1);
        }
    }

    @Test
    void a_manifest_is_answered_304_as_long_as_the_agents_are_the_same() {
        catalogue.alive("a", CatalogueClient.LISTED);
        Response first = catalogue.read();
        assertThat(first.header("Cache-Control")).isEqualTo("private, no-cache");
        Request again = catalogue.manifestRequest().header("if-none-match", first.header("ETag"));
        system.clock().advanceSeconds(10);
        assertThat(again.send().status()).isEqualTo(304);
        catalogue.alive("b", CatalogueClient.LISTED);
        catalogue.pass();
        assertThat(again.send().status()).isEqualTo(200);
    }

    @Test
    void head_of_the_manifest_has_the_headers_of_get_and_no_body() {
        catalogue.alive("a", CatalogueClient.LISTED);
        Request head = CatalogueClient.at(system.api().head("/.well-known/ard.json"));
        assertThat(head.send().status()).isEqualTo(401);
        Response answer = head.key(TestSystem.COORDINATOR_KEY).send();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEmpty();
        assertThat(answer.header("ETag")).isEqualTo(catalogue.read().header("ETag"));
        assertThat(head.header("if-none-match", answer.header("ETag")).send().status())
                .isEqualTo(304);
    }

    @Test
    void an_entry_is_answered_304_as_long_as_it_is_the_same() {
        catalogue.alive("a", CatalogueClient.LISTED);
        Response first = catalogue.entry("a");
        assertThat(first.header("Cache-Control")).isEqualTo("private, no-cache");
        Request again = CatalogueClient.at(system.api().get("/agents/" + CatalogueClient.URN + "a"))
                .key(TestSystem.COORDINATOR_KEY)
                .header("if-none-match", first.header("ETag"));
        assertThat(again.send().status()).isEqualTo(304);
        assertThat(catalogue.patch("{\"name\":\"Tester\"}").status()).isEqualTo(200);
        assertThat(again.send().status()).isEqualTo(200);
    }

    private void configure(boolean isPublic) {
        ConfigurationStore store = new ConfigurationStore(system.database());
        RuntimeConfiguration now = store.current();
        store.replace(now, now.with(RuntimeSettings.PUBLIC_CATALOGUE, isPublic));
        system.clock().advanceSeconds(60);
    }
}
