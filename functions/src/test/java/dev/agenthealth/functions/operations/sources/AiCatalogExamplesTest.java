package dev.agenthealth.functions.operations.sources;

import static dev.agenthealth.functions.operations.sources.SourceHarness.counts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.testkit.Resources;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TestJson;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The catalogues that the specification of AI Catalog shows, with cards at their addresses. */
class AiCatalogExamplesTest {

    static Stream<Arguments> examples() {
        JsonNode examples = TestJson.read(Resources.text("catalogues/ai-catalog-examples.json"));
        return StreamSupport.stream(examples.path("examples").spliterator(), false)
                .map(example -> Arguments.of(example.path("section").asText(), example));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examples")
    @Tag("slow")
    void agents_and_servers_of_an_example_are_registered_and_other_artifacts_skipped(String section, JsonNode example) {
        try (SourceHarness harness = new SourceHarness()) {
            String catalogue = TestJson.text(example.path("catalogue"));
            harness.serve(
                    "/c", Script.body(catalogue.replaceAll("\"url\":\"https://[^/]+", "\"url\":\"" + harness.url(""))));
            example.path("agents").properties().forEach(agent -> {
                String path = agent.getValue().asText();
                String endpoint = harness.url("/called" + path);
                harness.serve(
                        path,
                        path.endsWith("server-card") || path.endsWith("server-card.json")
                                ? "{'name':'s','remotes':[{'type':'streamable-http','url':'" + endpoint + "'}]}"
                                : "{'name':'a','url':'" + endpoint + "'}");
            });
            harness.source("c", "/c");
            JsonNode sync = harness.sync("c");
            assertThat(sync.path("errors")).isEmpty();
            assertThat(counts(sync)).isEqualTo(example.path("counts").asText());
            List<String> endpoints = Stream.of(example.path("agents"))
                    .flatMap(agents -> StreamSupport.stream(agents.properties().spliterator(), false))
                    .map(agent -> harness.agent(agent.getKey())
                            .json()
                            .path("endpoint")
                            .asText())
                    .toList();
            assertThat(endpoints).allSatisfy(endpoint -> assertThat(endpoint).contains("/called/"));
        }
    }
}
