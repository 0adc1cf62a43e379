package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The commands that talk to a registry: one with an agent that is alive, one that is dead. */
class ClientCommandsTest {

    private static final String ADMINISTRATOR = "test-administrator-key";
    private static final String ESCAPE = "\u001b";

    private static final MutableClock clock = MutableClock.atExampleTime();

    @AutoClose
    private static LocalSystem system;

    private static String viewerKey;

    /** The id of an agent's key. */
    private static String owner;

    @BeforeAll
    static void start() throws IOException {
        system = LocalSystem.start(LocalOptions.of(Template.find(), ADMINISTRATOR)
                .clock(clock, clock::advance)
                .byHand()
                .out(new PrintStream(OutputStream.nullOutputStream())));
        RegistryCaller administrator = new RegistryCaller(system.baseUrl(), ADMINISTRATOR);
        viewerKey = run("keys", "create", "--role", "viewer").out().strip();
        ObjectNode key = Json.object().put("role", "agent");
        owner = administrator.post("/v1/admin/keys", key).json().path("key_id").asText();
        register(administrator, "billing-1", "billing", 600);
        register(administrator, "planner-1", "planner", 1);
        for (int second = 0; second < 30; second += 5) {
            clock.advanceSeconds(5);
            system.drainStreams();
            system.runSchedules();
        }
    }

    private static void register(RegistryCaller owner, String id, String role, int intervalSeconds) {
        ObjectNode agent =
                Json.object().put("agent_id", id).put("role_id", role).put("owner_key_id", "administrator");
        agent.putArray("capabilities").add(role);
        agent.putObject("heartbeat_config")
                .put("interval_seconds", intervalSeconds)
                .put("unhealthy_after_seconds", 3 * intervalSeconds)
                .put("dead_after_seconds", 9 * intervalSeconds);
        assertThat(owner.post("/api/v1/agents", agent).status()).isEqualTo(201);
        assertThat(owner.post("/api/v1/agents/" + id + "/heartbeat").status()).isEqualTo(200);
    }

    private static Map<String, String> environment(String key) {
        return Map.of("AGENT_HEALTH_URL", system.baseUrl() + "/", "AGENT_HEALTH_KEY", key);
    }

    private static CommandRun run(String... arguments) {
        return CommandRun.of(environment(ADMINISTRATOR), arguments);
    }

    private static JsonNode json(CommandRun run) throws IOException {
        assertThat(run.errors()).isEmpty();
        return Json.read(run.out());
    }

    @Test
    void status_shows_counts_by_verdict_status_and_role() {
        CommandRun status = CommandRun.of(environment(viewerKey), "status");
        assertThat(status.errors()).isEmpty();
        assertThat(status.status()).isZero();
        assertThat(status.out()).contains("ok 1", "down 1", "active 1", "dead 1", "billing", "planner");
        assertThat(status.out()).containsPattern("needs attention[^\\n]*\\nplanner-1 +down");
    }

    @Test
    void availability_shows_what_is_known_and_the_incidents() throws IOException {
        CommandRun run = run("availability", "planner-1");
        assertThat(run.errors()).isEmpty();
        assertThat(run.out())
                .containsPattern(
                        "planner-1 was available [0-9.]+ % of the [0-9.]+ (s|min|h) that are known of the last 24h")
                .contains("down for");
        assertThat(run.out()).containsPattern("[0-9]+ d ago +lasts +[0-9.]+ (s|min) +down +heartbeat_timeout");
        assertThat(json(run("availability", "planner-1", "--window", "30d", "--json"))
                        .path("window")
                        .asText())
                .isEqualTo("30d");
        assertThat(run("availability", "planner-1", "--window", "1h").status()).isNotZero();
    }

    @Test
    void usage_lists_tokens_by_subject() throws IOException {
        assertThat(CommandRun.of(environment(viewerKey), "usage").out()).contains("no usage was reported");
        JsonNode ofAgent = json(CommandRun.of(environment(viewerKey), "usage", "--agent", "planner-1", "--json"));
        assertThat(ofAgent.path("by").asText()).isEqualTo("agent");
        assertThat(CommandRun.of(environment(viewerKey), "usage", "--days", "91")
                        .status())
                .isNotZero();
        assertThat(CommandRun.of(environment(viewerKey), "usage", "--by", "week")
                        .errors())
                .contains("by");
    }

    @ParameterizedTest
    @ValueSource(strings = {"drain", "restart"})
    void a_command_is_requested_and_delivered_with_the_next_heartbeat(String command) {
        RegistryCaller administrator = new RegistryCaller(system.baseUrl(), ADMINISTRATOR);
        CommandRun run = run(command, "billing-1", "--reason", "new version", "--timeout", "60");
        assertThat(run.errors()).isEmpty();
        assertThat(run.out())
                .isEqualTo("billing-1 is asked to " + command + " with the answer to its next heartbeat\n");
        assertThat(administrator
                        .get("/api/v1/agents/billing-1/commands")
                        .json()
                        .path("commands")
                        .toString())
                .isEqualTo(
                        "[{\"command\":\"" + command
                                + "\",\"reason\":\"new version\",\"drain_timeout_seconds\":60,\"status\":\"pending\",\"requested_by\":\"administrator\"}]");
        assertThat(administrator
                        .delete("/api/v1/agents/billing-1/commands/drain")
                        .status())
                .isEqualTo(204);
        assertThat(run(command, "unknown").status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run(command, "billing-1", "--timeout", "0").errors()).contains("1 to 86400");
        assertThat(CommandRun.of(environment(viewerKey), command, "billing-1").errors())
                .contains("coordinator or administrator");
    }

    @Test
    void a_stopped_agent_is_no_blocked_agent_and_has_the_reason_of_its_stop() {
        assertThat(run("stop", "--agent", "billing-1", "--reason", "deletes invoices")
                        .errors())
                .isEmpty();
        assertThat(run("blocks").out()).containsPattern("billing-1 +agent +stop");
        assertThat(run("agents", "--verdict", "blocked").out())
                .containsPattern("billing-1 .*agent stopped")
                .doesNotContain("agent blocked");
        assertThat(run("agent", "billing-1").out())
                .contains("An operator stopped the agent.\n")
                .containsPattern("\nstopped [0-9]+ (s|d) ago: deletes invoices\n");
        assertThat(run("stop", "--agent", "billing-1", "--lift").errors()).isEmpty();
        assertThat(run("blocks").errors()).contains("no block and no stop is in force");
    }

    @Test
    void problems_are_listed_by_subject_and_filtered() {
        String owner = "administrator";
        assertThat(run("problems", "--owner", owner, "--role", "planner", "--state", "all", "-q")
                        .out()
                        .lines())
                .hasSize(1);
        assertThat(run("problems", "--owner", "key_other").errors()).contains("there are no such problems");
        assertThat(run("problems", "--sort", "colour").errors())
                .contains("--sort must be a column: problem, name, state");
        assertThat(run("problems", "-o", "wide", "--state", "all", "--sort", "name")
                        .out())
                .containsPattern("severity +problems +since +reason +handling +agent +role +owner +cause +contact")
                .containsPattern("planner-1 +planner +administrator");
    }

    @Test
    void the_status_page_is_published_and_gets_incidents(@TempDir Path folder) throws IOException {
        assertThat(run("status-page", "publish").errors()).contains("'status-page set' writes it");
        Path page = Files.writeString(
                folder.resolve("page.yaml"),
                "path: acme\ntitle: Acme agents\nentries: [{name: invoices, label: Invoices, role_id: billing}]\n");
        assertThat(run("status-page", "set", "--file", page.toString()).out())
                .isEqualTo("Acme agents, /status/acme, not published\n");
        assertThat(run("status-page", "publish").out()).isEqualTo("Acme agents, /status/acme, published\n");
        assertThat(run("status-page", "show").out()).containsPattern("invoices +Invoices +role billing");
        assertThat(run("status-page", "incident", "late").errors()).contains("--title is required");
        assertThat(run("status-page", "incident", "late", "--title", "Late", "--text", "We know.")
                        .out())
                .startsWith("late is investigating, began ");
        assertThat(run("status-page", "incident", "late", "--state", "resolved").out())
                .startsWith("late is resolved");
        JsonNode incident = json(run("status-page", "incidents", "-o", "json")).at("/incidents/0");
        assertThat(incident.path("text").asText()).isEqualTo("We know.");
        assertThat(incident.path("resolved_at").isTextual()).isTrue();
        assertThat(CommandRun.of(environment(viewerKey), "status-page", "remove-incident", "late")
                        .errors())
                .contains("coordinator of all roles or administrator");
        assertThat(run("status-page", "remove-incident", "late").out()).isEqualTo("late is removed\n");
        assertThat(run("status-page", "incidents").errors()).contains("there are no incidents");
        assertThat(run("status-page", "withdraw").out()).contains("not published");
        assertThat(run("status-page").status()).isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void problems_are_listed_and_acknowledged() throws IOException {
        JsonNode problem =
                json(run("problems", "--agent", "planner-1", "--json")).at("/problems/0");
        assertThat(problem.path("summary").asText()).startsWith("Agent planner-1 is dead");
        String id = problem.path("problem_id").asText();
        CommandRun run = run("problems", "acknowledge", id, "--note", "restarting", "--for", "4h");
        assertThat(run.errors()).isEmpty();
        assertThat(run.out()).matches(id + " is acknowledged, reminder (in )?[0-9]+ .+\n");
        assertThat(CommandRun.of(environment(viewerKey), "problems", "--state", "acknowledged")
                        .out())
                .containsPattern(id
                        + " +planner-1 +dead +error +.*taken care of by .*restarting[.] Last heartbeat [0-9]+ d ago");
        assertThat(run("problems", "--severity", "critical").errors()).contains("there are no such problems");
        assertThat(run("problems", "dismiss", "unknown").status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run("problems", "acknowledge", id, "--for", "long").errors()).contains("such as 90s, 15m, 4h or 2d");
        assertThat(CommandRun.of(environment(viewerKey), "problems", "dismiss", id)
                        .errors())
                .contains("coordinator or administrator");
    }

    @Test
    void status_says_that_blocked_agents_need_attention() {
        RegistryCaller administrator = new RegistryCaller(system.baseUrl(), ADMINISTRATOR);
        String path = "/v1/admin/agents/billing-1/";
        assertThat(administrator
                        .post(path + "block", Json.object().put("reason", "under review"))
                        .status())
                .isEqualTo(200);
        try {
            CommandRun status = CommandRun.of(environment(viewerKey), "status");
            assertThat(status.out())
                    .containsPattern("needs attention[^\\n]*\\nplanner-1 +down[^\\n]*\\nbilling-1 +blocked");
        } finally {
            assertThat(administrator.post(path + "unblock").status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1 agent has another role", "7, 7 agents have other roles"})
    void status_counts_the_agents_of_roles_that_are_not_listed(int others, String line) throws IOException {
        String health =
                "{\"agents\":9,\"groups\":{\"role\":{\"billing\":{\"agents\":2}}},\"other_groups\":{\"role\":{\"agents\":"
                        + others + "}}}";
        assertThat(statusOf(health, "")).containsPattern("billing +2[^\\n]*\\n" + line + "\\n");
    }

    @ParameterizedTest
    @CsvSource({"1, 1 agent at", "2, 2 agents at"})
    void status_says_one_agent_of_a_single_one(int agents, String line) throws IOException {
        assertThat(statusOf("{\"agents\":" + agents + "}", "")).startsWith(line);
    }

    @Test
    void status_counts_dead_agents_without_a_score_too() throws IOException {
        String states = "\"by_state\":{\"Healthy\":1,\"Degraded\":1,\"Unhealthy\":0,\"Inactive\":1}";
        assertThat(statusOf("{\"agents\":4," + states + "}", "")).contains("dead, without a score 1\n");
        assertThat(statusOf("{\"agents\":3," + states + "}", "")).doesNotContain("without a score");
    }

    @Test
    void an_agent_is_shown_with_its_verdict_and_why() throws IOException {
        CommandRun agent = CommandRun.of(environment(viewerKey), "agent", "planner-1");
        assertThat(agent.errors()).isEmpty();
        assertThat(agent.out())
                .startsWith("planner-1 down\nThe agent is dead; ")
                .containsPattern("\nstatus +dead for ")
                .containsPattern("\nsilence +unhealthy after 3 s, dead after 9 s\n")
                .containsPattern("\nrole +planner\n");
        assertThat(json(run("agent", "planner-1", "--json")).path("agent_id").asText())
                .isEqualTo("planner-1");
        CommandRun unknown = run("agent", "no-such-agent");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.errors()).contains("no-such-agent");
    }

    @Test
    void a_ping_address_is_issued_used_shown_and_revoked() throws IOException {
        CommandRun issued = run("ping-url", "billing-1");
        assertThat(issued.status()).isZero();
        assertThat(issued.out()).as("the address alone, for scripts").matches("http://\\S+/p/billing-1\\.\\S+\\R");
        String url = issued.out().strip();
        assertThat(issued.errors()).contains("crontab:", "CronJob", "GitHub Actions", "PowerShell", url + "/start");
        assertThat(run("agent", "billing-1").out()).containsPattern("\nlast ping +none yet\n");
        RegistryCaller anyone = new RegistryCaller(system.baseUrl(), "");
        String path = url.substring(system.baseUrl().length());
        assertThat(anyone.post(path + "/3", Json.object().put("invoices", 3)).status())
                .isEqualTo(200);
        assertThat(run("agent", "billing-1").out())
                .containsPattern("\nlast ping +exit code 3 ")
                .containsPattern("\nlast message +\\{\"invoices\":3\\}\n");
        assertThat(anyone.post(path, Json.object().put("log", "x".repeat(40_000)))
                        .status())
                .as("a long log, without a key")
                .isEqualTo(200);
        assertThat(json(run("ping-url", "billing-1", "--json")).path("ping_url").asText())
                .isNotEqualTo(url);
        assertThat(anyone.post(path).status()).isEqualTo(404);
        assertThat(run("ping-url", "billing-1", "--revoke").errors()).contains("ping address of billing-1 is revoked");
        assertThat(run("agent", "billing-1").out()).doesNotContain("last ping");
        assertThat(run("ping-url", "unknown").errors()).contains("unknown");
        assertThat(CommandRun.of(environment(viewerKey), "ping-url", "billing-1")
                        .errors())
                .contains("agent or administrator");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "https://tools.example.com/status/, tools.example.com-status, http",
        "https://tools.example.com:8443/.well-known/agent-card.json, tools.example.com-8443, a2a",
        "https://tools.example.com/.well-known/agent-health, tools.example.com, agent_health",
        "https://tools.example.com/tools/mcp?v=1, tools.example.com-tools-mcp, mcp"
    })
    void an_agent_is_watched_in_one_line(String address, String id, String by) throws IOException {
        CommandRun run = run("watch", address, "--owner", "administrator", "--interval", "120");
        assertThat(run.errors()).isEmpty();
        assertThat(run.out()).startsWith(id + " is watched every 2 min by " + by);
        JsonNode agent = json(run("agent", id, "--json"));
        assertThat(agent.path("watch").path("url").asText()).isEqualTo(address);
        assertThat(agent.path("watch").path("by").asText()).isEqualTo(by);
        assertThat(agent.path("heartbeat_config")
                        .path("unhealthy_after_seconds")
                        .asInt())
                .isEqualTo(360);
        assertThat(run("agent", id).out()).containsPattern("\nwatched +every 2 min by " + by.replace('_', ' '));
        assertThat(run("watch", address, "--owner", "administrator").errors()).contains("--id names another agent");
        new RegistryCaller(system.baseUrl(), ADMINISTRATOR).delete("/api/v1/agents/" + id);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "watch status; 2; absolute http or https URL",
                "watch https://tools.example.com --interval 0; 2; --interval must be from 1 to 86400",
                "watch https://tools.example.com --by ftp; 2; a2a",
                "watch https://other.example.com; 1; --owner KEY_ID",
                "watch https://10.0.0.1 --owner administrator; 1; public address",
                "watch https://tools.example.com --owner administrator --interval 61; 1; multiple of 10",
                "watch https://10.0.0.1 --owner administrator --interval 61; 1; --interval must be a multiple"
            })
    void an_agent_that_cannot_be_watched_is_a_clear_error(String command, int status, String error) {
        CommandRun run = run(command.split(" "));
        assertThat(run.errors()).contains(error);
        assertThat(run.status()).isEqualTo(status);
    }

    @Test
    void a_list_is_sorted_wide_quiet_or_json() throws IOException {
        assertThat(run("agents", "-q").out().lines()).contains("billing-1", "planner-1");
        assertThat(run("agents", "-q", "--sort=-agent").out().lines().toList())
                .isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(run("agents", "--sort", "score").errors()).isEmpty();
        assertThat(run("agents", "--sort", "colour").errors()).contains("--sort must be a column: agent, role");
        assertThat(run("agents", "--sort", "colour").status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run("agents", "-o", "wide").out()).contains("capabilities").containsPattern("billing-1.* billing\n");
        assertThat(run("agents").out()).doesNotContain("capabilities");
        assertThat(json(run("agents", "-o", "json"))).isEqualTo(json(run("agents", "--json")));
    }

    @ParameterizedTest
    @CsvSource({"bill, billing-1", "BILL*, billing-1", "*ner-?, planner-1", "billing-1, billing-1"})
    void agents_are_found_by_a_part_or_a_pattern_of_the_name(String pattern, String found) {
        assertThat(run("agents", pattern, "-q").out()).isEqualTo(found + "\n");
        assertThat(run("agents", "ill?ng", "-q").errors()).contains("no agent matches");
    }

    @Test
    void events_are_listed_by_type_and_agent() throws IOException {
        CommandRun run = run("events", "--agent", "planner-1", "--type", "agent.lifecycle", "--since", "400d");
        assertThat(run.errors()).isEmpty();
        assertThat(run.out()).containsPattern("planner-1 +lifecycle +dead +heartbeat timeout");
        assertThat(json(run("events", "--since", "400d", "-o", "json")).path("events"))
                .isNotEmpty();
        assertThat(CommandRun.of(environment(viewerKey), "events", "--type", "agent.nothing")
                        .errors())
                .contains("--type");
    }

    @Test
    void callers_of_agents_are_listed() {
        assertThat(run("calls").errors()).contains("nobody called an agent by the gateway");
        assertThat(run("calls", "--hours", "169").errors()).contains("--hours");
    }

    @Test
    void leases_of_an_agent_and_of_an_intent_are_listed() {
        RegistryCaller administrator = new RegistryCaller(system.baseUrl(), ADMINISTRATOR);
        ObjectNode lease =
                Json.object().put("agent_id", "billing-1").put("scope", "send").put("duration_seconds", 300);
        assertThat(administrator
                        .post("/api/v1/intents/invoice 7/leases".replace(" ", "_"), lease)
                        .status())
                .isEqualTo(201);
        assertThat(run("leases", "--agent", "billing-1").out()).containsPattern("invoice_7 +send +billing-1 +active");
        assertThat(run("leases", "--intent", "invoice_7").out()).containsPattern("invoice_7 +send +billing-1 +active");
        assertThat(run("leases", "--intent", "other").errors()).contains("there are no such leases");
        assertThat(run("leases").status()).isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void agents_and_providers_are_blocked_listed_and_unblocked() {
        assertThat(run("blocks").errors()).contains("no block and no stop is in force");
        assertThat(run("block", "billing-1", "--reason", "under review", "--for", "4h")
                        .out())
                .isEqualTo("billing-1 is blocked for 4 h\n");
        assertThat(run("block", "--provider", "acme").out()).isEqualTo("provider acme is blocked\n");
        assertThat(run("blocks").out())
                .containsPattern("billing-1 +agent +block .*under review")
                .containsPattern("acme +provider +block +-");
        assertThat(run("unblock", "billing-1").out()).isEqualTo("billing-1 is not blocked\n");
        assertThat(run("unblock", "--provider", "acme").errors()).isEmpty();
        assertThat(run("blocks").errors()).isEqualTo("no block and no stop is in force\n");
        assertThat(CommandRun.of(environment(viewerKey), "block", "billing-1").errors())
                .contains("administrator");
    }

    @Test
    void a_rule_of_notifications_is_written_tested_and_removed(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("rule.yaml"),
                "events: [agent.lifecycle]\ntarget: {type: webhook, url: 'https://hooks.invalid/x'}\n");
        assertThat(run("notifications", "list").errors()).contains("there are no rules");
        CommandRun written = run("notifications", "set", "on-call", "--file", file.toString());
        assertThat(written.errors()).isEmpty();
        assertThat(written.out()).containsPattern("on-call +webhook");
        CommandRun test = run("notifications", "test", "on-call");
        assertThat(test.status()).isEqualTo(ExitStatus.NOT_FINE);
        assertThat(test.out()).contains("was not delivered");
        assertThat(run("notifications", "list", "-q").out()).isEqualTo("on-call\n");
        assertThat(run("notifications", "remove", "on-call").status()).isZero();
        assertThat(run("notifications", "list").errors()).contains("there are no rules");
        Path wrong = Files.writeString(folder.resolve("wrong.yaml"), "- 1");
        assertThat(run("notifications", "set", "x", "--file", wrong.toString()).errors())
                .contains("has no object");
    }

    @Test
    void a_workflow_is_written_shown_and_removed(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("flow.yaml"), "agents:\n  clerk:\n    capabilities: [billing]\n");
        assertThat(run("workflows", "set", "billing-flow", "--file", file.toString())
                        .out())
                .isEqualTo("billing-flow has version 1\n");
        assertThat(run("workflows", "list").out()).containsPattern("billing-flow +1 .*clerk");
        assertThat(json(run("workflows", "show", "billing-flow"))
                        .at("/agents/clerk/capabilities/0")
                        .asText())
                .isEqualTo("billing");
        assertThat(run("workflows", "remove", "billing-flow").status()).isZero();
        assertThat(run("workflows", "list").errors()).contains("there are no workflows");
    }

    @Test
    void the_configuration_is_printed_and_replaced_by_a_file(@TempDir Path folder) throws IOException {
        assertThat(run("configuration").out()).containsPattern("sweep_passes_per_minute +[0-9]+");
        ObjectNode before = (ObjectNode) json(run("configuration", "-o", "json"));
        Path file = Files.writeString(
                folder.resolve("c.json"),
                before.deepCopy().put("sweep_passes_per_minute", 2).toString());
        assertThat(run("configuration", "--file", file.toString()).out())
                .containsPattern("sweep_passes_per_minute +2\n");
        Files.writeString(file, before.toString());
        assertThat(run("configuration", "--file", file.toString()).status()).isZero();
    }

    @Test
    void an_agent_that_is_gone_is_erased_after_a_confirmation() {
        RegistryCaller administrator = new RegistryCaller(system.baseUrl(), ADMINISTRATOR);
        register(administrator, "erased-1", "billing", 600);
        assertThat(run("erase", "erased-1", "--yes").errors()).contains("agent_not_gone");
        assertThat(administrator.delete("/api/v1/agents/erased-1").status()).isLessThan(300);
        CommandRun unasked = run("erase", "erased-1");
        assertThat(unasked.errors()).contains("--yes is needed");
        assertThat(unasked.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(administrator.get("/api/v1/agents/erased-1").status()).isEqualTo(200);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                environment(ADMINISTRATOR), new PrintStream(out, true, StandardCharsets.UTF_8), System.err, false);
        int status = new CommandLine(new EraseCommand(terminal, time -> {
                    clock.advanceSeconds(time.toSeconds());
                    system.drainStreams();
                    system.runSchedules();
                }))
                .setDefaultValueProvider(new EnvironmentDefaults(terminal))
                .execute("erased-1", "--yes");
        assertThat(status).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("erased-1 is erased\n");
        assertThat(run("agent", "erased-1").status()).isEqualTo(ExitStatus.FAILED);
    }

    @Test
    void status_is_watched_until_the_reader_is_gone() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Duration> pauses = new ArrayList<>();
        Terminal terminal = new Terminal(
                environment(viewerKey), new PrintStream(out, true, StandardCharsets.UTF_8), System.err, false);
        StatusCommand status = new StatusCommand(terminal, time -> {
            pauses.add(time);
            if (pauses.size() == 3) {
                throw new InterruptedException("Ctrl-C");
            }
        });
        int code = new CommandLine(status)
                .setDefaultValueProvider(new EnvironmentDefaults(terminal))
                .execute("--watch", "5s");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(code).isZero();
        assertThat(pauses).containsOnly(Duration.ofSeconds(5)).hasSize(3);
        assertThat(out.toString(StandardCharsets.UTF_8).split("last 10 minutes", -1))
                .hasSize(4);
        assertThat(run("status", "--watch=0s").errors()).contains("--watch must be at least 1s");
    }

    @Test
    void an_agent_key_watches_an_address_without_repeating_it_as_endpoint() throws IOException {
        String agentKey = run("keys", "create", "--role", "agent").out().strip();
        CommandRun run = CommandRun.of(environment(agentKey), "watch", "https://mine.example.com/status");
        assertThat(run.errors()).isEmpty();
        assertThat(json(run("agent", "mine.example.com-status", "--json"))
                        .path("endpoint")
                        .asText())
                .isEqualTo("https://mine.example.com/");
        assertThat(CommandRun.of(
                                environment(agentKey),
                                "watch",
                                "https://other.example.com",
                                "--endpoint",
                                "https://mine.example.com")
                        .errors())
                .contains("ADDRESS must have the host of the agent's endpoint");
        new RegistryCaller(system.baseUrl(), ADMINISTRATOR).delete("/api/v1/agents/mine.example.com-status");
    }

    @Test
    void an_address_of_this_machine_is_refused_with_the_option_that_allows_it() {
        for (String address : new String[] {"http://localhost:9000/health", "https://127.0.0.1:9000/health"}) {
            assertThat(run("watch", address, "--owner", "administrator").errors())
                    .contains(
                            "ADDRESS must", "--allow-loopback-endpoints (AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS=true)");
        }
        assertThat(run("watch", "https://10.0.0.1", "--owner", "administrator").errors())
                .doesNotContain("--allow-loopback-endpoints");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "keys create --role coordinator --role-id a$b | --role-id must",
                "keys create --role agent --name toolong | --name may",
                "silences set night --agent billing-1 --for 400d | --for must",
                "silences set night --agent billing-1 --for 1h --cron never | --cron must",
                "silences set night --agent billing-1 --for 1h --cron @daily --time-zone Mars | --time-zone must",
                "watch https://w.example.com --owner administrator --id a$b | --id must"
            })
    void a_refused_request_names_options_and_no_fields(String command, String error) {
        CommandRun run = run(command.replace("toolong", "x".repeat(1000)).split(" "));
        assertThat(run.errors()).contains(error).doesNotContain("_seconds").doesNotContain("role_ids");
        assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
    }

    @Test
    void a_file_is_imported_once_and_shown(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("Our cards.json"),
                """
                        [{"name":"Bills","url":"https://bills.example/a2a","skills":[{"id":"invoice"}]}]\
                        """);
        String[] command = {"import", file.toString(), "--key-id", owner};
        CommandRun dry = run(with(command, "--dry-run"));
        assertThat(dry.out()).contains("our-cards.json, dry run, nothing was changed: 1 registered");
        assertThat(run("agent", "bills.example-a2a").status()).isEqualTo(1);
        CommandRun first = run(command);
        assertThat(first.errors()).isEmpty();
        assertThat(first.out()).containsPattern("registered +bills.example-a2a +https://bills.example/a2a\n");
        assertThat(run(command).out()).isEqualTo("our-cards.json: 1 unchanged\n");
        CommandRun other = run(with(command, "--name", "other"));
        assertThat(other.out()).contains("1 conflict", "by the source 'our-cards.json', which still has it");
        assertThat(other.status()).isEqualTo(ExitStatus.NOT_FINE);
        assertThat(json(run(with(command, "--json"))).at("/counts/unchanged").asInt())
                .isEqualTo(1);
        assertThat(run("sources").errors()).isEqualTo("there are no sources\n");
        new RegistryCaller(system.baseUrl(), ADMINISTRATOR).delete("/api/v1/agents/bills.example-a2a");
    }

    @Test
    void a_file_may_begin_with_a_byte_order_mark(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("marked.json"),
                "\ufeff[{\"name\":\"Marked\",\"url\":\"https://marked.example/a2a\",\"skills\":[]}]");
        CommandRun run = run("import", file.toString(), "--key-id", owner, "--dry-run");
        assertThat(run.out()).contains("1 registered");
    }

    @Test
    void an_import_of_a_cluster_names_what_it_skips_and_why(@TempDir Path folder) throws IOException {
        String job = "{'kind':'CronJob','metadata':{'name':'hourly','namespace':'shop',"
                + "'annotations':{'agent-health/id':'hourly-job'}},'spec':{'schedule':'@hourly'}}";
        String plain = "{'kind':'Service','metadata':{'name':'plain','namespace':'shop'}}";
        Path file = Files.writeString(
                folder.resolve("cluster.json"),
                ("{'apiVersion':'v1','kind':'List','items':[" + job + "," + plain + "]}").replace('\'', '"'));
        CommandRun run = run("import", file.toString(), "--key-id", owner);
        assertThat(run.errors()).isEmpty();
        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out())
                .containsPattern("registered +hourly-job")
                .contains(
                        "skipped: shop:Service:plain has no annotation that begins with agent-health/\n",
                        "cluster.json: 1 registered, 1 skipped\n");
        new RegistryCaller(system.baseUrl(), ADMINISTRATOR).delete("/api/v1/agents/hourly-job");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "[1; 1; is not valid JSON",
                "{}; 1; no agent card",
                "[]; 1; nothing in it declares an agent",
                "{'apiVersion':'v1','kind':'List','items':[]}; 1; agent-health/watch",
                "{'apiVersion':'batch/v1','kind':'CronJob','metadata':{'name':'n','annotations':{'agent-health/id':'n'}},'spec':{'schedule':'@reboot'}}; 3; must name times, and @reboot names none",
            })
    void a_file_that_cannot_be_imported_is_a_clear_error(String text, int status, String error, @TempDir Path folder)
            throws IOException {
        Path file = Files.writeString(folder.resolve("a.json"), text.replace('\'', '"'));
        CommandRun run = run("import", file.toString(), "--key-id", owner);
        assertThat(run.out() + run.errors()).contains(error);
        assertThat(run.status()).isEqualTo(status);
    }

    @Test
    void a_file_that_is_absent_or_too_large_is_a_clear_error(@TempDir Path folder) throws IOException {
        Path large = Files.write(folder.resolve("large.json"), new byte[5 * 1024 * 1024]);
        assertThat(run("import", large.toString(), "--key-id", "k").errors()).contains("larger than 4 MB");
        assertThat(run("import", "absent.json", "--key-id", "k").errors()).contains("absent.json cannot be read");
        assertThat(run("import", large.toString()).errors()).contains("--key-id KEY_ID names the key");
        assertThat(run("import", large.toString()).status()).isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void an_address_becomes_a_source_that_is_listed_and_removed() throws IOException {
        String address = "https://10.0.0.1/.well-known/ai-catalog.json";
        assertThat(run("import", address, "--key-id", owner).errors()).contains("must lead to a public address");
        address = "https://catalogue.invalid/.well-known/ai-catalog.json";
        CommandRun dry = run("import", address, "--key-id", owner, "--dry-run");
        assertThat(dry.out()).contains("error: " + address + ": ");
        assertThat(dry.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run("sources").errors()).contains("there are no sources");
        assertThat(run("import", address, "--key-id", owner).status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run("sources").out())
                .containsPattern("catalogue.invalid +\\d+ \\w+ ago +not complete +" + address)
                .contains("catalogue.invalid: error: " + address);
        assertThat(run("import", address, "--kind", "ai_catalog").status()).isEqualTo(ExitStatus.FAILED);
        assertThat(json(run("sources", "--json")).at("/sources/0/kind").asText())
                .isEqualTo("ai_catalog");
        assertThat(run("sources", "--remove", "catalogue.invalid").errors()).contains("there are no sources");
    }

    @Test
    void identity_providers_are_written_listed_and_removed(@TempDir Path folder) throws IOException {
        assertThat(run("identity-providers", "list").errors()).isEqualTo("there are no identity providers\n");
        Path file = folder.resolve("acme.json");
        Files.writeString(
                file,
                """
                        {"issuer":"https://sso.example.com","audiences":["agent-health"],"client_id":"page",\
                        "grants":[{"claim":"groups","value":"ops","role":"viewer"}]}\
                        """);
        assertThat(run("identity-providers", "set", "acme", "--file", file.toString())
                        .out())
                .contains("acme", "https://sso.example.com", "yes", "groups=ops: viewer");
        Files.writeString(
                file,
                json(run("identity-providers", "list", "--json"))
                        .at("/identity_providers/0")
                        .toString());
        assertThat(run("identity-providers", "set", "acme", "--file", file.toString())
                        .status())
                .isZero();
        Files.writeString(file, "{\"issuer\":\"http://sso.example.com\"}");
        assertThat(run("identity-providers", "set", "acme", "--file", file.toString())
                        .errors())
                .contains("'issuer'", "'audiences'", "'grants'");
        Files.writeString(file, "no JSON");
        assertThat(run("identity-providers", "set", "acme", "--file", file.toString())
                        .errors())
                .contains("cannot be read as JSON");
        assertThat(run("identity-providers", "remove", "acme").errors()).isEqualTo("removed acme\n");
        assertThat(run("identity-providers", "list").errors()).isEqualTo("there are no identity providers\n");
    }

    @Test
    void silences_are_written_listed_and_removed() throws IOException {
        assertThat(run("silences", "list").errors()).isEqualTo("there are no silences\n");
        assertThat(run("silences", "set", "release", "--role", "billing", "--for", "2h", "--reason", "2.4")
                        .out())
                .contains("role billing", "2.4");
        assertThat(run("silences", "set", "backup", "--everything", "--for", "1h", "--cron", "0 2 * * *")
                        .out())
                .containsPattern("backup +everything +0 2 \\* \\* \\* UTC, for 60 min");
        assertThat(run("silences", "set", "own", "--own", "--for", "15m").out()).contains("owner administrator");
        assertThat(json(run("silences", "list", "--json")).path("silences")).hasSize(3);
        assertThat(run("silences", "list", "--own").out()).contains("own").doesNotContain("backup");
        assertThat(run("audit", "--since", "365d", "--object", "silence/backup").out())
                .contains("administrator", "silence.written", "silence/backup")
                .doesNotContain("release");
        assertThat(json(run("audit", "--json", "--since", "365d", "--author", "administrator"))
                        .path("entries"))
                .isNotEmpty();
        assertThat(run("audit", "--agent", "nobody").errors()).isEqualTo("there are no such changes\n");
        assertThat(run("silences", "set", "s", "--for", "2h").errors()).contains("'scope' is required");
        assertThat(run("silences", "set", "s", "--role", "r", "--for", "2").errors())
                .contains("not a duration");
        for (String name : new String[] {"release", "backup"}) {
            assertThat(run("silences", "remove", name).errors()).isEqualTo("removed " + name + "\n");
        }
        run("silences", "remove", "own", "--own");
        assertThat(run("silences", "list").errors()).isEqualTo("there are no silences\n");
    }

    @Test
    void agents_are_stopped_counted_listed_and_released() throws IOException {
        assertThat(run("stop").errors()).isEqualTo("no stop is in force\n");
        assertThat(run("stop", "--role", "nowhere", "--dry-run").out())
                .isEqualTo("would stop: role:nowhere, 0 agents, 0 running tasks\n");
        assertThat(run("stop", "--role", "nowhere").errors()).contains("the reason is missing");
        assertThat(run("stop", "--reason", "why").errors()).contains("the agents are missing");
        assertThat(run("stop", "--all", "--agent", "a", "--reason", "why").status())
                .isEqualTo(ExitStatus.USAGE);
        assertThat(run("stop", "--role", "nowhere", "--reason", "deletes invoices")
                        .out())
                .isEqualTo("stopped: role:nowhere, 0 agents, 0 running tasks\n");
        assertThat(run("stop").out()).containsPattern("role:nowhere +deletes invoices .* administrator");
        assertThat(json(run("stop", "--json")).at("/stops/0/role_id").asText()).isEqualTo("nowhere");
        assertThat(run("stop", "--role", "nowhere", "--lift").out())
                .isEqualTo("lifted: role:nowhere, 0 agents, 0 running tasks\n");
        assertThat(run("stop", "--role", "nowhere", "--lift").errors()).contains("no stop 'role:nowhere'");
    }

    @Test
    void rules_contain_agents_after_they_observed(@TempDir Path folder) throws IOException {
        assertThat(run("containment", "list").errors()).isEqualTo("there are no rules that contain agents\n");
        Path file = Files.writeString(
                folder.resolve("rule.yaml"),
                "when: {reasons: [looping], for_seconds: 60}\naction: block\nrelease: {after_seconds: 30, trial_calls: 2}\nfilter: {roles: [nowhere]}\n");
        assertThat(run("containment", "set", "runaway", "--file", file.toString())
                        .out())
                .containsPattern("runaway +observe +block +looping");
        assertThat(run("containment", "show", "runaway").errors())
                .isEqualTo("the rule found no agent in the last seven days\n");
        assertThat(run("containment", "enforce", "runaway").out()).containsPattern("runaway +enforce");
        JsonNode rule = json(run("containment", "list", "--json")).at("/rules/0");
        assertThat(rule.path("mode").asText()).isEqualTo("enforce");
        assertThat(rule.at("/release/trial_calls").asInt()).isEqualTo(2);
        assertThat(rule.at("/filter/roles/0").asText()).isEqualTo("nowhere");
        assertThat(run("containment", "observe", "runaway").out()).containsPattern("runaway +observe");
        assertThat(run("containment", "show", "nothing").errors()).contains("There is no containment rule 'nothing'");
        assertThat(run("containment").errors()).contains("a command is missing");
        assertThat(run("containment", "remove", "runaway").errors()).isEqualTo("removed runaway\n");
    }

    @Test
    void status_says_who_was_blocked_and_who_was_unblocked() throws IOException {
        String events =
                """
                {"type":"agent.trust","agent_id":"billing-1","action":"blocked","reason":"under review"},
                {"type":"agent.trust","provider_id":"acme-labs","action":"unblocked"},
                {"type":"registry.blackout"}""";
        assertThat(statusOf("{\"agents\":1}", events))
                .contains("billing-1 trust -> blocked (under review)", "acme-labs trust -> unblocked")
                .contains("  registry blackout");
    }

    private static String statusOf(String health, String events) throws IOException {
        HttpServer registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        registry.createContext("/", exchange -> {
            String answer = exchange.getRequestURI().getPath().equals("/api/v1/health")
                    ? health
                    : "{\"agents\":[],\"events\":[" + events + "]}";
            exchange.sendResponseHeaders(200, answer.length());
            exchange.getResponseBody().write(answer.getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        registry.start();
        try {
            String url = "http://localhost:" + registry.getAddress().getPort();
            CommandRun status = CommandRun.of(Map.of("AGENT_HEALTH_URL", url, "AGENT_HEALTH_KEY", viewerKey), "status");
            assertThat(status.errors()).isEmpty();
            return status.out();
        } finally {
            registry.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"down", "DEGRADED"})
    void status_exits_with_3_when_an_agent_is_down_and_scripts_ask_for_it(String verdict) {
        assertThat(run("status", "--fail-on", verdict).status()).isEqualTo(3);
        assertThat(run("status", "--fail-on", verdict, "--json").status()).isEqualTo(3);
        assertThat(run("status", "--fail-on", "nothing").status()).isEqualTo(2);
    }

    @Test
    void status_is_the_answer_of_the_api_as_json() throws IOException {
        JsonNode health = json(run("status", "--json"));
        assertThat(health.path("by_verdict").path("down").asInt()).isEqualTo(1);
        assertThat(health.path("groups")
                        .path("role")
                        .path("planner")
                        .path("agents")
                        .isNumber())
                .isTrue();
    }

    @Test
    void agents_are_listed_with_every_status_unless_filtered() throws IOException {
        assertThat(run("agents").out()).contains("billing-1", "planner-1", "dead");
        assertThat(ids("agents", "--status", "dead")).containsExactly("planner-1");
        assertThat(ids("agents", "--verdict", "ok,degraded")).containsExactly("billing-1");
        assertThat(ids("agents", "--role", "billing")).containsExactly("billing-1");
        assertThat(ids("agents", "--kind", "agent", "--role", "billing")).containsExactly("billing-1");
        assertThat(ids("agents", "--kind", "mcp_server")).isEmpty();
        assertThat(ids("agents", "--capability", "planner")).containsExactly("planner-1");
        assertThat(ids("agents", "--limit", "1")).hasSize(1);
        assertThat(ids("agents", "--role", "none")).isEmpty();
        assertThat(run("agents", "--role", "none").errors()).contains("no agent matches");
    }

    private static String[] ids(String... arguments) throws IOException {
        return json(run(with(arguments, "--json")))
                .path("agents")
                .findValuesAsText("agent_id")
                .toArray(String[]::new);
    }

    private static String[] with(String[] arguments, String... more) {
        return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void a_value_of_a_filter_that_there_is_not_names_the_values_and_exits_with_2() {
        CommandRun verdict = run("agents", "--verdict", "dwn");
        assertThat(verdict.status()).isEqualTo(2);
        assertThat(verdict.errors()).contains("--verdict", "[ok, degraded, unknown, down, blocked, gone]", "'dwn'");
        CommandRun status = run("agents", "--status", "active,gone");
        assertThat(status.status()).isEqualTo(2);
        assertThat(status.errors()).contains("[active, draining, unhealthy, dead, deregistered]", "'gone'");
        assertThat(run("agents", "--verdict", "DOWN").status()).isZero();
    }

    @Test
    void a_filter_that_the_registry_refuses_names_the_option() {
        CommandRun run = run("agents", "--role", "no role");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.errors()).contains("refuses: --role must").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "agents", "keys list", "fleet"})
    void a_key_with_other_than_ascii_characters_is_a_clear_error(String command) {
        CommandRun run = CommandRun.of(environment("Schlüssel"), command.split(" "));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.errors()).startsWith("the API key has characters other than visible ASCII");
    }

    @Test
    void a_key_is_created_limited_rotated_listed_and_revoked() throws IOException {
        CommandRun created =
                run("keys", "create", "--role", "coordinator", "--name", "night shift", "--role-id", "billing,planner");
        assertThat(created.status()).isZero();
        assertThat(created.out()).as("the secret alone, for scripts").matches("ahk_\\S+\\R");
        String keyId = created.errors().split(" ")[0];
        String secret = created.out().strip();
        assertThat(CommandRun.of(environment(secret), "agents").errors()).isEmpty();

        CommandRun list = run("keys", "list");
        assertThat(list.out()).contains(keyId, "billing,planner", "night shift").doesNotContain(secret, ESCAPE);

        CommandRun limited = run("keys", "limit", keyId, "--tokens-per-hour", "5000", "--on-exceeded", "block");
        assertThat(limited.errors()).contains("limited " + keyId);
        assertThat(run("keys", "list").out()).contains("5000 tokens per hour");
        assertThat(run("keys", "limit", keyId, "--tokens-per-day", "0").errors())
                .contains("--tokens-per-day");
        assertThat(run("keys", "limit", keyId, "--on-exceeded", "block").status())
                .isEqualTo(2);
        assertThat(run("keys", "limit", keyId).errors()).contains("limits ended");
        assertThat(run("keys", "list").out()).doesNotContain("tokens per hour");

        JsonNode rotated = json(run("keys", "rotate", keyId, "--overlap-seconds", "60", "--json"));
        assertThat(rotated.path("api_key").asText()).startsWith("ahk_").isNotEqualTo(secret);

        assertThat(run("keys", "revoke", keyId).errors()).contains("revoked " + keyId);
        assertThat(json(run("keys", "list", "--json")).path("keys").findValuesAsText("key_id"))
                .doesNotContain(keyId);
        CommandRun again = run("keys", "revoke", keyId);
        assertThat(again.status()).isEqualTo(1);
        assertThat(again.errors()).contains("404");
    }

    @ParameterizedTest
    @CsvSource({
        "--allowed-address, ',', names nothing",
        "--role-id, ',', names nothing",
        "--action, ',,', names nothing",
        "--action, write, heartbeat",
        "--expires-at, 2030-01-01, is not a moment such as",
        "--expires-at, '', is not a moment such as"
    })
    void no_key_is_issued_without_a_limit_that_was_written(String option, String value, String message) {
        CommandRun run = run("keys", "create", "--role", "viewer", option, value);
        assertThat(run.out()).isEmpty();
        assertThat(run.errors()).contains(message).doesNotContain("Exception");
        assertThat(run.status()).isEqualTo(2);
    }

    @Test
    void the_key_comes_from_a_file_too(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("key"), viewerKey + "\n");
        Map<String, String> environment = Map.of("AGENT_HEALTH_URL", system.baseUrl());
        assertThat(CommandRun.of(environment, "status", "--key-file", file.toString())
                        .status())
                .isZero();
        assertThat(CommandRun.of(environment, "status", "--key-file", folder + "/none")
                        .status())
                .isEqualTo(2);
        assertThat(CommandRun.of(Map.of("AGENT_HEALTH_ADMIN_KEY", ADMINISTRATOR), "status", "--url", system.baseUrl())
                        .status())
                .isZero();
        CommandRun without = CommandRun.of(environment, "status");
        assertThat(without.status()).isEqualTo(2);
        assertThat(without.errors()).contains("AGENT_HEALTH_KEY", "--key-file");
    }

    @Test
    void a_token_file_is_used_where_no_key_is_set(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), viewerKey + "\n");
        Map<String, String> environment =
                new HashMap<>(Map.of("AGENT_HEALTH_URL", system.baseUrl(), "AGENT_HEALTH_TOKEN_FILE", file.toString()));
        assertThat(CommandRun.of(environment, "status").status()).isZero();
        environment.put("AGENT_HEALTH_ADMIN_KEY", ADMINISTRATOR);
        assertThat(CommandRun.of(environment, "keys", "list").errors()).contains("role administrator");

        Files.writeString(file, "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL3gifQ.c2ln");
        CommandRun refused = CommandRun.of(environment, "status");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.errors())
                .contains("does not accept this token (401)", "'exp'")
                .doesNotContain("eyJ");
        Files.delete(file);
        CommandRun missing = CommandRun.of(environment, "status");
        assertThat(missing.status()).isEqualTo(2);
        assertThat(missing.errors()).contains("cannot be read", file.toString());
    }

    @Test
    void an_unknown_key_and_one_without_permission_differ() {
        CommandRun unknown = CommandRun.of(environment("ahk_unknown"), "agents");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.errors()).contains("does not know this key", "401").hasLineCount(1);
        CommandRun forbidden = CommandRun.of(environment(viewerKey), "keys", "list");
        assertThat(forbidden.status()).isEqualTo(1);
        assertThat(forbidden.errors()).contains("403", "role administrator").hasLineCount(1);
    }

    @Test
    void a_registry_that_does_not_answer_is_named() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        for (String[] command : new String[][] {{"status"}, {"agents"}, {"keys", "list"}, {"fleet"}}) {
            CommandRun run = run(with(command, "--url", "http://localhost:" + port));
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.errors())
                    .contains(
                            "No registry answers at http://localhost:" + port, "connection refused", "AGENT_HEALTH_URL")
                    .hasLineCount(1);
        }
        assertThat(run("status", "--url", "http://no-such-host.invalid").errors())
                .contains("unknown host");
        CommandRun noUrl = run("status", "--url", "localhost:8080");
        assertThat(noUrl.status()).isEqualTo(2);
        assertThat(noUrl.errors()).contains("absolute http or https URL");
    }

    @Test
    void fleet_needs_an_administrators_key() {
        CommandRun run = CommandRun.of(environment(viewerKey), "fleet");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.errors()).contains("role administrator");
        assertThat(run("fleet", "--agents", "0").status()).isEqualTo(2);
    }

    @Test
    void there_are_colours_on_a_terminal_only_and_never_with_no_color() {
        Map<String, String> withoutColour = new HashMap<>(environment(ADMINISTRATOR));
        withoutColour.put("NO_COLOR", "1");
        for (String[] command : new String[][] {{"status"}, {"agents"}, {"--help"}}) {
            assertThat(run(command).out()).doesNotContain(ESCAPE);
            assertThat(CommandRun.of(environment(ADMINISTRATOR), true, command).out())
                    .contains(ESCAPE);
            assertThat(CommandRun.of(withoutColour, true, command).out()).doesNotContain(ESCAPE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "agents", "agents --json", "keys list"})
    void a_reader_that_goes_away_ends_the_command_quietly(String command) {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        Terminal terminal =
                new Terminal(environment(ADMINISTRATOR), new PrintStream(closed, true), new PrintStream(errors), false);
        assertThat(new CommandLineTool(terminal).run(command.split(" "))).isEqualTo(141);
        assertThat(errors.toString()).isEmpty();
    }
}
