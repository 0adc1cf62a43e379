package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.testing.RegistryCaller;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.WebElement;

/** Each number of the page says what it counts, each word has one meaning, and a refused view shows the refusal alone. */
@Tag("other-programs")
@ExtendWith(PageSystem.Resolver.class)
class NumbersAndWordsTest {

    private static final List<String> ADMINISTRATORS = List.of(
            "keys", "identity-providers", "notifications", "stops", "containment", "sources", "configuration", "audit");

    private static PageSystem system;
    private static Browser browser;

    @BeforeAll
    static void open(PageSystem started) {
        system = started;
        browser = started.browser();
    }

    @AfterEach
    void reset() {
        browser.script("window.answers = {}");
        browser.resize(1400, 1000);
    }

    private static void enter(String key) {
        system.enter(key);
        browser.shows("Checked");
    }

    @Test
    void a_view_of_administrators_shows_others_the_refusal_alone_and_keeps_them_signed_in() throws IOException {
        for (String key : List.of(system.viewer(), system.key("coordinator"))) {
            enter(key);
            for (String view : ADMINISTRATORS) {
                browser.script("window.sent.length = 0");
                browser.open("#/" + view);
                browser.shows("Only an administrator may see this view.");
                assertThat(browser.elements("main form, main .tabs, main button"))
                        .as(view)
                        .isEmpty();
                browser.tick(0);
                assertThat((List<?>) browser.script("return window.sent.map(sent => sent.request)"))
                        .as(view)
                        .noneMatch(request -> String.valueOf(request).matches("GET /(v1/admin|_local)/.*"));
            }
            browser.isAccessible();
            browser.open("#/workflows");
            browser.shows("Workflows");
            browser.element("header .user");
        }
    }

    @Test
    void an_unknown_address_is_called_unknown() {
        enter(system.viewer());
        for (String address : List.of("#/nonsense", "#/pools/nonsense")) {
            browser.open(address);
            browser.shows("The page has no view " + address + ".");
        }
        browser.element("main a[href='#/']").click();
        browser.shows("Checked");
    }

    @Test
    void problems_are_counted_and_not_their_rows() {
        enter(system.viewer());
        String problem =
                """
                { problem_id: '%1$s', kind: 'health', state: '%2$s', severity: 'error', title: '%3$s', label: 'fails', reason: 'Fails.', summary: 'Fails.',
                  opened_at: '2026-02-08T10:00:00Z', occurrences: 2, acknowledgement: { by: 'x', until: '2126-02-08T10:00:00Z' } }
                """;
        browser.answer(
                "/api/v1/problems",
                "{ status: 200, body: { problems: ["
                        + String.join(
                                ",",
                                problem.formatted("one", "open", "agent-1"),
                                problem.formatted("two", "open", "agent-1"),
                                problem.formatted("three", "acknowledged", "agent-2"))
                        + "] } }");
        browser.open("#/problems");
        browser.shows("Problems: 2 open, 1 acknowledged");
        browser.shows("The problems of one agent, pool or provider are in one row: 2 rows.");
        assertThat(browser.elements("main .problems > li")).hasSize(2);
        browser.resize(500, 900);
        assertThat(browser.script(
                        "return getComputedStyle(document.querySelector('.problems .age small'), '::before').content"))
                .isEqualTo("\" · \"");
    }

    @Test
    void kinds_of_events_add_up_to_all_events_the_worst_first() {
        enter(system.viewer());
        // An event is in the feed a moment after its cause.
        Instant end = Instant.now().plusSeconds(60);
        while (browser.elements(".chips .badge.bad").isEmpty() && Instant.now().isBefore(end)) {
            browser.tick(1);
        }
        List<WebElement> chips = browser.elements(".chips .badge");
        long events = Long.parseLong(browser.element(".chips small").getText().replaceAll("[^0-9]", ""));
        assertThat(chips.stream()
                        .mapToLong(chip -> Long.parseLong(chip.getText().replaceAll("[^0-9]", "")))
                        .sum())
                .isEqualTo(events);
        assertThat(chips.get(0).getAttribute("class")).contains("bad");
        assertThat(chips.stream().map(WebElement::getText)).noneMatch(text -> text.contains("unhealthy"));
    }

    @Test
    void agents_without_a_score_are_counted_too_and_the_history_says_what_its_numbers_are() {
        enter(system.viewer());
        browser.answer(
                "/api/v1/health",
                "{merge: {agents: 12, as_of: '2126-02-08T10:00:00Z', by_state: {Healthy: 3, Degraded: 2, Unhealthy: 0, Inactive: 6}}}");
        browser.answer(
                "/api/v1/health/history",
                "{ status: 200, body: { points: [7200, 1].map(age => ({ at: new Date(Date.now() - 1000 * age).toISOString(), by_verdict: { degraded: 2.2 } })) } }");
        browser.open("#/agents");
        browser.shows("agents, read");
        browser.open("#/");
        browser.shows("of 12 agents are");
        browser.script("document.querySelectorAll('main details.fold').forEach(one => { one.open = true; })");
        browser.shows("dead, without a score");
        assertThat(browser.element("a[href='#/agents?status=dead'] + b").getText())
                .isEqualTo("1");
        browser.shows("degraded: 0 now, highest mean of an hour 2.2");
    }

    @Test
    void one_agent_is_no_plural() throws IOException {
        enter(PageSystem.ADMINISTRATOR);
        browser.answer(
                "/v1/admin/containment",
                """
                { status: 200, body: { rules: [{ name: 'one', mode: 'observe', action: 'block', filter: { roles: [] }, when: { reasons: ['looping'], for_seconds: 0 },
                  would_act_agents: 1, acted_agents: 0, held_back: { agents: 1, since: '2026-02-08T10:00:00Z', guard: 'pool_minimum' } }] } }
                """);
        browser.open("#/containment");
        browser.shows("it would have acted on 1 agent, and acted on 0.");
        browser.shows("Held back 1 agent ");
        browser.isAccessible();
    }

    @Test
    void a_pool_says_how_many_of_its_active_agents_are_down() throws IOException {
        enter(system.viewer());
        browser.answer(
                "/api/v1/health",
                "{merge: {groups: {role: {support: {agents: 3, by_verdict: {ok: 0, degraded: 0, unknown: 0, down: 2, blocked: 1}}}}}}");
        browser.answer(
                "/api/v1/pools",
                """
                { status: 200, body: { pools: [
                  { role_id: 'support', by_status: { active: { members: 3 } }, min_instances: 2, below_minimum: false, capacity: {} },
                  { role_id: 'billing', by_status: { active: { members: 1 } }, min_instances: 2, below_minimum: true, capacity: {} }] } }
                """);
        browser.open("#/pools");
        browser.shows("below minimum");
        assertThat(browser.element(".badge.down").getText()).isEqualTo("below minimum");
        assertThat(browser.element("tr:has(a[href='#/agents?role_id=support'])").getText())
                .containsPattern("minimum is active\\s+3\\s+2\\s+2\\s+1");
        assertThat(browser.elements(".legend li")).hasSize(4);
        browser.isAccessible();
    }

    @Test
    void a_row_of_agents_on_a_phone_has_the_whole_id_and_the_reasons() throws IOException {
        String id = "an-agent-with-an-id-that-is-longer-than-a-phone-is-wide";
        system.register(id, "long-names", "");
        PageSystem.fail(new RegistryCaller(browser.baseUrl(), system.owner()), id);
        enter(system.viewer());
        browser.resize(500, 900);
        browser.open("#/agents?role_id=long-names");
        browser.refreshesUntilItShows("1 of 1 agent,");
        browser.open("#/agents?role_id=billing");
        browser.shows("60 of 60 agents");
        browser.open("#/agents?role_id=long-names");
        WebElement row = browser.element("tr[data-agent='" + id + "']");
        assertThat((Boolean) browser.script(
                        "const th = arguments[0].querySelector('th'); return th.scrollHeight <= th.clientHeight && th.scrollWidth <= th.clientWidth",
                        row))
                .as("the id is not cut")
                .isTrue();
        assertThat(row.getSize().height).as("the height that the list assumes").isEqualTo(112);
        browser.open("#/agents?verdict=down");
        assertThat(browser.element("tr[data-agent] .why").getText()).isNotEmpty();
        browser.isAccessible();
    }

    @Test
    void a_silence_before_its_beginning_is_planned_and_the_calendar_has_its_time() {
        ObjectNode silence = Json.object()
                .put("for_seconds", 3_600)
                .put("starts_at", Instant.now().plus(1, ChronoUnit.DAYS).toString());
        silence.putObject("scope").put("role_id", "planner");
        assertThat(system.administrator()
                        .put("/v1/admin/silences/planned", silence)
                        .status())
                .isLessThan(300);
        enter(PageSystem.ADMINISTRATOR);
        browser.open("#/silences");
        browser.shows("planned");
        assertThat(browser.element(".events li").getText())
                .containsPattern("planned at \\d+ \\w{3,4} \\d{4}, \\d\\d:\\d\\d:\\d\\d");
        assertThat(browser.text()).doesNotContain("waits");
        system.administrator().delete("/v1/admin/silences/planned");
    }

    @Test
    void the_end_of_a_key_is_picked_and_a_change_of_its_name_keeps_it() {
        enter(PageSystem.ADMINISTRATOR);
        browser.open("#/keys");
        browser.shows("Tokens per hour");
        browser.fill("name", "picked");
        Instant end = Instant.now().plus(90, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
        browser.script(
                "const at = new Date(arguments[0]);"
                        + " document.querySelector('[name=expires_at]').value = new Date(at - 60000 * at.getTimezoneOffset()).toISOString().slice(0, 19)",
                end.toString());
        browser.click("Issue");
        browser.click("I have kept it");
        assertThat(expiry("picked")).isEqualTo(end);
        browser.element("button[aria-label='Change picked']").click();
        browser.fill("name", "renamed");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("renamed");
        assertThat(expiry("renamed")).isEqualTo(end);
    }

    private static Instant expiry(String name) {
        for (JsonNode key :
                system.administrator().get("/v1/admin/keys?limit=1000").json().path("keys")) {
            if (key.path("name").asText().equals(name)) {
                return Instant.parse(key.path("expires_at").asText());
            }
        }
        throw new AssertionError("no key " + name);
    }
}
