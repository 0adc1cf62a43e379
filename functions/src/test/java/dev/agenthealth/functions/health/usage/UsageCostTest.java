package dev.agenthealth.functions.health.usage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The estimated cost of usage, by the prices in the configuration. */
class UsageCostTest {

    private static final String PRICES = "{\"currency\":\"EUR\",\"models\":["
            + "{\"model\":\"gpt-5\",\"input\":1.25,\"output\":10,\"cached_input\":0.125},"
            + "{\"model\":\"small model\",\"input\":0.5,\"output\":1}]}";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final OutcomeClient client = new OutcomeClient(system);
    private final TestAgent agent = TestAgent.registered(system, "spender");

    private Response configure(String prices) {
        return system.api()
                .put("/v1/admin/configuration")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"sweep_passes_per_minute\":1,\"sweep_fan_out_agents\":200000,"
                        + "\"mass_silence\":{\"minimum_agents\":50,\"silent_percent\":55,\"death_percent_per_minute\":10},"
                        + "\"invocations\":{\"per_second\":10,\"burst\":20,\"max_in_flight\":5},\"default_window_seconds\":86400,"
                        + "\"max_agents_per_key\":20000,\"max_watched_agents_per_key\":1000,\"public_catalogue\":false"
                        + (prices.isEmpty() ? "" : ",\"model_prices\":" + prices) + "}")
                .send();
    }

    private Response usage(String format) {
        var request = system.api()
                .get("/api/v1/usage")
                .query("by", "agent")
                .query("agent_id", "spender")
                .key(TestSystem.COORDINATOR_KEY);
        return (format.isEmpty() ? request : request.query("format", format)).send();
    }

    private void report(String batchId, String usage) {
        assertThat(client.report(agent, batchId, "{\"result\":\"success\",\"usage\":{" + usage + "}}")
                        .status())
                .isEqualTo(202);
    }

    private void reportThreeModels() {
        report(
                "b-1",
                "\"input_tokens\":1000000,\"output_tokens\":200000,\"cache_read_tokens\":400000,\"model\":\"gpt-5\"");
        report("b-2", "\"input_tokens\":2000000,\"cache_read_tokens\":1000000,\"model\":\"small model\"");
        report("b-3", "\"input_tokens\":700,\"output_tokens\":300,\"model\":\"gpt-5-mini\"");
    }

    @Test
    void the_cost_is_estimated_by_model_and_marked_as_an_estimate() {
        assertThat(configure(PRICES).status()).isEqualTo(200);
        reportThreeModels();
        JsonNode usage = usage("").json();
        assertThat(usage.get("currency").textValue()).isEqualTo("EUR");
        assertThat(usage.get("estimate").booleanValue()).isTrue();
        // 0.6 M at 1.25, 0.4 M at 0.125 and 0.2 M at 10; cached input of the small model costs as much as input: 2 M at
        // 0.5.
        assertThat(usage.at("/total/estimated_cost").doubleValue()).isEqualTo(0.75 + 0.05 + 2 + 1);
        assertThat(usage.at("/series/0/total/estimated_cost").doubleValue()).isEqualTo(3.8);
        assertThat(usage.at("/series/0/points/0/estimated_cost").doubleValue()).isEqualTo(3.8);
        assertThat(usage.get("unpriced_tokens").longValue()).isEqualTo(1_000);
        String[] lines = usage("csv").text().split("\r\n");
        assertThat(lines[0]).endsWith(",executions,estimated_cost,currency");
        assertThat(lines[1]).endsWith(",3,3.8000,EUR");
    }

    @Test
    void without_prices_no_cost_is_shown() {
        reportThreeModels();
        assertThat(usage("").text()).doesNotContain("cost").doesNotContain("currency");
        assertThat(usage("csv").text().lines().findFirst().orElseThrow()).endsWith(",executions");
    }

    @Test
    void the_configuration_keeps_prices_and_forgets_them_if_they_are_left_out() {
        JsonNode stored = configure(PRICES).json().get("model_prices");
        assertThat(stored.toString())
                .isEqualTo("{\"currency\":\"EUR\",\"models\":["
                        + "{\"model\":\"gpt-5\",\"input\":1.25,\"output\":10,\"cached_input\":0.125},"
                        + "{\"model\":\"small model\",\"input\":0.5,\"output\":1,\"cached_input\":0.5}]}");
        assertThat(system.api()
                        .get("/v1/admin/configuration")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .json()
                        .get("model_prices"))
                .isEqualTo(stored);
        assertThat(configure("").json().get("model_prices").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"currency\":\"euro\",\"models\":[]}; model_prices.currency",
                "{\"currency\":\"eur\",\"models\":[]}; model_prices.currency",
                "{\"models\":[]}; model_prices.currency",
                "{\"currency\":\"EUR\"}; model_prices.models",
                "{\"currency\":\"EUR\",\"models\":[{\"input\":1,\"output\":1}]}; model_prices.models[0].model",
                "{\"currency\":\"EUR\",\"models\":[{\"model\":\"a\",\"output\":1}]}; model_prices.models[0].input",
                "{\"currency\":\"EUR\",\"models\":[{\"model\":\"a\",\"input\":-1,\"output\":1}]}; model_prices.models[0].input",
                "{\"currency\":\"EUR\",\"models\":[{\"model\":\"a\",\"input\":1e7,\"output\":1}]}; model_prices.models[0].input",
                "{\"currency\":\"EUR\",\"models\":[{\"model\":\"a\",\"input\":1e-7,\"output\":1}]}; model_prices.models[0].input",
                "{\"currency\":\"EUR\",\"models\":[{\"model\":\"a\",\"input\":1,\"output\":\"x\"}]}; model_prices.models[0].output",
                "{\"currency\":\"EUR\",\"models\":[{\"model\":\"a\",\"input\":1,\"output\":1,\"batch\":1}]}; model_prices.models[0].batch",
                "{\"currency\":\"EUR\",\"models\":[{\"model\":\"a\",\"input\":1,\"output\":1},{\"model\":\"a\",\"input\":1,\"output\":1}]}; model_prices.models[1].model",
                "7; model_prices"
            })
    void wrong_prices_are_named_and_change_nothing(String prices, String field) {
        assertThat(configure(PRICES).status()).isEqualTo(200);
        Response refused = configure(prices);
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.json().at("/errors").findValuesAsText("field")).contains(field);
        reportThreeModels();
        assertThat(usage("").json().at("/total/estimated_cost").doubleValue()).isEqualTo(3.8);
    }
}
