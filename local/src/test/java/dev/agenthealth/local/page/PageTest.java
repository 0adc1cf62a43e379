package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page in a browser, against a local system with a small fleet. */
@Tag("other-programs")
class PageTest {

    private static final String ADMINISTRATOR = "test-administrator-key";
    private static final int AGENTS = 120;

    private static LocalSystem system;
    private static RegistryCaller administrator;
    private static String viewer;
    private static Browser browser;

    @BeforeAll
    static void open() throws IOException {
        system = LocalSystem.start(LocalOptions.of(Template.find(), ADMINISTRATOR)
                .sweepPeriod(Duration.ofSeconds(1))
                .out(new PrintStream(OutputStream.nullOutputStream())));
        browser = new Browser(system.baseUrl());
        administrator = new RegistryCaller(system.baseUrl(), ADMINISTRATOR);
        viewer = key("viewer");
        RegistryCaller owner = new RegistryCaller(system.baseUrl(), key("agent"));
        for (int i = 0; i < AGENTS; i++) {
            register(owner, "agent-" + i, i % 2 == 0 ? "billing" : "planner");
        }
        register(owner, "changing-1", "changing");
        register(owner, "changing-2", "changing");
    }

    /** Registers an agent that may be silent for as long as the tests take. */
    private static void register(RegistryCaller owner, String id, String role) {
        ObjectNode agent = Json.object().put("agent_id", id).put("role_id", role);
        agent.putObject("heartbeat_config")
                .put("interval_seconds", 600)
                .put("unhealthy_after_seconds", 1800)
                .put("dead_after_seconds", 3600);
        assertThat(owner.post("/api/v1/agents", agent).status()).isEqualTo(201);
        assertThat(owner.post("/api/v1/agents/" + id + "/heartbeat").status()).isEqualTo(200);
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
        if (system != null) {
            system.close();
        }
    }

    private static String key(String role) {
        return administrator
                .post("/v1/admin/keys", Json.object().put("role", role).put("name", role))
                .json()
                .path("api_key")
                .asText();
    }

    private static void enter(String key) {
        browser.resize(1400, 1000);
        browser.open("#/");
        browser.script("sessionStorage.clear(); localStorage.clear(); location.reload();");
        browser.complaints();
        browser.enter(key);
    }

    @Test
    void a_key_that_is_not_valid_is_refused_with_a_reason() {
        enter("no-such-key-0000000000");
        browser.shows("This key is not valid.");
        assertThat(browser.elements("header")).isEmpty();
    }

    @Test
    void a_viewer_sees_the_fleet_and_changes_nothing() {
        enter(viewer);
        browser.shows("billing");
        browser.shows("planner");
        assertThat(browser.complaints()).isEmpty();
        browser.open("#/agents/agent-7");
        browser.shows("Score: four dimensions");
        browser.shows("registered");
        assertThat(browser.elements("main button")).isEmpty();
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void the_list_holds_the_visible_rows_only_and_is_searched_filtered_and_sorted() {
        enter(viewer);
        browser.open("#/agents?role_id=billing");
        browser.shows("60 of 60 agents");
        assertThat(browser.elements("tbody tr:not(.spacer)").size()).isBetween(10, 50);
        browser.element("input[type=search]").sendKeys("agent-11");
        // agent-110, 112, 114, 116 and 118
        browser.shows("5 of 60 agents");
        browser.open("#/agents?role_id=planner&sort=agent_id&order=down");
        browser.shows("60 of 60 agents");
        assertThat(browser.element("tbody tr:not(.spacer) th").getText()).isEqualTo("agent-99");
        browser.script("document.querySelector('.virtual').scrollTop = 1e6");
        browser.element("tbody a[href='#/agents/agent-1']");
        browser.open("#/agents?verdict=blocked&role_id=nobody");
        browser.shows("No agent matches.");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void an_administrator_blocks_unblocks_and_drains_after_a_confirmation() {
        enter(ADMINISTRATOR);
        browser.open("#/agents/changing-1");
        browser.click("Block");
        browser.element("dialog[open] input[name=reason]").sendKeys("wrong answers");
        browser.click("Cancel");
        assertThat(blocked()).isFalse();
        browser.click("Block");
        browser.element("dialog[open] input[name=reason]").sendKeys("wrong answers");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("Blocked: wrong answers.");
        assertThat(blocked()).isTrue();
        browser.click("Unblock");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("Unblock: done.");
        assertThat(blocked()).isFalse();
        browser.click("Drain");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("Drain: done.");
        assertThat(administrator
                        .get("/api/v1/agents/changing-1")
                        .json()
                        .path("status")
                        .asText())
                .isIn("draining", "deregistered");
        assertThat(browser.complaints()).isEmpty();
    }

    private static boolean blocked() {
        return administrator
                .get("/v1/trust/agents/changing-1")
                .json()
                .path("blocked")
                .asBoolean();
    }

    @Test
    void a_change_of_the_fleet_is_shown_without_a_reload() {
        enter(viewer);
        browser.shows("Last hour");
        administrator.delete("/api/v1/agents/changing-2");
        browser.shows("deregistered:");
    }

    @Test
    void every_view_is_accessible_in_both_themes_and_on_a_phone() throws IOException {
        enter(ADMINISTRATOR);
        for (int[] size : new int[][] {{1400, 1000}, {400, 800}}) {
            browser.resize(size[0], size[1]);
            for (String theme : new String[] {"light", "dark"}) {
                browser.script("localStorage.setItem('theme', arguments[0]); location.reload();", theme);
                for (String view : new String[] {"#/", "#/agents", "#/agents/agent-7", "#/pools", "#/trust"}) {
                    browser.open(view);
                    browser.element("main h1");
                    browser.isAccessible();
                    assertThat(browser.script("return document.documentElement.scrollWidth <= window.innerWidth"))
                            .as(view + " fits into " + size[0] + " pixels")
                            .isEqualTo(true);
                }
            }
        }
        assertThat(browser.complaints()).isEmpty();
    }
}
