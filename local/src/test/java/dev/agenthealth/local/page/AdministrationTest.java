package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.testing.RegistryCaller;
import java.io.IOException;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an administrator sets up with the page. */
@Tag("other-programs")
@ExtendWith(PageSystem.Resolver.class)
class AdministrationTest {

    private static PageSystem system;
    private static Browser browser;
    private static RegistryCaller administrator;

    @BeforeAll
    static void open(PageSystem started) {
        system = started;
        browser = started.browser();
        administrator = started.administrator();
    }

    @BeforeEach
    void enter() {
        system.enter(PageSystem.ADMINISTRATOR);
        browser.shows("Checked");
    }

    @Test
    void a_key_is_issued_once_however_often_it_is_clicked_and_changed_rotated_and_revoked() {
        browser.open("#/keys");
        browser.fill("name", "billing team");
        browser.fill("role_ids", "not valid!");
        browser.element("select[name=role] option[value=viewer]").click();
        browser.click("Issue");
        browser.shows("What is marked is not valid.");
        assertThat(browser.element("[name=role_ids]").getAttribute("aria-invalid"))
                .isEqualTo("true");
        browser.fill("role_ids", "billing");
        browser.script("const button = document.querySelector('form .primary'); button.click(); button.click();");
        browser.shows("is shown this once");
        String secret = browser.element(".copied pre").getText();
        assertThat(new RegistryCaller(browser.baseUrl(), secret)
                        .get("/api/v1/me")
                        .json()
                        .path("role_ids")
                        .get(0)
                        .asText())
                .isEqualTo("billing");
        assertThat(named("billing team")).hasSize(1);
        browser.click("I have kept it");
        assertThat(browser.text()).doesNotContain(secret);

        browser.element("[aria-label='Change billing team']").click();
        browser.fill("name", "planner team");
        browser.fill("role_ids", "");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("billing team is changed.");
        assertThat(named("planner team").iterator().next().path("role_ids")).isEmpty();
        browser.element("summary[aria-label='More about planner team']").click();
        browser.element("[aria-label='Rotate planner team']").click();
        browser.fill("overlap_seconds", "0");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("is shown this once");
        assertThat(browser.element(".copied pre").getText()).startsWith("ahk_").isNotEqualTo(secret);
        browser.element("summary[aria-label='More about planner team']").click();
        browser.element("[aria-label='Revoke planner team']").click();
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("planner team is revoked.");
        assertThat(named("planner team")).isEmpty();
    }

    private static Iterable<JsonNode> named(String name) {
        return StreamSupport.stream(
                        administrator
                                .get("/v1/admin/keys?limit=100")
                                .json()
                                .path("keys")
                                .spliterator(),
                        false)
                .filter(key -> key.path("name").asText().equals(name))::iterator;
    }

    @Test
    void an_identity_provider_is_written_changed_and_deleted() throws IOException {
        browser.open("#/identity-providers");
        browser.click("New identity provider");
        browser.fill("name", "acme");
        browser.fill("issuer", "https://sso.example.com?tenant=1");
        browser.fill("audiences", "agent-health");
        browser.fill(
                "grants", """
                [{"claim":"groups","value":"ops","role":"root"}]\
                """);
        browser.click("Save");
        browser.shows("What is marked is not valid.");
        browser.shows("[0].role must be");
        assertThat(browser.element("[name=issuer]").getAttribute("aria-invalid"))
                .isEqualTo("true");
        browser.isAccessible();
        browser.fill("issuer", "https://sso.example.com");
        browser.fill("grants", "no JSON");
        browser.click("Save");
        browser.shows("is no JSON");
        browser.fill(
                "grants", """
                [{"claim":"groups","value":"ops","role":"viewer"}]\
                """);
        browser.click("Save");
        browser.shows("acme is written.");
        browser.element("[aria-label='Change acme']").click();
        browser.fill("client_id", "page");
        browser.click("Save");
        browser.shows("people and workloads");
        JsonNode stored = administrator.get("/v1/admin/identity-providers/acme").json();
        assertThat(stored.path("client_id").asText()).isEqualTo("page");
        assertThat(stored.at("/grants/0/role").asText()).isEqualTo("viewer");
        browser.element("[aria-label='Delete acme']").click();
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("acme is deleted.");
    }

    @Test
    void agents_are_stopped_after_a_confirmation_that_counts_and_released() throws IOException {
        browser.open("#/stops");
        browser.shows("No stop is in force.");
        browser.isAccessible();
        browser.fill("role_id", "nowhere");
        browser.fill("reason", "deletes invoices");
        browser.click("Stop …");
        browser.shows("0 agents and 0 running tasks are stopped");
        assertThat(administrator.get("/v1/admin/stop").json().path("stops")).isEmpty();
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("deletes invoices");
        assertThat(administrator.get("/v1/admin/stop").json().path("stops")).hasSize(1);
        browser.element("[aria-label='Lift the stop of role:nowhere']").click();
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("No stop is in force.");
    }

    @Test
    void a_stopped_agent_is_shown_as_stopped_and_offers_no_end_of_a_block() {
        system.register("stopped-one", "stopped-role", "");
        ObjectNode stop = Json.object().put("agent_id", "stopped-one").put("reason", "it deletes invoices");
        assertThat(administrator.post("/v1/admin/stop", stop).status()).isEqualTo(200);
        browser.open("#/agents/stopped-one");
        browser.shows("Stopped: it deletes invoices.");
        assertThat(browser.text()).doesNotContain("Unblock");
        browser.open("#/trust");
        browser.shows("until the stop is lifted");
        assertThat(administrator.delete("/v1/admin/stop?agent_id=stopped-one").status())
                .isEqualTo(200);
    }

    @Test
    void a_rule_observes_until_it_is_enforced() throws IOException {
        browser.open("#/containment");
        browser.shows("No rule contains agents.");
        browser.click("New rule");
        browser.isAccessible();
        browser.fill("name", "runaway");
        browser.fill("filter.roles", "nowhere");
        browser.click("Save");
        browser.shows("runaway is written, and observes.");
        browser.element("[aria-label='Show the agents of runaway']").click();
        browser.shows("It found no agent.");
        browser.isAccessible();
        browser.element("[aria-label='Enforce runaway']").click();
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("runaway is enforced.");
        JsonNode rule = administrator.get("/v1/admin/containment/runaway").json();
        assertThat(rule.path("mode").asText()).isEqualTo("enforce");
        assertThat(rule.at("/filter/roles/0").asText()).isEqualTo("nowhere");
        assertThat(rule.at("/when/reasons/0").asText()).isEqualTo("looping");
        assertThat(administrator.delete("/v1/admin/containment/runaway").status())
                .isEqualTo(204);
    }

    @Test
    void a_workflow_is_written_and_a_change_by_another_is_not_overwritten() {
        browser.open("#/workflows");
        browser.click("New workflow");
        browser.fill("name", "checkout");
        browser.fill("agents", "agents: {cashier: {pool: {min_instances: -1}}}");
        browser.click("Save");
        browser.shows("cashier.pool.min_instances must be");
        browser.fill("agents", "agents: {cashier: {pool: {min_instances: 2}, capabilities: [pay]}}");
        browser.click("Save");
        browser.shows("checkout is written.");
        browser.element("[aria-label='Change checkout']").click();
        assertThat(browser.element("textarea").getAttribute("value"))
                .contains("  cashier:\n", "capabilities: [\"pay\"]\n", "min_instances: 2\n");
        administrator.put(
                "/api/v1/workflows/checkout",
                Json.object().set("agents", Json.object().set("cashier", Json.object())));
        browser.click("Save");
        browser.shows("It was changed meanwhile.");
        browser.click("Read it again");
        browser.vanishes("main .failure");
        browser.click("Save");
        browser.shows("checkout is written.");
        browser.element("[aria-label='Delete checkout']").click();
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("checkout is deleted.");
    }

    @Test
    void the_configuration_is_changed_unless_another_changed_it_meanwhile() {
        browser.open("#/configuration");
        browser.fill("mass_silence.silent_percent", "200");
        browser.click("Save");
        browser.shows("What is marked is not valid.");
        browser.fill("mass_silence.silent_percent", "66");
        browser.click("Save");
        browser.shows("It applies within a minute.");
        ObjectNode read =
                (ObjectNode) administrator.get("/v1/admin/configuration").json();
        assertThat(read.path("mass_silence").path("silent_percent").asInt()).isEqualTo(66);
        administrator.put("/v1/admin/configuration", read.put("max_agents_per_key", 20_001));
        browser.fill("mass_silence.silent_percent", "55");
        browser.click("Save");
        browser.shows("The configuration was changed meanwhile.");
    }

    @Test
    void slash_leads_to_the_search_and_a_click_anywhere_in_a_row_to_its_agent() {
        browser.press("/");
        assertThat(browser.script("return location.hash + document.activeElement.type"))
                .isEqualTo("#/agentssearch");
        browser.press("agent-17");
        browser.shows("1 of ");
        browser.element("tbody tr[data-agent=agent-17] td:nth-child(3)").click();
        browser.shows("Score: four dimensions");
        assertThat(browser.script("return location.hash")).isEqualTo("#/agents/agent-17");
    }
}
