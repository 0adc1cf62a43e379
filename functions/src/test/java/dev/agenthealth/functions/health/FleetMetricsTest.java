package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agenthealth.functions.storage.history.FleetHistoryStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.sweep.Sweep;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.health.availability.FleetHour;
import dev.agenthealth.model.health.availability.FleetMinute;
import dev.agenthealth.model.health.availability.GroupCount;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.Statistic;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.sweep.SweepEvent;
import dev.agenthealth.model.sweep.SweepStatistics;
import dev.agenthealth.testkit.ProjectFiles;
import dev.agenthealth.testkit.TestContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code GET /metrics}: what the sweep counted, in both text formats. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FleetMetricsTest {

    private static final String VIEWER = "test-viewer-key";
    private static final String OPEN_METRICS = "application/openmetrics-text";

    /** No agent of this test has a score or reports usage, and nothing measures. {@link UsageMetricsTest} has usage. */
    private static final Set<String> MISSING_HERE = Set.of(
            "agent_health_score",
            "agent_health_measurement_age_seconds",
            "agent_health_provider_usage_today",
            "agent_health_role_usage_today");

    @AutoClose
    private final TestSystem system = new TestSystem();

    private Response early;

    @BeforeAll
    void count() {
        system.addKey(VIEWER, Role.VIEWER, Set.of());
        early = get("");
        Sweep sweep = system.sweep();
        for (int role = 0; role < FleetMetrics.MAX_ROLES + 2; role++) {
            for (int i = 0; i < (role == 7 ? 2 : 1); i++) {
                system.api()
                        .post("/api/v1/agents")
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"agent_id\":\"a" + role + "-" + i + "\",\"role_id\":\"role-" + role + "\"}")
                        .send();
            }
        }
        TestAgent heard = new TestAgent(system, "a7-0");
        heard.sendHeartbeat();
        for (int i = 0; i < 2; i++) {
            sweep.passes(TestContext.of("SweepFunction"));
            heard.sendHeartbeat();
        }
        sweep.passes(TestContext.of("SweepFunction"));
        system.clock().advanceSeconds(30);
        FleetHistoryStore history = new FleetHistoryStore(system.database());
        long now = FleetHour.at(system.clock().instant());
        for (long hour : new long[] {now - 26, now - 2, now - 1}) {
            // Of four agents, one is down in the last hour, and all are in the one that is too old.
            long down = hour == now - 1 ? 1 : hour == now - 2 ? 0 : 4;
            AgentStatistics fleet =
                    new AgentStatistics(new Counts<>(Map.of(Statistic.ACTIVE, 4 - down, Statistic.SILENT, down)));
            Map<Long, GroupCount> roles = Map.of(GroupNumber.of("role-7"), new GroupCount(4 - down, 0, down));
            Map<Long, GroupCount> verdicts = Map.of(
                    GroupNumber.of("role-7"),
                    roles.get(GroupNumber.of("role-7")),
                    FleetMinute.FLEET,
                    roles.get(GroupNumber.of("role-7")));
            history.put(FleetHour.of(hour, List.of(new FleetMinute(hour * 60, false, fleet, roles, verdicts))));
        }
    }

    @Test
    void availability_is_that_of_the_last_24_hours_that_are_added_up() {
        assertThat(get("").text().lines())
                .contains(
                        "agent_health_availability_ratio{window=\"24h\"} 0.875",
                        "agent_health_role_availability_ratio{role=\"role-7\",window=\"24h\"} 0.875")
                .filteredOn(line -> line.startsWith("agent_health_role_availability_ratio{"))
                .as("only of roles that were among the largest")
                .hasSize(1);
    }

    @Test
    void the_fleet_is_shown_by_status_verdict_and_the_largest_roles() {
        List<String> lines = get("").text().lines().toList();
        assertThat(lines)
                .contains(
                        "# TYPE agent_health_agents gauge",
                        "agent_health_agents{status=\"active\"} 23",
                        "agent_health_agents{status=\"dead\"} 0",
                        "agent_health_role_agents{role=\"role-7\",status=\"active\"} 2",
                        "agent_health_role_agents{role=\"_other\",status=\"active\"} 2",
                        "agent_health_agents_heard 1",
                        "agent_health_self_check_failing 0",
                        "# TYPE agent_health_sweep_events_total counter",
                        "agent_health_sweep_events_total{event=\"agent_dead\"} 0");
        assertThat(lines.stream().filter(line -> line.startsWith("agent_health_role_agents{")))
                .hasSize(21 * 4);
        assertThat(lines).hasSizeLessThan(300);
        assertThat(lines).anyMatch(line -> line.matches("agent_health_sweep_age_seconds (3[0-9]|[4-8][0-9]|90)"));
    }

    @Test
    void a_scrape_before_the_first_sweep_is_refused() {
        assertThat(early.status()).isEqualTo(503);
        assertThat(early.json().path("error").asText()).isEqualTo("temporarily_unavailable");
        assertThat(early.header("Retry-After")).isEqualTo("10");
    }

    @Test
    void roles_that_are_asked_for_have_series_of_their_own() {
        Response metrics = system.api()
                .get("/metrics")
                .query("role", "role-7,role-21,role-none")
                .key(TestSystem.COORDINATOR_KEY)
                .send();
        assertThat(metrics.text().lines().filter(line -> line.startsWith("agent_health_role_agents{")))
                .hasSize(3 * 4)
                .contains(
                        "agent_health_role_agents{role=\"role-7\",status=\"active\"} 2",
                        "agent_health_role_agents{role=\"role-21\",status=\"active\"} 1",
                        "agent_health_role_agents{role=\"role-none\",status=\"active\"} 0");
        assertThat(system.api()
                        .get("/metrics")
                        .query("rolle", "x")
                        .key(TestSystem.COORDINATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(400);
    }

    @Test
    void a_scrape_costs_the_same_for_every_fleet() {
        get("");
        system.meter().reset();
        get("");
        assertThat(system.meter().operations())
                .as("the queries read model providers, pools, and usage of roles and of the fleet")
                .containsExactly("BatchGetItem", "Query", "BatchGetItem", "Query", "Query", "Query", "GetItem");
        assertThat(system.meter().readUnits()).isLessThan(15);
        assertThat(system.meter().writeUnits()).isZero();
    }

    @Test
    void what_passes_did_adds_up_and_their_largest_lag_stays() {
        SweepStateStore states = new SweepStateStore(system.database());
        for (int lag : new int[] {1_500, 0}) {
            states.begin(
                    system.clock().instant(),
                    Duration.ofMinutes(3),
                    new SweepStateStore.Learnt(
                            0,
                            Instant.MIN,
                            Instant.MIN,
                            new SweepStatistics(
                                    OptionalLong.of(lag),
                                    Duration.ofMillis(lag),
                                    new Counts<>(Map.of(SweepEvent.LEASE_EXPIRED, 2L)))));
        }
        assertThat(get("").text().lines())
                .contains(
                        "agent_health_sweep_events_total{event=\"lease_expired\"} 4",
                        "agent_health_detection_latency_seconds 1.5",
                        "agent_health_agents_heard 0");
        system.sweep().passes(TestContext.of("SweepFunction"));
    }

    @Test
    void only_keys_that_see_the_whole_fleet_may_read_and_a_bearer_token_is_one() {
        system.addKey("test-limited-key", Role.VIEWER, Set.of("role-1"));
        assertThat(system.api().get("/metrics").send().status()).isEqualTo(401);
        for (String key : List.of(TestSystem.AGENT_KEY, "test-limited-key")) {
            assertThat(system.api().get("/metrics").key(key).send().status()).isEqualTo(403);
        }
        assertThat(system.api()
                        .get("/metrics")
                        .header("authorization", "Bearer " + VIEWER)
                        .send()
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | false",
                "*/* | false",
                "text/plain | false",
                "application/openmetrics-text | true",
                "application/openmetrics-text; version=1.0.0 | true",
                "application/openmetrics-text; version=0.0.1 | false",
                "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.9 | false",
                "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2 | true",
                "application/openmetrics-text;q=0 | false",
                "application/openmetrics-text;q=nonsense | true"
            })
    void the_format_is_the_one_that_the_caller_prefers(String accept, boolean openMetrics) {
        Response response = get(accept);
        assertThat(response.header("Content-Type"))
                .isEqualTo(
                        openMetrics
                                ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                : "text/plain; version=0.0.4; charset=utf-8");
        assertThat(response.text().endsWith("# EOF\n")).isEqualTo(openMetrics);
    }

    @Test
    void the_dashboard_and_the_alert_rules_use_only_metrics_that_exist() {
        String metrics = get("").text();
        for (String file : List.of("docs/prometheus/dashboard.json", "docs/prometheus/alerts.yml")) {
            List<String> named = Pattern.compile("agent_health_[a-z_]+")
                    .matcher(ProjectFiles.text(file))
                    .results()
                    .map(MatchResult::group)
                    .distinct()
                    .toList();
            assertThat(named)
                    .as(file)
                    .hasSizeGreaterThan(5)
                    .allMatch(name -> metrics.contains(name + "{")
                            || metrics.contains(name + " ")
                            || MISSING_HERE.contains(name));
        }
    }

    @Test
    void the_guide_lists_exactly_the_metrics_that_are_shown() {
        Set<String> shown = names("(?m)^# TYPE (\\w+) ", get("").text());
        shown.addAll(MISSING_HERE);
        String firstColumn = ProjectFiles.text("docs/guides/prometheus.md")
                .lines()
                .filter(line -> line.startsWith("| `agent_health_"))
                .map(line -> line.substring(0, line.indexOf('|', 1)))
                .collect(Collectors.joining());
        assertThat(names("`(\\w+)`", firstColumn)).isEqualTo(shown);
    }

    private static Set<String> names(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    @Tag("other-programs")
    void promtool_finds_nothing_wrong_with_the_text_and_the_rules() throws Exception {
        assumeTrue(run("", "promtool", "--version").status() == 0, "promtool is not installed");
        Ran checked = run(get("").text(), "promtool", "check", "metrics");
        assertThat(checked.status()).as(checked.printed()).isZero();
        assertThat(checked.printed()).isEmpty();
        Path rules = ProjectFiles.path("docs/prometheus/alerts.yml");
        Ran ofRules = run("", "promtool", "check", "rules", rules.toString());
        assertThat(ofRules.status()).as(ofRules.printed()).isZero();
        Ran tests = run(
                "",
                "promtool",
                "test",
                "rules",
                rules.resolveSibling("alerts-test.yml").toString());
        assertThat(tests.status()).as(tests.printed()).isZero();
    }

    @Test
    @Tag("other-programs")
    void a_parser_of_openmetrics_reads_every_sample() throws Exception {
        assumeTrue(
                run("", "python3", "-c", "import prometheus_client").status() == 0,
                "the Python package prometheus_client is not installed");
        Ran parsed = run(
                get(OPEN_METRICS).text(),
                "python3",
                "-c",
                "import sys\nfrom prometheus_client.openmetrics.parser import text_string_to_metric_families as parse\n"
                        + "print(sum(len(f.samples) for f in parse(sys.stdin.read())))");
        assertThat(parsed.status()).as(parsed.printed()).isZero();
        assertThat(Integer.parseInt(parsed.printed().trim())).isEqualTo((int) get(OPEN_METRICS)
                .text()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .count());
    }

    private Response get(String accept) {
        return system.api().get("/metrics").key(VIEWER).header("accept", accept).send();
    }

    /** A program that ended. */
    private record Ran(int status, String printed) {}

    private static Ran run(String input, String... command) throws IOException, InterruptedException {
        Path in = Files.createTempFile("input", ".txt");
        try {
            Files.writeString(in, input);
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(in.toFile())
                    .start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Ran(process.exitValue(), printed);
        } catch (IOException absent) {
            return new Ran(-1, absent.getMessage());
        } finally {
            Files.delete(in);
        }
    }
}
