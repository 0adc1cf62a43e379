package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.testing.RegistryCaller;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The charts of tokens and calls in a browser: of an agent with a limit, of a role, and of the fleet. */
@Tag("other-programs")
@ExtendWith(PageSystem.Resolver.class)
class PageUsageTest {

    private static PageSystem system;
    private static Browser browser;

    @BeforeAll
    static void report(PageSystem started) {
        system = started;
        browser = started.browser();
        RegistryCaller administrator = started.administrator();
        ObjectNode agent =
                Json.object().put("agent_id", "usage-1").put("role_id", "usage").put("owner_key_id", "administrator");
        agent.putObject("heartbeat_config")
                .put("interval_seconds", 600)
                .put("unhealthy_after_seconds", 1800)
                .put("dead_after_seconds", 3600);
        agent.putObject("expectations").putObject("limits").put("tokens_per_hour", 10_000);
        assertThat(administrator.post("/api/v1/agents", agent).status()).isEqualTo(201);
        ObjectNode report = Json.object().put("batch_id", "usage");
        report.withArray("outcomes")
                .addObject()
                .put("result", "success")
                .putObject("usage")
                .put("input_tokens", 14_000)
                .put("output_tokens", 1_234)
                .put("cache_read_tokens", 6_000)
                .put("model_calls", 7)
                .put("tool_calls", 5)
                .put("model", "<b>gpt-5</b>")
                .put("provider", "openai");
        assertThat(administrator.post("/api/v1/agents/usage-1/outcomes", report).status())
                .isEqualTo(202);
    }

    private static void openUsage() {
        browser.element("#usage summary");
        browser.script("document.querySelector('#usage details').open = true");
        browser.element("[data-plot=tokens] canvas");
        browser.element("[data-plot=calls] canvas");
    }

    @ParameterizedTest
    @CsvSource({"1400,light", "1400,dark", "390,light", "390,dark"})
    void the_chart_of_an_agent_has_its_limit_and_is_accessible(int width, String theme) throws IOException {
        browser.resize(width, 900);
        system.enter(system.viewer());
        browser.element("header nav a");
        browser.script("localStorage.setItem('theme', arguments[0]); location.reload();", theme);
        browser.open("#/agents/usage-1");
        openUsage();
        browser.shows("the limit is 10,000, and 9,234 count in this hour");
        browser.shows("input\n14,000");
        browser.shows("from a cache\n6,000");
        assertThat(browser.element("[data-plot=tokens] .u-legend").getText()).contains("80 %", "limit");
        assertThat(browser.script("return document.documentElement.scrollWidth <= window.innerWidth"))
                .isEqualTo(true);
        browser.isAccessible();
        browser.click("30 days");
        browser.shows("Tokens by the day");
        browser.shows("input\n14,000");
        assertThat(browser.text()).doesNotContain("the limit is");
        assertThat(browser.complaints()).isEmpty();
        browser.script("localStorage.removeItem('theme')");
        browser.resize(1400, 900);
    }

    @Test
    void a_role_has_a_chart() throws IOException {
        system.enter(system.viewer());
        browser.open("#/pools");
        browser.element("button[aria-label='Availability of usage']").click();
        browser.element("[data-plot=tokens]");
        browser.shows("tool calls\n5");
        browser.isAccessible();
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void the_fleet_has_a_chart_and_a_table_of_models() throws IOException {
        system.enter(system.viewer());
        browser.open("#/");
        openUsage();
        browser.shows("By model, the last 24 hours");
        assertThat(browser.element("#usage table:not(.u-legend) tbody tr").getText())
                .isEqualTo("<b>gpt-5</b> 14,000 1,234 6,000 7 5 1");
        browser.isAccessible();
        assertThat(browser.complaints()).isEmpty();
    }
}
