package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/** The page as a place to work: search everywhere, keys, several agents at once, events, and the status page. */
@Tag("other-programs")
@ExtendWith(PageSystem.Resolver.class)
class PageWorkTest {

    private static PageSystem system;
    private static Browser browser;

    @BeforeAll
    static void open(PageSystem started) {
        system = started;
        browser = started.browser();
    }

    private static void enter() {
        system.enter(PageSystem.ADMINISTRATOR);
        browser.element("header nav a");
    }

    @Test
    void the_search_finds_agents_roles_and_pages_and_is_accessible() throws IOException {
        enter();
        browser.press(Keys.chord(Keys.CONTROL, "k"));
        browser.press("agent-17");
        browser.shows("agent-17");
        browser.isAccessible();
        browser.element("#found-0[aria-selected=true] .badge");
        browser.press(Keys.ENTER);
        browser.shows("Score: four dimensions");
        assertThat(browser.script("return location.hash")).isEqualTo("#/agents/agent-17");
        browser.press(Keys.chord(Keys.CONTROL, "k"));
        browser.press("configur", Keys.ENTER);
        browser.vanishes("dialog");
        assertThat(browser.script("return location.hash")).isEqualTo("#/configuration");
    }

    @Test
    void keys_are_shown_and_move_through_rows() throws IOException {
        enter();
        browser.open("#/agents?role_id=billing&sort=agent_id");
        browser.shows("60 of 60 agents");
        browser.press("?");
        browser.shows("acknowledge the problem of the row");
        browser.isAccessible();
        browser.press(Keys.ESCAPE);
        browser.vanishes("dialog");
        browser.press("j");
        assertThat(browser.focused()).isEqualTo("agent-0");
        browser.press("j");
        assertThat(browser.focused()).isEqualTo("agent-10");
        browser.press("k");
        assertThat(browser.focused()).isEqualTo("agent-0");
        browser.press(Keys.ENTER);
        browser.shows("Score: four dimensions");
    }

    @Test
    void rows_show_the_last_day_and_columns_are_chosen() {
        enter();
        browser.open("#/agents?role_id=billing");
        browser.element("tr[data-agent] svg.day[aria-label^='Last 24 hours: up']");
        browser.element("summary[aria-label=Columns]").click();
        browser.element(".menu[open] label:nth-child(2) input").click();
        browser.vanishes("svg.day");
        assertThat(browser.elements("thead .c-day")).isEmpty();
    }

    @Test
    void several_agents_are_silenced_and_deleted_after_a_confirmation_that_counts_them() throws IOException {
        system.register("bulk-1", "bulk", "");
        system.register("bulk-2", "bulk", "");
        enter();
        browser.open("#/agents?role_id=bulk");
        browser.shows("2 of 2 agents");
        browser.element("thead input[type=checkbox]").click();
        browser.shows("2 selected");
        browser.isAccessible();
        browser.click("Silence");
        browser.shows("bulk-1, bulk-2");
        browser.element("dialog[open][aria-label='Silence 2 agents'] button[value=yes]")
                .click();
        browser.shows("Silence: done for 2 of 2 agents.");
        browser.element("tr[data-agent=bulk-2] input").click();
        browser.shows("1 selected");
        browser.click("Delete");
        browser.element("dialog[open][aria-label='Delete 1 agent'] button[value=yes]")
                .click();
        browser.shows("1 of 1 agent");
        assertThat(system.administrator().get("/api/v1/agents/bulk-1").status()).isEqualTo(200);
    }

    @Test
    void events_are_filtered_and_new_ones_appear() {
        enter();
        browser.open("#/events?role_id=live");
        browser.shows("Nothing happened.");
        system.register("live-1", "live", "");
        browser.refreshesUntilItShows("live-1");
        browser.open("#/events?role_id=live&severity=error");
        browser.shows("Nothing happened.");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void an_administrator_publishes_the_status_page_with_a_badge() throws IOException {
        enter();
        browser.open("#/status-page");
        browser.shows("What is published");
        browser.element("details.fold summary").click();
        browser.click("Add an entry");
        browser.isAccessible();
        browser.script(
                "const form = document.querySelector('.entry').form; const set = (name, value) => { form.elements[name].value = value; };"
                        + "set('title', 'Our agents'); set('path', 'ours'); form.elements.published.checked = true; set('entries[0].label', 'Invoices');"
                        + "set('entries[0].name', 'invoices'); set('entries[0].id', 'billing'); form.requestSubmit();");
        browser.shows("The page is published.");
        assertThat(system.administrator().get("/status/ours/summary").body())
                .contains("Invoices")
                .doesNotContain("billing");
        browser.open("status/ours/badges/invoices");
        assertThat(browser.element("svg").getAttribute("aria-label")).startsWith("Invoices: ");
    }
}
