package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.local.testing.RegistryCaller;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page in a browser, against a local system with a small fleet. */
@Tag("other-programs")
@ExtendWith(PageSystem.Resolver.class)
class PageTest {

    private static PageSystem system;
    private static Browser browser;
    private static RegistryCaller administrator;

    @BeforeAll
    static void open(PageSystem started) {
        system = started;
        browser = started.browser();
        administrator = started.administrator();
        system.register("changing-1", "changing", "");
        system.register("changing-2", "changing", "");
    }

    private static void enter(String key) {
        system.enter(key);
    }

    @Test
    void a_key_that_is_not_valid_is_refused_with_a_reason() {
        enter("no-such-key-0000000000");
        browser.shows("This key is not valid.");
        assertThat(browser.elements("header")).isEmpty();
    }

    @Test
    void a_key_in_the_address_opens_the_page_and_is_taken_out_of_the_address() {
        enter("no-such-key-0000000000");
        browser.open("#key=" + system.viewer());
        browser.shows("(viewer)");
        assertThat(browser.script("return location.hash")).isEqualTo("#/");
        assertThat(browser.script("return sessionStorage.getItem('agent-health-key')"))
                .isEqualTo(system.viewer());
    }

    @Test
    void a_key_that_is_kept_on_this_device_opens_links_in_other_tabs_until_one_signs_out() {
        enter("no-such-key-0000000000");
        browser.shows("This key is not valid.");
        browser.element("input[name=keep]").click();
        browser.fill("key", system.viewer());
        browser.click("Open");
        browser.shows("(viewer)");
        assertThat(browser.script("return sessionStorage.getItem('agent-health-key')"))
                .isNull();
        // Another tab has a session storage of its own.
        browser.open("#/pools");
        browser.script("sessionStorage.clear(); location.reload();");
        browser.shows("Agents by role");
        assertThat(browser.script("return location.hash")).isEqualTo("#/pools");
        browser.script("new BroadcastChannel('agent-health').postMessage('signed out')");
        browser.shows("You signed out in another tab.");
        assertThat(browser.script("return localStorage.getItem('agent-health-key')"))
                .isNull();
    }

    @Test
    void a_viewer_sees_the_fleet_and_changes_nothing() {
        enter(system.viewer());
        browser.shows("billing");
        browser.shows("planner");
        assertThat(browser.complaints()).isEmpty();
        browser.open("#/agents/agent-7");
        browser.shows("Score: four dimensions");
        browser.shows("registered");
        assertThat(browser.elements("main .actions button"))
                .extracting(button -> button.getAttribute("textContent"))
                .containsExactly("Copy curl");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void the_overview_names_the_worst_problems_and_shows_the_scores() {
        enter(system.viewer());
        browser.refreshesUntilItShows("Fails in most of its executions.");
        assertThat(browser.element(".problems li.error a").getText()).isIn("agent-1", PageSystem.FAILING);
        assertThat(browser.element(".problems li.error .badge").getText()).isEqualTo("fails");
        assertThat(Integer.parseInt(browser.element("nav .count").getText())).isPositive();
        assertThat((String) browser.script("return document.title")).matches("\\(\\d+\\) Fleet · Agent Health");
        assertThat((String) browser.script("return document.querySelector('link[rel=icon]').href"))
                .endsWith("icon-alert.svg");
        assertThat(browser.element("h1").getText()).matches("2 of \\d+ agents are down");
        assertThat(browser.element("svg.histogram").getAttribute("aria-label"))
                .matches("Agents by score: 2 from \\d+ to \\d+");
        assertThat(browser.elements("svg.histogram rect.Unhealthy")).hasSize(1);
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void a_pool_shows_its_availability_and_versions() throws IOException {
        enter(system.viewer());
        browser.open("#/pools");
        browser.element("button[aria-label='Availability of billing']").click();
        browser.shows("of the known time of the last 24 hours");
        browser.shows("Incidents as CSV");
        browser.shows("No agent of this role named its version with an execution.");
        browser.element("button[aria-label='Availability of planner']").click();
        browser.shows("Versions of the last 7 days");
        browser.shows("2.4.1");
        browser.isAccessible();
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void the_list_holds_the_visible_rows_only_and_is_searched_filtered_and_sorted() {
        enter(system.viewer());
        browser.open("#/agents?role_id=billing");
        browser.shows("60 of 60 agents");
        assertThat(browser.elements("tbody tr:not(.spacer)").size()).isBetween(10, 50);
        browser.element("input[type=search]").sendKeys("agent-11");
        // agent-110, 112, 114, 116 and 118
        browser.shows("5 of 60 agents");
        browser.open("#/agents?role_id=planner&sort=agent_id&order=down");
        browser.shows("60 of 60 agents");
        assertThat(browser.element("tbody tr:not(.spacer) th").getText()).isEqualTo("agent-99");
        browser.script("window.scrollTo(0, 1e6)");
        browser.element("tbody a[href='#/agents/agent-1']");
        browser.open("#/agents?verdict=blocked&role_id=nobody");
        browser.shows("No agent matches.");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void an_administrator_blocks_unblocks_restarts_and_drains_after_a_confirmation() {
        enter(PageSystem.ADMINISTRATOR);
        browser.open("#/agents/changing-1");
        browser.click("Block");
        browser.element("dialog[open] input[name=reason]").sendKeys("wrong answers");
        browser.click("Cancel");
        assertThat(blocked()).isFalse();
        browser.click("Block");
        browser.element("dialog[open] input[name=reason]").sendKeys("wrong answers");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("Blocked by administrator: wrong answers.");
        assertThat(blocked()).isTrue();
        browser.click("Unblock");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("Unblock: done.");
        assertThat(blocked()).isFalse();
        browser.clickMore("Restart");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("Restart: done.");
        browser.clickMore("Withdraw the restart");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("Withdraw the restart: done.");
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
        enter(system.viewer());
        browser.shows("Checked");
        browser.tick(10);
        administrator.delete("/api/v1/agents/changing-2");
        browser.refreshesUntilItShows(": changing-2 ");
        assertThat(browser.element("p.hidden[role=status]").getAttribute("textContent"))
                .contains("change", ": changing-2 ");
    }

    @Test
    void every_view_is_accessible_and_on_a_phone_in_the_dark_theme() throws IOException {
        everyViewIsAccessible(1400, 1000, "light");
        everyViewIsAccessible(400, 800, "dark");
    }

    @Test
    @Tag("exhaustive")
    void every_view_is_accessible_in_the_dark_theme_and_on_a_phone_in_the_light_one() throws IOException {
        everyViewIsAccessible(1400, 1000, "dark");
        everyViewIsAccessible(400, 800, "light");
    }

    private void everyViewIsAccessible(int width, int height, String theme) throws IOException {
        browser.resize(width, height);
        enter(PageSystem.ADMINISTRATOR);
        browser.element("header nav a");
        List<String> views = new ArrayList<>(List.of("#/agents/agent-7"));
        browser.elements("header nav a").forEach(link -> views.add(link.getDomAttribute("href")));
        browser.open("#/keys");
        browser.element("main .tabs a");
        browser.elements("main .tabs a").stream()
                .map(link -> link.getDomAttribute("href"))
                .filter(view -> !views.contains(view))
                .forEach(views::add);
        Set<Object> titles = new HashSet<>();
        browser.script("localStorage.setItem('theme', arguments[0]); location.reload();", theme);
        for (String view : views) {
            browser.open(view);
            browser.element("main h1");
            browser.isAccessible();
            assertThat(browser.script("return document.documentElement.scrollWidth <= window.innerWidth"))
                    .as(view + " fits into " + width + " pixels")
                    .isEqualTo(true);
            titles.add(browser.script("return document.title"));
        }
        assertThat(titles).as("every view has a title of its own").hasSameSizeAs(views);
        assertThat(browser.complaints()).isEmpty();
    }
}
