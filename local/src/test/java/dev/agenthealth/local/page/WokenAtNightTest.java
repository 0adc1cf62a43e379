package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Somebody is woken by a message, and deals with the problem on the page alone. */
@Tag("other-programs")
@ExtendWith(PageSystem.Resolver.class)
class WokenAtNightTest {

    private static PageSystem system;
    private static Browser browser;

    @BeforeAll
    static void open(PageSystem started) {
        system = started;
        browser = started.browser();
    }

    @Test
    void a_problem_is_understood_acknowledged_and_dealt_with_from_the_link_of_its_message() throws IOException {
        system.enter(PageSystem.ADMINISTRATOR);
        JsonNode reported = system.messages().next().path("events").path(0);
        assertThat(reported.path("url").asText()).startsWith(browser.baseUrl() + "/#");
        browser.open(reported.path("url").asText().replaceFirst(".*/#", "#"));
        browser.isAccessible();
        browser.element("main .problems a[href='#/problems/"
                        + reported.path("problem_id").asText() + "']")
                .click();
        JsonNode problem = problem("");
        assertThat(reported.path("problem_id")).isEqualTo(problem.path("problem_id"));
        browser.shows(problem.path("reason").asText());
        browser.shows("Why " + PageSystem.FAILING + " is down");
        browser.shows("health unknown → unhealthy");
        browser.isAccessible();

        browser.click("Acknowledge");
        browser.fill("note", "looking at the model");
        browser.isAccessible();
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("taken care of by administrator");
        browser.shows("looking at the model");
        browser.click("Block");
        browser.fill("reason", "answers are wrong");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("Blocked by administrator: answers are wrong.");
        browser.element(".menu summary").click();
        browser.click("Silence");
        browser.fill("reason", "repair");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("Silence: done.");
        browser.open("#/silences");
        browser.shows("repair");
        browser.click("End");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("has ended.");

        browser.open("#/agents/" + PageSystem.FAILING);
        browser.shows("taken care of by administrator");
        browser.shows("owner agent");
        browser.click("Unblock");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("Unblock: done.");
        browser.element("summary[aria-label='More about " + PageSystem.FAILING + ", fails']")
                .click();
        browser.element("[aria-label='Dismiss: " + PageSystem.FAILING + ", fails']")
                .click();
        browser.fill("note", "another model");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("Dismiss: done.");
        browser.open("#/problems?state=resolved,dismissed");
        browser.shows("dismissed by administrator");
        browser.isAccessible();
        assertThat(problem("&state=all").path("state").asText()).isEqualTo("dismissed");
        assertThat(browser.complaints()).isEmpty();
    }

    private static JsonNode problem(String filter) {
        for (JsonNode problem : system.administrator()
                .get("/api/v1/problems?agent_id=" + PageSystem.FAILING + filter)
                .json()
                .path("problems")) {
            if (problem.path("kind").asText().equals("health")) {
                return problem;
            }
        }
        throw new AssertionError("no such problem");
    }
}
