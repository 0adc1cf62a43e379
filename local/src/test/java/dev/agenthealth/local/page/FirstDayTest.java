package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The first day of a registry, with the page alone: from no agent to a notification that arrives. */
@Tag("other-programs")
@ExtendWith(PageSystem.Resolver.class)
class FirstDayTest {

    private static Browser browser;
    private static LocalSystem empty;
    private static String before;

    @BeforeAll
    static void open(PageSystem started) throws IOException {
        browser = started.browser();
        empty = LocalSystem.start(LocalOptions.of(Template.find(), PageSystem.ADMINISTRATOR)
                .sweepPeriod(Duration.ofSeconds(1))
                .allowLoopbackEndpoints()
                .out(new PrintStream(OutputStream.nullOutputStream())));
        before = browser.switchTo(empty.baseUrl());
    }

    @AfterAll
    static void close() {
        if (empty != null) {
            browser.switchTo(before);
            empty.close();
        }
    }

    @Test
    void an_empty_registry_leads_from_a_key_to_a_notification_that_arrives() throws IOException {
        browser.open("#/");
        browser.complaints();
        browser.enter(PageSystem.ADMINISTRATOR);
        browser.shows("Waiting for an agent");
        browser.isAccessible();
        browser.click("Issue a key");
        browser.shows("is shown this once");
        String key = browser.element(".copied pre").getText();
        for (String language : List.of("Python", "Java", "TypeScript", "OpenTelemetry", "curl")) {
            browser.click(language);
            browser.element("[aria-label='Copy the " + language + " example']");
            assertThat(browser.elements(".copied pre").get(1).getText()).contains(empty.baseUrl(), key);
        }
        browser.isAccessible();
        assertThat(browser.script(
                        "return JSON.stringify([{...localStorage}, {...sessionStorage}, location.href]).includes(arguments[0])",
                        key))
                .as("the page keeps the issued key nowhere")
                .isEqualTo(false);
        RegistryCaller agent = new RegistryCaller(empty.baseUrl(), key);
        agent.post("/api/v1/agents", Json.object().put("agent_id", "my-agent"));
        browser.shows("my-agent is registered. Waiting for its heartbeat");
        agent.post("/api/v1/agents/my-agent/heartbeat");
        browser.shows("my-agent is alive.");
        browser.isAccessible();
        browser.element("a[href='#/notifications']").click();
        ruleReportsTestAndFailure(agent);
        browser.open("#/");
        browser.refreshesUntilItShows("Scores and lifecycle");
        assertThat(browser.complaints()).allMatch(complaint -> complaint.contains("400 (Bad Request)"));
    }

    private static void ruleReportsTestAndFailure(RegistryCaller agent) throws IOException {
        try (MessageReceiver receiver = new MessageReceiver()) {
            browser.shows("No rule: no notifications are sent.");
            browser.click("New rule");
            browser.fill("name", "on call");
            browser.element("select[name='target.type'] option[value=webhook]").click();
            browser.fill("target.url", receiver.url());
            browser.element("select[name='target.format'] option[value=cloudevents_structured]")
                    .click();
            browser.fill("group_seconds", "5");
            browser.click("Save");
            browser.shows("must be 1 to 64 characters");
            assertThat(browser.element("[name=name]").getAttribute("aria-invalid"))
                    .isEqualTo("true");
            browser.isAccessible();
            browser.fill("name", "on-call");
            browser.click("Save");
            browser.shows("on-call is written.");
            assertThat(browser.element(".copied pre").getText()).startsWith("whsec_");
            assertThat(new RegistryCaller(empty.baseUrl(), PageSystem.ADMINISTRATOR)
                            .get("/v1/admin/notifications/on-call")
                            .body())
                    .contains("\"format\":\"cloudevents_structured\"");
            browser.click("Test");
            browser.shows("The test message of on-call was delivered.");
            browser.isAccessible();
            assertThat(receiver.next().path("test").asBoolean()).isTrue();
            PageSystem.fail(agent, "my-agent");
            JsonNode message = receiver.next();
            assertThat(message.path("test").asBoolean()).isFalse();
            JsonNode event = message.path("events").path(0);
            assertThat(event.path("summary").asText()).startsWith("Agent my-agent ");
            browser.open(event.path("url").asText().replaceFirst(".*/#", "#"));
            assertThat(browser.element("main .problems li a").getText()).isEqualTo("my-agent");
        }
    }
}
