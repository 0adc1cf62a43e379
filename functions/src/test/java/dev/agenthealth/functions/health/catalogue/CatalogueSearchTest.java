package dev.agenthealth.functions.health.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.TokenCipher;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Searches of a catalogue that takes several reads. */
class CatalogueSearchTest {

    private static final TokenCipher CIPHER = new TokenCipher(() -> new byte[32], () -> Optional.of(new byte[32]));

    @ParameterizedTest
    @CsvSource({"1,1", "3,2", "3,3", "3,10", "7,3", "8,3", "100,100"})
    void pages_over_several_reads_show_every_active_agent_once(int agentsPerRead, int pageSize) {
        try (TestSystem system = new TestSystem()) {
            List<String> alive = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                TestAgent agent = new TestAgent(system, "agent-" + i);
                assertThat(agent.register(",\"listed\":true,\"endpoint\":\"https://agent.example.com/a2a\"")
                                .status())
                        .isEqualTo(201);
                if (i % 3 != 1) {
                    agent.sendHeartbeat();
                    alive.add(agent.id());
                }
            }
            CatalogueSearch search =
                    new CatalogueSearch(new LiveAgents(system.database(), system.clock(), agentsPerRead));
            List<String> shown = new ArrayList<>();
            String token = "";
            int pages = 0;
            do {
                JsonNode page = page(search, pageSize, token);
                page.path("results")
                        .forEach(result -> shown.add(
                                result.path("metadata").path("agent_id").asText()));
                assertThat(page.path("results").size()).isLessThanOrEqualTo(pageSize);
                token = page.path("pageToken").asText();
                pages++;
            } while (!token.isEmpty());
            assertThat(shown).containsExactlyInAnyOrderElementsOf(alive);
            assertThat(pages).isLessThanOrEqualTo(9);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,2", "2,3", "100,100"})
    void a_catalogue_that_takes_several_reads_is_in_order_as_a_whole(int agentsPerRead, int pageSize) {
        try (TestSystem system = new TestSystem()) {
            List<String> byCapacity = List.of("agent-4", "agent-2", "agent-0", "agent-1", "agent-3");
            for (String id : byCapacity) {
                int tasks = 10 - byCapacity.indexOf(id);
                TestAgent agent = new TestAgent(system, id);
                agent.register(
                        ",\"listed\":true,\"endpoint\":\"https://agent.example.com/a2a\",\"capacity\":{\"max_concurrent_tasks\":"
                                + tasks + "}");
                agent.sendHeartbeat();
            }
            CatalogueSearch search =
                    new CatalogueSearch(new LiveAgents(system.database(), system.clock(), agentsPerRead));
            List<String> shown = new ArrayList<>();
            String token = "";
            do {
                JsonNode page = page(search, pageSize, token);
                shown.addAll(page.path("results").findValuesAsText("agent_id"));
                token = page.path("pageToken").asText();
            } while (!token.isEmpty());
            assertThat(shown).isEqualTo(byCapacity);
        }
    }

    private static JsonNode page(CatalogueSearch search, int pageSize, String token) {
        String body = Json.object()
                .put("pageSize", pageSize)
                .put("pageToken", token.isEmpty() ? null : token)
                .set("query", Json.object().put("text", "test"))
                .toString();
        ApiRequest request = new ApiRequest(APIGatewayV2HTTPEvent.builder()
                .withRouteKey("POST /search")
                .withHeaders(Map.of("host", "registry.example.com"))
                .withBody(body)
                .build());
        request.encryptTokensWith(CIPHER);
        return Json.stored(search.answer(request).body());
    }
}
