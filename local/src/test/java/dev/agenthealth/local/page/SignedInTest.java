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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.WebElement;

/** People sign in on the page by an identity provider: a small one, or one that runs at {@code SIGN_IN_ISSUER}. */
@Tag("other-programs")
@ExtendWith(PageSystem.Resolver.class)
class SignedInTest {

    private static final String REAL = System.getenv().getOrDefault("SIGN_IN_ISSUER", "");

    private static Browser browser;
    private static SmallProvider provider;
    private static LocalSystem system;
    private static String before;

    @BeforeAll
    static void open(PageSystem started) throws IOException {
        browser = started.browser();
        provider = new SmallProvider();
        system = LocalSystem.start(LocalOptions.of(Template.find(), PageSystem.ADMINISTRATOR)
                .sweepPeriod(Duration.ofSeconds(1))
                .allowLoopbackEndpoints()
                .out(new PrintStream(OutputStream.nullOutputStream())));
        before = browser.switchTo(system.baseUrl());
        RegistryCaller administrator = new RegistryCaller(system.baseUrl(), PageSystem.ADMINISTRATOR);
        ObjectNode wanted = Json.object()
                .put("issuer", REAL.isEmpty() ? provider.issuer() : REAL)
                .put("client_id", SmallProvider.CLIENT);
        wanted.putArray("audiences").add(SmallProvider.CLIENT).add("urn:agent-health");
        wanted.putArray("grants")
                .addObject()
                .put("claim", "groups")
                .put("value", "platform")
                .put("role", "administrator");
        assertThat(administrator
                        .put("/v1/admin/identity-providers/acme", wanted)
                        .status())
                .isEqualTo(201);
        ObjectNode agent = Json.object().put("agent_id", "worker-1");
        agent.putObject("heartbeat_config")
                .put("interval_seconds", 600)
                .put("unhealthy_after_seconds", 1800)
                .put("dead_after_seconds", 3600);
        RegistryCaller owner = new RegistryCaller(
                system.baseUrl(),
                administrator
                        .post("/v1/admin/keys", Json.object().put("role", "agent"))
                        .json()
                        .path("api_key")
                        .asText());
        owner.post("/api/v1/agents", agent);
        assertThat(owner.post("/api/v1/agents/worker-1/heartbeat").status()).isEqualTo(200);
    }

    @AfterAll
    static void close() {
        if (system != null) {
            browser.switchTo(before);
            system.close();
        }
        if (provider != null) {
            provider.close();
        }
    }

    @BeforeEach
    void openSignedOut() {
        browser.open("");
        browser.script("sessionStorage.clear()");
        browser.open("?again");
        browser.complaints();
    }

    @Test
    void a_person_signs_in_drains_an_agent_and_signs_out() throws IOException, InterruptedException {
        browser.shows("Sign in by acme");
        browser.isAccessible();
        browser.open("#/agents/worker-1");
        signInAs("ada");
        browser.shows("ada (administrator)");
        browser.shows("worker-1");
        assertThat((String) browser.script("return location.search")).isEmpty();
        browser.click("Drain");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("Drain: done.");
        assertThat(browser.script("return JSON.stringify({...localStorage}) + document.cookie"))
                .as("no token outside of the session storage of the tab")
                .isEqualTo("{}");

        browser.open("#/audit");
        browser.shows("ada");
        browser.shows("status active → draining");
        browser.isAccessible();

        String refreshToken = session("refreshToken");
        browser.click("Sign out");
        browser.shows("You are signed out.");
        if (REAL.isEmpty()) {
            assertThat(provider.revoked.poll(10, TimeUnit.SECONDS)).isEqualTo(refreshToken);
        }
        browser.isAccessible();
        assertThat(browser.script("return Object.values(sessionStorage).join()"))
                .isEqualTo("");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void a_token_that_is_about_to_end_is_replaced() {
        signInAs("ada");
        browser.shows("ada (administrator)");
        String first = token();
        browser.tick(REAL.isEmpty() ? 280 : 20);
        browser.shows("ada (administrator)");
        assertThat(token()).isNotEqualTo(first).isNotEmpty();
        browser.script(
                "const s = JSON.parse(sessionStorage['agent-health-session']);"
                        + " sessionStorage['agent-health-session'] = JSON.stringify({...s, endsAt: 0, refreshToken: 'another'})");
        browser.tick(70);
        browser.shows("The session has ended. Sign in again.");
    }

    private static String token() {
        return session("token");
    }

    private static String session(String field) {
        return (String) browser.script("return JSON.parse(sessionStorage['agent-health-session'])." + field);
    }

    @Test
    void a_person_without_access_is_refused() {
        signInAs("bob");
        browser.shows("grants nothing to the holder of this token.");
        browser.shows("Sign in by acme");
    }

    @Test
    void an_answer_of_the_provider_that_the_tab_did_not_ask_for_is_refused() {
        browser.open("?code=stolen&state=foreign#/agents");
        browser.shows("This sign-in did not begin in this tab.");
        browser.open("?error=access_denied&state=foreign");
        browser.shows("This sign-in did not begin in this tab.");
        assertThat(browser.script("return Object.values(sessionStorage).join()"))
                .isEqualTo("");
    }

    /** Goes to the provider and through its pages until it comes back. */
    private static void signInAs(String name) {
        browser.click("Sign in by acme");
        WebElement login = browser.element("input[name=login]");
        login.sendKeys(name);
        browser.element("input[name=password]").sendKeys("any");
        browser.element("button[type=submit]").click();
        if (!REAL.isEmpty()) {
            browser.element("form button[autofocus]").click();
        }
        browser.element("#app");
    }
}
