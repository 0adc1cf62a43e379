package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The lists of administrators are filtered by words and by states, and the address keeps the filters. */
@Tag("other-programs")
@ExtendWith(PageSystem.Resolver.class)
class ListFiltersTest {

    private static final int THINGS = 6;

    private static PageSystem system;
    private static Browser browser;

    @BeforeAll
    static void open(PageSystem started) {
        system = started;
        browser = started.browser();
        String owner = key("agent", "owner");
        for (int i = 0; i < THINGS; i++) {
            ObjectNode silence = Json.object().put("for_seconds", 3_600);
            silence.putObject("scope").put(i == 0 ? "role_id" : "agent_id", "filtered-" + i);
            write("/v1/admin/silences/filtered-" + i, silence);
            ObjectNode rule = Json.object();
            rule.putArray("events").add("agent.lifecycle");
            rule.putObject("target")
                    .put("type", i == 0 ? "discord" : "slack")
                    .put("url", i == 0 ? "https://discord.com/api/webhooks/1/x" : "https://hooks.slack.com/services/x");
            write("/v1/admin/notifications/filtered-" + i, rule);
            key(i == 0 ? "viewer" : "agent", "filtered-" + i);
            write(
                    "/v1/admin/sources/filtered-" + i,
                    Json.object()
                            .put("url", "https://filtered-" + i + ".example/cards")
                            .put("key_id", owner)
                            .put("kind", "a2a_card"));
        }
    }

    private static String key(String role, String name) {
        return system.administrator()
                .post("/v1/admin/keys", Json.object().put("role", role).put("name", name))
                .json()
                .path("key_id")
                .asText();
    }

    private static void write(String path, ObjectNode body) {
        assertThat(system.administrator().put(path, body).status()).as(path).isLessThan(300);
    }

    @Test
    void keys_are_filtered_by_role_and_name() throws IOException {
        filter("keys", "Role", "viewer", "filtered-0");
    }

    @Test
    void silences_are_filtered_by_what_they_are_about() throws IOException {
        filter("silences", "About", "a role", "filtered-0");
    }

    @Test
    void notifications_are_filtered_by_their_target() throws IOException {
        filter("notifications", "To", "Discord", "filtered-0");
    }

    @Test
    void sources_are_filtered_by_their_state() throws IOException {
        filter("sources", "State", "not read yet", "filtered-0");
    }

    /** Searches for a word, reads the filters from the address again, and adds a choice. */
    private static void filter(String view, String label, String choice, String found) throws IOException {
        system.enter(PageSystem.ADMINISTRATOR);
        browser.open("#/" + view);
        browser.element("main .filters input[type=search]").sendKeys("filtered-");
        browser.shows(THINGS + " of ");
        assertThat(browser.script("return location.hash")).isEqualTo("#/" + view + "?q=filtered-");
        browser.element("main .filters input[type=search]").sendKeys("0");
        browser.shows("1 of ");
        browser.open("#/" + view + "?q=filtered-");
        browser.shows(THINGS + " of ");
        WebElement select = browser.elements("main .filters label").stream()
                .filter(one -> one.getText().startsWith(label))
                .findFirst()
                .orElseThrow()
                .findElement(By.tagName("select"));
        select.sendKeys(choice);
        assertThat((String) browser.script("return location.hash")).contains("?q=filtered-&");
        assertThat(names()).contains(found);
        browser.isAccessible();
        browser.open("#/" + view + "?q=none-of-them");
        browser.shows("None matches.");
    }

    private static List<String> names() {
        return browser.elements("main .things strong").stream()
                .map(WebElement::getText)
                .toList();
    }
}
