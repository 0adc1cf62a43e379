package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/** The page when something is wrong, the costs of its refreshing, and its use by keyboard. */
@Tag("other-programs")
@ExtendWith(PageSystem.Resolver.class)
class PageStatesTest {

    private static final int MAX_MINUTES = 60;

    private static PageSystem system;
    private static Browser browser;

    @BeforeAll
    static void open(PageSystem started) {
        system = started;
        browser = started.browser();
    }

    private static void enter(String key) {
        system.enter(key);
    }

    @Test
    void an_idle_minute_costs_six_reads_of_the_feed_and_one_of_figures_that_did_not_change() {
        enter(system.viewer());
        browser.shows("Checked");
        browser.tick(10);
        browser.tick(60);
        Map<String, Long> idle = Map.of("GET /api/v1/events 200", 6L, "GET /api/v1/health 304", 1L);
        // The feed is up to five seconds behind: what other tests did may still come.
        for (int minute = 0; minute < MAX_MINUTES && !(minute > 0 && requests().equals(idle)); minute++) {
            browser.script("window.sent.length = 0");
            for (int i = 0; i < 6; i++) {
                browser.tick(10);
            }
        }
        assertThat(requests()).isEqualTo(idle);
        assertThat((Long) browser.script("return window.sent.reduce((sum, sent) => sum + sent.bytes, 0)"))
                .as("bytes of answers a minute")
                .isLessThan(1_500);
    }

    private static Map<String, Long> requests() {
        List<?> sent = (List<?>) browser.script("return window.sent.map(sent => `${sent.request} ${sent.status}`)");
        return sent.stream().collect(Collectors.groupingBy(String::valueOf, Collectors.counting()));
    }

    @Test
    void a_page_in_the_background_sends_nothing() {
        enter(system.viewer());
        browser.shows("Checked");
        browser.tick(10);
        browser.script("Object.defineProperty(document, 'hidden', { value: true }); window.sent.length = 0");
        browser.tick(120);
        assertThat(requests()).isEmpty();
    }

    @Test
    void trouble_of_the_registry_is_shown_as_banners() throws IOException {
        enter(system.viewer());
        browser.shows("Checked");
        assertThat(browser.elements(".banner")).isEmpty();
        browser.answer(
                "/api/v1/health",
                "{merge: {registry: {last_sweep_at: '2026-01-01T00:00:00Z', late: true, self_check_failing_since: '2026-01-01T00:00:00Z',"
                        + " mass_silence_since: '2026-01-01T00:00:00Z', mass_restart_since: '2026-01-01T00:00:00Z', probes_inconclusive_since: '2026-01-01T00:00:00Z'}}}");
        browser.open("#/pools");
        browser.open("#/");
        browser.shows("The registry fails its self-check");
        browser.shows("Mass silence");
        browser.shows("Mass restart");
        browser.shows("Probes are inconclusive");
        browser.shows("The sweep is late.");
        assertThat(browser.elements(".banner[role=alert]")).hasSize(5);
        browser.isAccessible();
    }

    @Test
    void an_administrator_sees_sources_with_their_conflicts_and_tries_one_out() throws IOException {
        enter(system.viewer());
        browser.shows("Checked");
        assertThat(browser.text()).doesNotContain("Sources");
        enter(PageSystem.ADMINISTRATOR);
        browser.shows("Checked");
        browser.answer(
                "/v1/admin/sources",
                "{status: 200, body: {sources: [{name: 'partner', url: 'https://partner.example/c', last_sync: {at: '2026-01-01T00:00:00Z', complete: true,"
                        + " counts: {registered: 2, conflict: 1, failed: 0}, errors: ['a card: timed out'],"
                        + " conflicts: [{agent_id: 'agent-1', identifier: 'urn:one', reason: 'the agent exists'}]}},"
                        + " {name: 'gone', url: 'https://gone.example/', last_sync: {at: '2026-01-01T00:00:00Z', complete: false, counts: {}, errors: ['unknown host'],"
                        + " conflicts: []}}]}}");
        browser.answer(
                "/v1/admin/sources/partner/sync",
                "{status: 200, body: {name: 'partner', dry_run: true, counts: {updated: 1}, conflicts: [], errors: [],"
                        + " changes: [{action: 'updated', agent_id: 'agent-2', identifier: 'urn:two'}]}}");
        browser.open("#/sources");
        browser.shows("with conflicts or errors");
        browser.shows("2 registered, 1 conflict");
        browser.shows("urn:one: the agent exists");
        browser.shows("a card: timed out");
        browser.shows("not complete");
        browser.isAccessible();
        browser.element("button[aria-label='Dry run: partner']").click();
        browser.shows("Dry run of partner: nothing was changed");
        browser.shows("updated agent-2 urn:two");
        browser.isAccessible();
    }

    @Test
    void a_changed_declaration_is_shown_and_accepted_by_an_administrator() throws IOException {
        String changed =
                "{merge: {kind: 'mcp_server', declaration: {digest: 'd2', observed_at: '2026-01-01T00:00:00Z', change: {of: 'tools', added: ['tool:delete_all'],"
                        + " removed: [], altered: ['tool:search'], detected_at: '2026-01-01T00:00:00Z', digest: 'd2', accepted_digest: 'd1'}}}}";
        enter(system.viewer());
        browser.shows("Checked");
        browser.answer("/api/v1/agents/agent-3", changed);
        browser.open("#/agents/agent-3");
        browser.shows("Its tools changed");
        browser.shows("An administrator accepts it.");
        enter(PageSystem.ADMINISTRATOR);
        browser.shows("Checked");
        browser.answer("/api/v1/agents/agent-3", changed);
        browser.answer("/api/v1/agents/agent-3/declaration/accept", "{status: 200, body: {}}");
        browser.open("#/agents/agent-3");
        browser.shows("added: tool:delete_all");
        browser.shows("altered: tool:search");
        browser.shows("MCP server");
        browser.isAccessible();
        browser.click("Accept");
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("Accept: done.");
    }

    @Test
    void a_registry_that_is_gone_is_said_and_shown_again_when_it_is_back() {
        enter(system.viewer());
        browser.shows("Checked");
        browser.answer("*", "'none'");
        browser.tick(10);
        browser.shows("The registry cannot be reached. Figures may be old.");
        browser.shows("agents are");
        browser.script("delete window.answers['*']");
        browser.tick(10);
        assertThat(browser.text()).doesNotContain("cannot be reached");
    }

    @Test
    void a_key_is_kept_and_tried_again_while_the_registry_is_gone() {
        enter(system.viewer());
        browser.shows("Checked");
        browser.script("sessionStorage.setItem('answer-with', 'none'); location.reload();");
        browser.shows("The key is tried again every 10 seconds.");
        browser.script("delete window.answers['*']; sessionStorage.removeItem('answer-with')");
        browser.tick(10);
        browser.shows("Checked");
    }

    @Test
    void a_key_that_is_revoked_leads_back_to_the_entrance() {
        enter(system.viewer());
        browser.shows("Checked");
        browser.answer("*", "{status: 401, body: {error: 'unauthenticated', detail: 'The key is not valid.'}}");
        browser.tick(10);
        browser.shows("This key is not valid any more.");
        assertThat(browser.script("return sessionStorage.getItem('agent-health-key')"))
                .isNull();
    }

    @Test
    void the_key_of_an_agent_shows_its_agents_and_says_why() {
        enter(system.owner());
        browser.shows("This key belongs to agents");
        browser.shows("agent-0");
        assertThat(browser.text()).doesNotContain("Pools").doesNotContain("Trust");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void a_key_that_is_limited_to_roles_says_so_and_shows_these_only() {
        enter(system.key("coordinator", "planner"));
        browser.shows("This key is limited to the roles planner.");
        browser.shows("Checked");
        assertThat(browser.text()).doesNotContain("billing");
        browser.open("#/agents");
        browser.shows("60 of 60 agents");
        browser.open("#/agents/agent-8");
        browser.shows("All agents");
        assertThat(browser.element(".failure").getText()).isNotEmpty();
    }

    @Test
    void figures_of_an_agent_without_executions_are_not_shown_as_measured() {
        enter(system.viewer());
        browser.open("#/agents/agent-9");
        browser.shows("Expected and measured");
        browser.shows("no recent executions");
        assertThat(browser.text()).doesNotContain("0.0 %, expected").doesNotContainPattern("(?m)[^\\d.,]0 ms");
        browser.open("#/agents/agent-1");
        browser.element("details.fold summary").click();
        browser.shows("0.0 %, expected 95.0 %");
    }

    @Test
    void a_key_with_other_than_ascii_characters_is_a_clear_error() {
        enter("Schlüssel-0000000000");
        browser.shows("A key has visible ASCII characters only.");
        assertThat(browser.text()).doesNotContain("cannot be reached");
    }

    @Test
    void figures_have_the_precision_that_they_have_and_a_faster_agent_is_no_fault() {
        enter(system.viewer());
        browser.answer(
                "/api/v1/agents/agent-1/health",
                """
                {merge: {score: 99, not_evaluated: [], calibration: {sample_count: 20, response_ratio: 1, latency_p50_ms: 29571.4, latency_p99_ms: 29571.4},
                  dimensions: {reliability: {score: 1, weight: 50, executions: 20, actual_success_rate: 1, expected_success_rate: 0.95},
                    performance: {score: 1, weight: 20, actual_runtime_ms: 30000, expected_runtime_ms: 39062.5, deviation: -0.232, deviation_allowed: 0.2},
                    stability: {score: 1, weight: 20, long_running: 0}, operational: {score: 1, weight: 10, sla_breaches: 0}}}}""");
        browser.open("#/agents/agent-1");
        browser.shows("about 30,000 ms");
        browser.element("details.fold summary").click();
        browser.shows("23.2 % faster than expected");
        assertThat(browser.text())
                .doesNotContain("29,571")
                .doesNotContain("−23.2 %")
                .doesNotContain("-23.2 %");
    }

    @Test
    void an_agent_says_when_it_is_to_run_and_ran_and_what_its_silence_means() {
        enter(system.viewer());
        String hours = "new Date(Date.now() - 3600000 * %s).toISOString()";
        browser.answer(
                "/api/v1/agents/agent-11",
                "{merge: {last_heartbeat_at: " + hours.formatted("25") + ", expected_at: " + hours.formatted("2")
                        + ", heartbeat_config: {dead_after_seconds: 7200, schedule: {cron: '0 2 * * *', time_zone: 'Europe/Berlin', grace_seconds: 600}}}}");
        browser.open("#/agents/agent-11");
        browser.shows("expected 2 h ago, last ran 25 h ago");
        browser.shows("0 2 * * * (Europe/Berlin)");
        browser.shows("unhealthy 10 min after a run that did not come, dead 2 h later");
        assertThat(browser.text()).doesNotContain("HEARTBEAT\n").doesNotContain("heartbeat\n");
        browser.answer(
                "/api/v1/agents/agent-13",
                "{merge: {last_seen_by: 'ping', heartbeat_config: {mode: 'none', signs_of_life: ['calls', 'outcomes']}, stalled: true, stalled_since: "
                        + hours.formatted("0.2") + ", activity: {phase: 'tool', last_progress_at: "
                        + hours.formatted("0.3") + "}}}");
        browser.answer("/api/v1/agents/agent-13/ping-url", "{status: 200, body: {last_ping_at: null}}");
        browser.open("#/agents/agent-13");
        browser.shows("no fault: the agent is only called");
        browser.shows("calls, outcomes");
        browser.shows("ago by a ping");
        browser.shows("stalled for 12 min in a tool, since 12 min ago");
        browser.answer(
                "/api/v1/agents/agent-15",
                "{merge: {heard: false, registered_at: '2026-11-25T09:00:00Z', last_heartbeat_at: '2026-11-25T09:00:00Z', expected_at: "
                        + hours.formatted("-1")
                        + ", heartbeat_config: {schedule: {cron: '0 2 * * *', time_zone: 'Zone/OfTheRegistryOnly', grace_seconds: 600}}}}");
        browser.open("#/agents/agent-15");
        browser.shows(", has not run yet");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void an_agent_says_how_it_is_watched_and_what_its_last_ping_said() {
        enter(system.viewer());
        String days = "new Date(Date.now() + 86400000 * %s).toISOString()";
        browser.answer(
                "/api/v1/agents/agent-17",
                "{merge: {last_seen_by: 'ping', watch: {by: 'a2a', interval_seconds: 60}, last_probe: {failure: 'connection refused', since: "
                        + days.formatted("-2") + ", certificate_ends_at: " + days.formatted("12") + "}}}");
        browser.answer(
                "/api/v1/agents/agent-17/ping-url",
                "{status: 200, body: {last_ping_at: " + days.formatted("-3")
                        + ", last_signal: '3', duration_ms: 600000, last_message: '<b>3</b> invoices', message_truncated: true}}");
        browser.open("#/agents/agent-17");
        browser.shows("every 60 s by a2a");
        browser.shows("failed for 2 d: connection refused");
        browser.shows("ends in 12 d");
        browser.shows("exit code 3 3 d ago, took 10 min");
        browser.shows("<b>3</b> invoices…");
        browser.answer(
                "/api/v1/agents/agent-19",
                "{merge: {signature: 'invalid', watch: {by: 'agent_health', interval_seconds: 10}, last_probe: {failure: null, at: "
                        + days.formatted("0")
                        + ", response_ms: 42, declared: 'degraded', certificate_ends_at: null, "
                        + "response_ms_last_day: {mean: 120, min: 95, max: 340}}}}");
        browser.open("#/agents/agent-19");
        browser.shows("every 10 s by agent health");
        browser.shows("answered in 42 ms, ");
        browser.shows("declares itself degraded");
        browser.shows("not what was signed");
        browser.shows("120 ms, 95 ms to 340 ms in the last day");
        assertThat(browser.text()).doesNotContain("Last message").doesNotContain("last ping");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void rows_of_the_list_say_what_is_expected_of_agents_that_do_not_run_all_the_time() {
        enter(system.viewer());
        String row =
                "{role_id: 'odd', capabilities: [], status: 'active', score: null, verdict: 'ok', reasons: [], last_heartbeat_at: '2026-01-01T00:00:00Z', ";
        browser.answer(
                "/api/v1/agents",
                "{status: 200, body: {total: 3, agents: [" + row + "agent_id: 'a', heartbeat_mode: 'none'}, " + row
                        + "agent_id: 'd', verdict: 'unknown', reasons: ['no_sign_of_life'], heartbeat_mode: 'none'}, "
                        + row
                        + "agent_id: 'b', expected_at: '2027-01-15T02:00:00Z'}, " + row
                        + "agent_id: 'c', verdict: 'degraded', reasons: ['silent'], expected_at: '2026-01-15T02:00:00Z'}]}}");
        browser.open("#/agents");
        browser.shows("only called");
        assertThat(browser.text())
                .containsPattern("expected in \\d+ d")
                .contains("only called, few calls yet")
                .containsPattern("no run \\d+ d ago");
    }

    @Test
    void a_share_of_healthy_agents_is_shown_only_where_something_was_measured() {
        enter(system.viewer());
        browser.shows("billing");
        assertThat(
                        browser.script(
                                "return [...document.querySelectorAll('tr')].find(row => row.textContent.includes('billing')).lastElementChild.textContent"))
                .isEqualTo("–");
    }

    @Test
    void trust_without_live_agents_says_which_agents_it_lists() {
        enter(system.viewer());
        browser.shows("Checked");
        browser.answer("/v1/trust/agents", "{merge: {items: []}}");
        browser.open("#/trust");
        browser.shows("No agent is active, draining or unhealthy.");
        browser.open("#/trust?blocked=true");
        browser.shows("No block is in force.");
    }

    @Test
    void problems_with_a_known_cause_are_folded_below_it() throws IOException {
        enter(PageSystem.ADMINISTRATOR);
        browser.shows("Fleet");
        String problem =
                """
                { problem_id: '%1$s', kind: '%2$s', state: 'open', severity: 'error', role_id: '%3$s', title: '%1$s', label: 'dead', reason: 'Gone.', summary: 'Gone.', opened_at: '%4$s',
                  occurrences: 1, last_event: { event_id: 'e', type: '%5$s', at: '2026-02-08T10:00:00.000Z' } }
                """;
        browser.answer(
                "/api/v1/problems",
                "{ merge: { problems: ["
                        + String.join(
                                ",",
                                problem.formatted("late", "lifecycle", "r", "2026-02-08T10:05:00Z", "agent.lifecycle"),
                                problem.formatted("early", "lifecycle", "r", "2026-02-08T09:00:00Z", "agent.lifecycle"),
                                problem.formatted("pool", "pool", "q", "2026-02-08T09:00:00Z", "pool.below_minimum"),
                                problem.formatted("gone", "lifecycle", "q", "2026-02-08T08:00:00Z", "agent.lifecycle"),
                                problem.formatted("slow", "health", "q", "2026-02-08T10:05:00Z", "agent.health"),
                                problem.formatted(
                                        "all", "registry", "", "2026-02-08T10:00:00Z", "registry.mass_silence"))
                        + "] } }");
        browser.open("#/problems");
        browser.shows("Problems: 6 open");
        assertThat(below("all")).containsExactly("late");
        assertThat(below("pool")).containsExactly("gone");
        assertThat(browser.elements("main .problems > li"))
                .as("each problem once")
                .hasSize(6);
        assertThat(browser.elements("main section > .problems > li")).hasSize(4);
        browser.isAccessible();
    }

    @Test
    void silent_agents_of_an_ended_key_a_source_or_a_host_are_one_row() throws IOException {
        enter(PageSystem.ADMINISTRATOR);
        browser.shows("Fleet");
        String problem =
                """
                { problem_id: '%1$s', kind: 'lifecycle', state: 'open', severity: 'error', title: '%1$s', label: 'dead', reason: 'Gone.', summary: 'Gone.', opened_at: '2026-02-08T10:0%2$s:00Z',
                  occurrences: 1, last_event: { event_id: 'e', type: 'agent.lifecycle', at: '2026-02-08T10:00:00.000Z' }, cause: { kind: '%3$s', id: '%4$s' } }
                """;
        browser.answer(
                "/api/v1/problems",
                "{ merge: { problems: ["
                        + String.join(
                                ",",
                                problem.formatted("k1", 1, "key", "key_x"),
                                problem.formatted("h1", 2, "host", "worker-3"),
                                problem.formatted("k2", 3, "key", "key_x"),
                                problem.formatted("alone", 4, "host", "worker-4"),
                                problem.formatted("h2", 5, "host", "worker-3"))
                        + "] } }");
        browser.open("#/problems");
        browser.shows("Key key_x");
        browser.shows("Host worker-3");
        assertThat(browser.elements("main section > .problems > li")).hasSize(3);
        assertThat(belowOf("#/keys")).containsExactly("k1", "k2");
        assertThat(belowOf("#/agents?verdict=down")).containsExactly("h1", "h2");
        assertThat(belowOf("#/problems/alone")).isEmpty();
        browser.isAccessible();
    }

    private List<String> below(String cause) {
        return belowOf("#/problems/" + cause);
    }

    private List<String> belowOf(String href) {
        return browser.elements("main li:has(> div > a[href='" + href + "']) details.below li > div > a").stream()
                .map(link -> link.getDomAttribute("href").substring("#/problems/".length()))
                .toList();
    }

    @Test
    void all_open_problems_are_acknowledged_but_for_those_that_changed_meanwhile() throws IOException {
        enter(PageSystem.ADMINISTRATOR);
        browser.shows("Fleet");
        String problem =
                """
                { problem_id: '%1$s', kind: 'pool', state: '%2$s', severity: 'error', role_id: 'billing', title: '%1$s', label: 'below minimum', reason: 'Below.', summary: '%3$s', opened_at: '2026-02-08T10:00:00.000Z',
                  occurrences: 1, acknowledgement: { by: 'administrator', until: '2026-02-08T11:00:00.000Z' } }
                """;
        browser.answer(
                "/api/v1/problems",
                "{ merge: { problems: ["
                        + String.join(
                                ",",
                                problem.formatted("one", "open", "One."),
                                problem.formatted("two", "open", "Two."),
                                problem.formatted("three", "acknowledged", "Three."))
                        + "] } }");
        browser.answer("/api/v1/problems/one/acknowledge", "{ status: 200 }");
        browser.answer("/api/v1/problems/two/acknowledge", "{ status: 409 }");
        browser.open("#/problems");
        browser.click("Acknowledge all shown");
        browser.shows("the 2 open problems that are shown");
        browser.isAccessible();
        browser.element("dialog[open] button[value=yes]").click();
        browser.shows("Acknowledged 1 of 2: the others changed meanwhile.");
        browser.script("window.answers = {}");
    }

    @Test
    void groups_that_are_not_listed_are_counted() {
        enter(system.viewer());
        browser.shows("Checked");
        for (int others : new int[] {1, 7}) {
            browser.answer("/api/v1/health", "{merge: {other_groups: {role: {agents: " + others + "}}}}");
            browser.tick(60);
            browser.shows(others == 1 ? "1 agent has another role." : "7 agents have other roles.");
        }
    }

    @Test
    void a_dialog_gives_the_keyboard_back_when_it_is_closed() {
        enter(PageSystem.ADMINISTRATOR);
        browser.open("#/agents/agent-3");
        browser.element("main button.danger");
        browser.script("document.querySelector('main button.danger').focus()");
        browser.press(Keys.ENTER);
        browser.element("dialog[open] input[name=reason]");
        assertThat(browser.script("return Boolean(document.activeElement.closest('dialog'))"))
                .isEqualTo(true);
        browser.press(Keys.ESCAPE);
        browser.vanishes("dialog");
        assertThat(browser.focused()).isEqualTo("Block");
    }

    @Test
    void a_row_keeps_the_keyboard_when_the_list_changes() {
        system.register("a-first", "focus", "");
        system.register("b-second", "focus", "");
        enter(system.viewer());
        browser.open("#/agents?role_id=focus&sort=agent_id");
        browser.shows("2 of 2 agents");
        browser.script("document.querySelector('tr[data-agent=b-second] a').focus()");
        browser.tick(10);
        system.administrator().delete("/api/v1/agents/a-first");
        browser.refreshesUntilItShows("1 of 1 agent");
        assertThat(browser.focused()).isEqualTo("b-second");
    }

    @Test
    void texts_of_agents_are_shown_as_they_are() {
        String markup = "<img src=x onerror=\"document.title='run'\">";
        system.register("odd-markup", "odd", markup);
        system.register("odd-" + "x".repeat(60), "odd", "W".repeat(200));
        system.register("odd-words", "odd", "\u05e9\u05dc\u05d5\u05dd \u202eabc \ud83e\udd16 \u6f22\u5b57");
        enter(system.viewer());
        for (int width : new int[] {1400, 400}) {
            browser.resize(width, 900);
            for (String view : List.of(
                    "#/agents?role_id=odd",
                    "#/agents/odd-markup",
                    "#/agents/odd-" + "x".repeat(60),
                    "#/agents/odd-words")) {
                browser.open(view);
                browser.shows("odd");
                assertThat(browser.script("return document.documentElement.scrollWidth <= window.innerWidth"))
                        .as(view + " at " + width)
                        .isEqualTo(true);
                assertThat(browser.elements("main img")).isEmpty();
            }
        }
        browser.open("#/agents/odd-markup");
        browser.shows(markup);
        browser.open("#/agents/%E0%A4%A");
        browser.shows("All agents");
    }
}
