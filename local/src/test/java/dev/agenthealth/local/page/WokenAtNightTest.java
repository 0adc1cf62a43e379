package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.testing.RegistryCaller;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        JsonNode reported = system.messages().about(PageSystem.FAILING);
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

    @ParameterizedTest
    @ValueSource(ints = {1400, 390})
    void the_night_of_an_operator_from_the_message_to_the_incident_for_outsiders(int width) throws IOException {
        String agent = "night-" + width;
        assertThat(system.administrator()
                        .put(
                                "/api/v1/status-page",
                                Json.object()
                                        .put("path", "night-page-" + width)
                                        .put("title", "Our agents")
                                        .put("published", true))
                        .status())
                .isEqualTo(200);
        system.register(agent, "night", "");
        PageSystem.fail(new RegistryCaller(browser.baseUrl(), system.owner()), agent);
        JsonNode reported = system.messages().about(agent);
        system.enter(PageSystem.ADMINISTRATOR);
        browser.element("header nav a");
        browser.resize(width, 844);
        browser.open(reported.path("url").asText().replaceFirst(".*/#", "#"));
        browser.element("main .problems a[href='#/problems/"
                        + reported.path("problem_id").asText() + "']")
                .click();
        browser.shows("Why " + agent + " is down");
        fits();

        browser.click("Acknowledge");
        browser.fill("note", "rolling back the deployment");
        confirm();
        browser.shows("rolling back the deployment");
        browser.click("Drain");
        confirm();
        browser.shows("Drain: done.");
        browser.element("main .menu summary").click();
        browser.click("Silence");
        browser.fill("reason", "deployment");
        confirm();
        browser.shows("Silence: done.");

        browser.open("#/events?agent_id=" + agent);
        browser.refreshesUntilItShows("draining");
        browser.shows("health unknown → unhealthy");
        fits();

        browser.open("#/status-page");
        browser.fill("title", "Answers are wrong " + width);
        browser.fill("text", "We are rolling back.");
        browser.click("Publish the incident");
        browser.shows("The incident is published.");
        fits();
        browser.open("status/night-page-" + width);
        browser.shows("Answers are wrong " + width);
        browser.shows("We are rolling back.");
        assertThat(browser.text()).doesNotContain(agent);
        browser.isAccessible();
        assertThat(browser.complaints()).isEmpty();
    }

    private static void confirm() {
        browser.element("dialog[open] button[value=yes]").click();
    }

    private static void fits() throws IOException {
        browser.isAccessible();
        assertThat(browser.script("return document.documentElement.scrollWidth <= window.innerWidth"))
                .isEqualTo(true);
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
