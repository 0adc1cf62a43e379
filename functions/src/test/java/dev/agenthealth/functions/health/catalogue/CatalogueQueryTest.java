package dev.agenthealth.functions.health.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code POST /search} of ARD 0.91: relevance, filters, pages and refusals. */
class CatalogueQueryTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final CatalogueClient catalogue = new CatalogueClient(system);

    @Test
    void of_equally_relevant_agents_the_healthiest_are_first() {
        catalogue.alive("restarted", CatalogueClient.LISTED);
        for (int i = 0; i < 5; i++) {
            assertThat(new TestAgent(system, "restarted")
                            .register(CatalogueClient.LISTED + ",\"replace\":true")
                            .status())
                    .isEqualTo(201);
            new TestAgent(system, "restarted").sendHeartbeat();
        }
        catalogue.alive("steady", CatalogueClient.LISTED);
        assertThat(catalogue.results("{\"query\":{\"text\":\"test\"}}"))
                .extracting(
                        result -> result.path("metadata").path("agent_id").asText(),
                        result -> result.path("metadata").path("verdict").asText())
                .containsExactly(tuple("steady", "ok"), tuple("restarted", "degraded"));
        assertThat(catalogue.manifest()).containsExactly("steady", "restarted");
        assertThat(catalogue.found("test", "{\"metadata.verdict\":\"ok\"}")).containsExactly("steady");
    }

    @Test
    void the_more_relevant_agent_is_first() {
        catalogue.alive("a", CatalogueClient.LISTED);
        catalogue.alive("b", CatalogueClient.LISTED + ",\"name\":\"Load test\"");
        assertThat(catalogue.results("{\"query\":{\"text\":\"load test\"}}"))
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
        catalogue.alive("a", CatalogueClient.LISTED);
        catalogue.alive("b", CatalogueClient.LISTED);
        assertThat(catalogue.results("{\"query\":{\"text\":\"test\",\"filter\":" + filter
                        + ",\"@context\":{\"p\":\"https://agenticresourcediscovery.org/ns#\"}}}"))
                .hasSize(matches);
    }

    @Test
    void pages_show_every_agent_once() {
        IntStream.range(0, 7).forEach(i -> catalogue.alive("agent-" + i, CatalogueClient.LISTED));
        List<String> shown = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = catalogue
                    .search("{\"query\":{\"text\":\"test\"},\"pageSize\":3"
                            + (token.isEmpty() ? "" : ",\"pageToken\":\"" + token + "\"") + "}")
                    .json();
            shown.addAll(CatalogueClient.ids(page.path("results")));
            token = page.path("pageToken").asText();
        } while (!token.isEmpty());
        assertThat(shown).hasSize(7).doesNotHaveDuplicates();
    }

    @Test
    void a_token_is_for_the_query_and_the_caller_that_it_was_made_for() {
        catalogue.alive("a", CatalogueClient.LISTED);
        catalogue.alive("b", CatalogueClient.LISTED);
        String token = catalogue
                .search("{\"query\":{\"text\":\"test\"},\"pageSize\":1}")
                .json()
                .path("pageToken")
                .asText();
        String more = ",\"pageSize\":1,\"pageToken\":\"" + token + "\"}";
        refused(catalogue.search("{\"query\":{\"text\":\"tests\"}" + more), "pageToken");
        refused(
                catalogue
                        .post("{\"query\":{\"text\":\"test\"}" + more)
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
        refused(catalogue.search(body), named);
    }

    @Test
    void all_bad_fields_are_named() {
        String message = catalogue
                .search(
                        """
                        {"query":{"text":""},"pageSize":0,"limit":1}\
                        """)
                .json()
                .path("message")
                .asText();
        assertThat(message).contains("'query.text'", "'pageSize'", "'limit'");
    }

    @Test
    void other_registries_are_not_asked() {
        catalogue.alive("a", CatalogueClient.LISTED);
        JsonNode answer = catalogue
                .search(
                        """
                        {"query":{"text":"test"},"federation":"referrals"}\
                        """)
                .json();
        assertThat(answer.path("referrals").isArray()).isTrue();
        assertThat(answer.path("referrals")).isEmpty();
        assertThat(catalogue
                        .search(
                                """
                                {"query":{"text":"test"},"federation":"auto"}\
                                """)
                        .json()
                        .has("referrals"))
                .isFalse();
    }

    @Test
    void a_search_reads_half_a_unit_for_each_listed_agent_and_none_for_others() {
        IntStream.range(0, 20).forEach(i -> catalogue.alive("listed-" + i, CatalogueClient.LISTED));
        IntStream.range(0, 20).forEach(i -> catalogue.alive("other-" + i, ""));
        catalogue.found("test");
        catalogue.pass();
        system.meter().reset();
        catalogue.found("test");
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(20 * 0.5 + 3);
        assertThat(system.meter().writeUnits()).isZero();
    }

    @Test
    void searches_within_five_seconds_read_the_agents_once() {
        catalogue.alive("a", CatalogueClient.LISTED);
        catalogue.found("test");
        system.meter().reset();
        catalogue.found("test");
        assertThat(system.meter().operations()).isEmpty();
    }

    private static void refused(Response response, String named) {
        assertThat(response.status()).as(response.text()).isEqualTo(400);
        assertThat(response.json().path("errorCode").asText()).isEqualTo("INVALID_ARGUMENT");
        assertThat(response.json().path("message").asText()).contains(named);
    }
}
