package dev.agenthealth.functions.health.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.Resources;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The catalogue for clients of AI Catalog: its form, its headers, and which agents it has. */
class AiCatalogTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final CatalogueClient catalogue = new CatalogueClient(system);

    private Request request() {
        return CatalogueClient.at(system.api().get("/.well-known/ai-catalog.json"));
    }

    private Response read() {
        return request().key(TestSystem.COORDINATOR_KEY).send();
    }

    @Test
    void a_catalogue_keeps_the_rules_of_ai_catalog() {
        catalogue.alive("a", CatalogueClient.LISTED + ",\"name\":\"Tester\"");
        catalogue.alive("b", CatalogueClient.LISTED);
        catalogue.alive("c", CatalogueClient.LISTED + ",\"kind\":\"mcp_server\"");
        Response response = read();
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.header("Content-Type")).isEqualTo("application/ai-catalog+json");
        assertThat(errors(response.text())).isEmpty();
        assertThat(response.json().path("entries").findValuesAsText("identifier"))
                .hasSize(5)
                .doesNotHaveDuplicates();
        assertThat(errors(response.text().replace("\"type\"", "\"mediaType\""))).isNotEmpty();
        assertThat(errors(response.text().replace("\"data\"", "\"url\""))).isNotEmpty();
    }

    @Test
    void it_has_what_the_catalogue_of_ard_has_the_healthiest_first() {
        TestAgent silent = catalogue.alive("a", CatalogueClient.LISTED + ",\"capacity\":{\"max_concurrent_tasks\":1}");
        catalogue.alive("b", CatalogueClient.LISTED + ",\"capacity\":{\"max_concurrent_tasks\":2}");
        catalogue.alive("c", ",\"endpoint\":\"https://agent.example.com/a2a\"");
        assertThat(CatalogueClient.ids(read().json().path("entries"))).containsExactly("b", "a");
        assertThat(read().json()).isEqualTo(catalogue.read().json());
        silent.becomeUnhealthy();
        assertThat(CatalogueClient.ids(read().json().path("entries"))).doesNotContain("a");
    }

    @Test
    void a_client_that_has_it_is_answered_304_and_one_without_a_key_gets_a_problem_document() {
        Response first = read();
        Response again = request()
                .key(TestSystem.COORDINATOR_KEY)
                .header("if-none-match", first.header("ETag"))
                .send();
        assertThat(again.status()).isEqualTo(304);
        Response refused = request().send();
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.json().path("error").asText()).isEqualTo("unauthenticated");
    }

    private static List<String> errors(String catalogue) {
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Resources.text("catalogues/ai-catalog.json"), InputFormat.JSON);
        return schema
                .validate(
                        catalogue,
                        InputFormat.JSON,
                        context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
                .stream()
                .map(Error::toString)
                .toList();
    }
}
