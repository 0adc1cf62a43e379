package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.cli.CommandRun;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page, the API, the command line, the metrics and the messages show the same numbers of random fleets. */
@Tag("other-programs")
class SameNumbersEverywhereTest {

    private static final String KEY = "test-administrator-key";
    private static final List<String> ROLES = List.of("billing", "planner", "support");
    private static final List<String> MODELS = List.of("large", "small");
    private static final int AGENTS = 24;
    private static final int STEPS = 60;
    private static final Duration STEP = Duration.ofSeconds(10);

    private final MutableClock clock =
            new MutableClock(Instant.now().minus(STEP.multipliedBy(STEPS)).minusSeconds(60));

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void every_number_that_is_shown_twice_is_equal(long seed) throws IOException {
        try (SentMessages messages = new SentMessages();
                LocalSystem system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                        .allowLoopbackEndpoints()
                        .mailServer(messages::send)
                        .clock(clock, clock::advance)
                        .byHand()
                        .sweepPeriod(STEP)
                        .out(new PrintStream(OutputStream.nullOutputStream())));
                Browser browser = new Browser(system.baseUrl())) {
            RegistryCaller administrator = new RegistryCaller(system.baseUrl(), KEY);
            messages.order(administrator);
            live(system, administrator, new Random(seed));
            JsonNode health = administrator.get("/api/v1/health").json();
            assertThat(health.path("by_verdict").path("down").asLong()).isPositive();
            browser.enter(KEY);
            browser.shows("Checked");
            compareVerdicts(administrator, browser, health, system.baseUrl());
            compareRoles(browser, health);
            compareProblems(administrator, browser);
            compareUsage(administrator, browser, system.baseUrl());
            compareMessages(administrator, messages, system.baseUrl());
        }
    }

    /** Lets agents register, work, fail, fall silent, drain, be blocked and leave. */
    private void live(LocalSystem system, RegistryCaller administrator, Random random) {
        List<String> ids =
                IntStream.range(0, AGENTS).mapToObj(i -> "agent-" + i).toList();
        for (String id : ids) {
            ObjectNode agent = Json.object()
                    .put("agent_id", id)
                    .put("role_id", ROLES.get(random.nextInt(ROLES.size())))
                    .put("owner_key_id", "administrator");
            agent.putObject("heartbeat_config")
                    .put("interval_seconds", 10)
                    .put("unhealthy_after_seconds", 40)
                    .put("dead_after_seconds", 120);
            assertThat(administrator.post("/api/v1/agents", agent).status()).isEqualTo(201);
        }
        Set<String> silent = new HashSet<>();
        Random used = new Random(1);
        for (int step = 0; step < STEPS; step++) {
            String id = ids.get(random.nextInt(AGENTS));
            // The last steps only let the registry notice what happened.
            switch (step < STEPS - 12 ? random.nextInt(12) : -1) {
                case 0, 1 -> PageSystem.fail(administrator, id);
                case 2 -> silent.add(id);
                case 3 -> administrator.post("/v1/admin/agents/" + id + "/block", Json.object());
                case 4 -> administrator.post("/v1/admin/agents/" + id + "/unblock", Json.object());
                case 5 -> {
                    if (random.nextInt(3) == 0) {
                        administrator.delete("/api/v1/agents/" + id);
                    }
                }
                default -> silent.remove(step < STEPS - 12 ? id : "");
            }
            if (step % 4 == 0 && step < STEPS - 12) {
                work(administrator, ids.get(used.nextInt(AGENTS)), step, used);
            }
            ids.stream()
                    .filter(one -> !silent.contains(one))
                    .forEach(one -> administrator.post("/api/v1/agents/" + one + "/heartbeat"));
            clock.advance(STEP);
            system.drainStreams();
            system.runSchedules();
        }
        system.drainStreams();
    }

    private static void work(RegistryCaller administrator, String id, int step, Random random) {
        ObjectNode report = Json.object().put("batch_id", "work-" + step);
        report.withArray("outcomes")
                .addObject()
                .put("result", "success")
                .putObject("usage")
                .put("input_tokens", random.nextInt(100_000))
                .put("output_tokens", random.nextInt(10_000))
                .put("cache_read_tokens", random.nextInt(50_000))
                .put("model_calls", random.nextInt(9))
                .put("tool_calls", random.nextInt(9))
                .put("model", MODELS.get(random.nextInt(MODELS.size())));
        administrator.post("/api/v1/agents/" + id + "/outcomes", report);
    }

    private static void compareVerdicts(RegistryCaller administrator, Browser browser, JsonNode health, String baseUrl)
            throws IOException {
        String metrics = metrics(browser.baseUrl());
        JsonNode status = Json.read(cli(baseUrl, "status", "--json").out());
        assertThat(status.path("by_verdict")).isEqualTo(health.path("by_verdict"));
        for (Verdict verdict : Verdict.COUNTED) {
            String name = verdict.wireName();
            long number = health.path("by_verdict").path(name).asLong();
            assertThat(administrator
                            .get("/api/v1/agents?limit=1000&verdict=" + name)
                            .json()
                            .path("agents"))
                    .as(name)
                    .hasSize((int) number);
            assertThat(metrics).contains("agent_health_agents_by_verdict{verdict=\"" + name + "\"} " + number);
            assertThat(Json.read(cli(baseUrl, "agents", "--verdict", name, "--json")
                                    .out())
                            .path("agents"))
                    .as(name)
                    .hasSize((int) number);
            if (number > 0) {
                assertThat(browser.element(".keys a[href='#/agents?verdict=" + name + "'] b")
                                .getText())
                        .isEqualTo(String.valueOf(number));
            }
        }
        for (Verdict verdict : Verdict.COUNTED) {
            long number = health.path("by_verdict").path(verdict.wireName()).asLong();
            browser.open("#/agents?verdict=" + verdict.wireName());
            browser.shows(
                    number == 0
                            ? "No agent matches."
                            : number + " of " + number + (number == 1 ? " agent" : " agents"));
        }
    }

    private static void compareRoles(Browser browser, JsonNode health) {
        browser.open("#/");
        browser.shows("Checked");
        health.path("groups").path("role").properties().forEach(role -> {
            String row = browser.element("tr:has(th a[href='#/agents?role_id=" + role.getKey() + "'])")
                    .getText();
            assertThat(row).contains(role.getValue().path("agents").asText());
            browser.open("#/agents?role_id=" + role.getKey());
            String agents = role.getValue().path("agents").asText();
            browser.shows(agents + " of " + agents + (agents.equals("1") ? " agent" : " agents"));
            browser.open("#/");
            browser.shows("Checked");
        });
    }

    /** Compares the totals of tokens and calls: of the fleet, each role and an agent, in the API, on the command line and on the page. */
    private static void compareUsage(RegistryCaller administrator, Browser browser, String baseUrl) throws IOException {
        JsonNode models = administrator.get("/api/v1/usage?by=model").json();
        assertThat(models.at("/total/input_tokens").asLong()).isPositive();
        for (String by : List.of("model", "provider", "role", "owner")) {
            JsonNode answer = administrator.get("/api/v1/usage?by=" + by).json();
            assertThat(answer.path("total")).as(by).isEqualTo(models.path("total"));
            assertThat(Json.read(cli(baseUrl, "usage", "--by", by, "--json").out())
                            .path("total"))
                    .as(by)
                    .isEqualTo(models.path("total"));
        }
        browser.open("#/");
        browser.shows("Checked");
        compareShownUsage(browser, "#usage ", models.path("total"));
        List<String> rows = browser.elements("#usage table:not(.u-legend) tbody tr").stream()
                .map(row -> row.getText().replace(",", ""))
                .toList();
        assertThat(rows).hasSameSizeAs(models.path("series"));
        for (int i = 0; i < rows.size(); i++) {
            JsonNode model = models.path("series").path(i);
            assertThat(rows.get(i)).isEqualTo(model.path("id").asText() + " " + numbers(model.path("total")));
        }
        for (String role : ROLES) {
            JsonNode ofRole =
                    administrator.get("/api/v1/usage?by=role&role_id=" + role).json();
            JsonNode agents =
                    administrator.get("/api/v1/usage?by=agent&role_id=" + role).json();
            if (agents.path("series").isEmpty()) {
                continue;
            }
            browser.open("#/pools");
            browser.element("button[aria-label='Availability of " + role + "']").click();
            compareShownUsage(browser, "#availability ", ofRole.path("total"));
            JsonNode most = agents.path("series").path(0);
            browser.open("#/agents/" + most.path("id").asText());
            compareShownUsage(browser, "#usage ", most.path("total"));
        }
    }

    private static void compareShownUsage(Browser browser, String part, JsonNode total) {
        browser.element(part);
        browser.script("document.querySelectorAll('#usage details').forEach(one => { one.open = true; })");
        browser.element(part + ".usage b");
        assertThat(browser.elements(part + ".usage b").stream()
                        .map(number -> number.getText().replace(",", ""))
                        .collect(Collectors.joining(" ")))
                .isEqualTo(numbers(total));
    }

    private static String numbers(JsonNode usage) {
        return Stream.of(
                        "input_tokens", "output_tokens", "cache_read_tokens", "model_calls", "tool_calls", "executions")
                .map(counter -> usage.path(counter).asText())
                .collect(Collectors.joining(" "));
    }

    private static void compareProblems(RegistryCaller administrator, Browser browser) throws IOException {
        JsonNode problems =
                administrator.get("/api/v1/problems?limit=1000").json().path("problems");
        Map<String, Long> bySeverity = new TreeMap<>();
        Set<String> subjects = new HashSet<>();
        problems.forEach(problem -> {
            String severity = problem.path("severity").asText();
            bySeverity.merge(severity, 1L, Long::sum);
            subjects.add(problem.path("title").asText());
        });
        String metrics = metrics(browser.baseUrl());
        bySeverity.forEach((severity, number) ->
                assertThat(metrics).contains("agent_health_open_problems{severity=\"" + severity + "\"} " + number));
        browser.open("#/problems");
        browser.shows("Problems: " + problems.size() + " open");
        assertThat(browser.elements(".problems li")).hasSize(subjects.size());
        assertThat(browser.element("nav .count").getText()).isEqualTo(String.valueOf(problems.size()));
        browser.open("#/");
        browser.shows(problems.size() + " open");
    }

    /** Compares the last message about each problem with the open problems, and the numbers of the same events in each channel. */
    private static void compareMessages(RegistryCaller administrator, SentMessages messages, String baseUrl)
            throws IOException {
        Map<String, String> open = new TreeMap<>();
        administrator
                .get("/api/v1/problems?limit=1000")
                .json()
                .path("problems")
                .forEach(problem -> open.put(
                        problem.path("problem_id").asText(),
                        problem.path("severity").asText()));
        Map<String, String> told = messages.lastByProblem();
        told.values().removeIf("recovered"::equals);
        // The end of an agent ends its other problems without messages of their own.
        told.keySet().removeIf(id -> !open.containsKey(id) && isOverByEnd(administrator, id));
        assertThat(told).isEqualTo(open);
        Set<String> subjects = new HashSet<>();
        Json.read(cli(baseUrl, "problems", "--json").out())
                .path("problems")
                .forEach(problem -> subjects.add(problem.path("title").asText()));
        assertThat(cli(baseUrl, "problems", "-q").out().lines()).hasSize(subjects.size());
        assertThat(messages.numbersOfHooks()).hasSizeGreaterThan(3).contains(2);
        assertThat(messages.numbersOfChats()).isEqualTo(messages.numbersOfHooks());
        assertThat(messages.numbersOfMails()).isEqualTo(messages.numbersOfHooks());
        assertThat(messages.shownInMails()).isEqualTo(messages.numbersOfHooks());
    }

    private static boolean isOverByEnd(RegistryCaller administrator, String problemId) {
        JsonNode problem = administrator.get("/api/v1/problems/" + problemId).json();
        String agent = problem.path("agent_id").asText();
        return problem.path("state").asText().equals("resolved")
                && Set.of("dead", "deregistered")
                        .contains(administrator
                                .get("/api/v1/agents/" + agent)
                                .json()
                                .path("status")
                                .asText());
    }

    private static String metrics(String baseUrl) throws IOException {
        URLConnection connection = URI.create(baseUrl + "/metrics").toURL().openConnection();
        connection.setRequestProperty("X-API-Key", KEY);
        try (InputStream body = connection.getInputStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static CommandRun cli(String baseUrl, String... arguments) {
        CommandRun run = CommandRun.of(Map.of("AGENT_HEALTH_URL", baseUrl + "/", "AGENT_HEALTH_KEY", KEY), arguments);
        assertThat(run.errors()).isEmpty();
        return run;
    }
}
