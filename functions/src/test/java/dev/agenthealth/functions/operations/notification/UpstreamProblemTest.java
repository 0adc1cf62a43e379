package dev.agenthealth.functions.operations.notification;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.MeasurementFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.sweep.Sweep;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import dev.agenthealth.model.registry.lifecycle.FailedRun;
import dev.agenthealth.testkit.TestContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Model providers that fail for many agents: their problems, messages, verdicts, scores and reputation. */
class UpstreamProblemTest {

    private static final String LIMITED =
            ",\"upstream\":{\"provider\":\"OpenAI\",\"model\":\"gpt-5\",\"error\":\"rate_limited\"}";
    private static final String OF_B = ",\"upstream\":{\"provider\":\"anthropic\"}";
    private static final String EVENTS =
            "\"events\":[\"upstream.failing\",\"agent.health\",\"agent.score\",\"agent.stalled\",\"agent.run_failed\"]";

    @AutoClose
    private final NotificationHarness notifications = new NotificationHarness();

    private final TestSystem system = notifications.system;
    private final MeasurementFunction measurement = new MeasurementFunction(system.wiring(Map.of()));
    private final Sweep sweep = system.sweep();
    private final Set<String> delivered = new HashSet<>();
    private final List<JsonNode> events = new ArrayList<>();
    private final List<TestAgent> onA = new ArrayList<>();
    private final List<TestAgent> onB = new ArrayList<>();
    private int batches;

    @BeforeEach
    void registerAgents() {
        notifications.rule("on-call", EVENTS);
        for (int i = 0; i < 20; i++) {
            TestAgent agent = new TestAgent(system, (i < 12 ? "a" : "b") + i);
            assertThat(agent.register("").status()).isEqualTo(201);
            (i < 12 ? onA : onB).add(agent);
        }
        minute();
        notifications.sent.clear();
        events.clear();
    }

    @Test
    void twelve_of_twenty_agents_that_meet_429_are_one_problem_and_one_message() {
        fail(onA);
        succeed(onB, OF_B);
        minute();
        minute();
        minute();
        assertThat(openProblems()).containsExactly("upstream");
        assertThat(summaries())
                .containsExactly(
                        "Model provider openai fails for 12 of 12 agents that use it: rate_limited; models: gpt-5.");
        JsonNode problem = problem();
        assertThat(problem.path("title").textValue()).isEqualTo("Model provider openai");
        assertThat(problem.path("state").textValue()).isEqualTo("open");
        JsonNode event = events("upstream.failing").get(0);
        JsonNode figures = event.path("figures").path("gpt-5").path("rate_limited");
        assertThat(figures.path("agents").longValue()).isEqualTo(12);
        assertThat(figures.path("calls").longValue()).isEqualTo(144);
        assertThat(event.path("users").longValue()).isEqualTo(12);
        onB.forEach(agent -> {
            assertThat(row(agent).path("verdict").textValue()).isEqualTo("ok");
            assertThat(row(agent).path("reasons")).isEmpty();
        });
        onA.forEach(agent -> {
            assertThat(row(agent).path("reasons").toString()).contains("\"upstream\"");
            assertThat(row(agent).path("upstream").toString())
                    .isEqualTo("{\"provider\":\"openai\",\"since\":\""
                            + problem.path("opened_at").textValue() + "\",\"problem_id\":\""
                            + ProblemId.of("upstream:openai") + "\"}");
            assertThat(score(agent).path("reasons").toString())
                    .contains("Model provider openai fails for many agents since ")
                    .contains(ProblemId.of("upstream:openai"));
        });
    }

    @Test
    void the_recovery_closes_the_problem_once() {
        fail(onA);
        minute();
        assertThat(openProblems()).containsExactly("upstream");
        notifications.sent.clear();
        succeed(onA, ",\"upstream\":{\"provider\":\"openai\"}");
        minute();
        minute();
        minute();
        assertThat(openProblems()).isEmpty();
        assertThat(problem().path("state").textValue()).isEqualTo("resolved");
        assertThat(events("upstream.recovered")).hasSize(1);
        assertThat(events("upstream.recovered").get(0).path("agents").longValue())
                .isEqualTo(12);
        assertThat(summaries())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("Model provider openai answers again, after ")
                .endsWith(" s. It failed for 12 agents.");
        onA.forEach(agent -> assertThat(row(agent).path("reasons").toString()).doesNotContain("upstream"));
        assertThat(row(onA.get(0)).has("upstream")).isFalse();
    }

    @Test
    void the_problem_ends_after_five_minutes_without_failing_calls() {
        fail(onA);
        minute();
        for (int i = 0; i < 4; i++) {
            minute();
            assertThat(events("upstream.recovered")).as("minute %d", i).isEmpty();
        }
        minute();
        minute();
        minute();
        assertThat(events("upstream.recovered")).hasSize(1);
    }

    @Test
    void a_401_of_one_agent_is_its_own_problem() {
        onA.forEach(agent -> report(
                agent,
                TestSystem.AGENT_KEY,
                "failure",
                LIMITED.replace("rate_limited", "auth"),
                agent == onA.get(0) ? 20 : 1));
        minute();
        minute();
        assertThat(openProblems()).contains("health").doesNotContain("upstream");
        assertThat(events("upstream.failing")).isEmpty();
        assertThat(row(onA.get(0)).path("verdict").textValue()).isEqualTo("down");
        assertThat(row(onA.get(0)).path("reasons").toString()).doesNotContain("upstream");
        assertThat(summaries()).isNotEmpty().allMatch(text -> text.startsWith("Agent a0 "));
    }

    @Test
    void four_agents_are_no_shared_cause_and_have_their_own_problems() {
        fail(onA.subList(0, 4));
        succeed(onA.subList(4, 12), ",\"upstream\":{\"provider\":\"openai\"}");
        minute();
        minute();
        assertThat(openProblems()).containsOnly("health").hasSize(4);
        assertThat(events("upstream.failing")).isEmpty();
    }

    @Test
    void failures_because_of_a_provider_touch_neither_score_nor_reputation() {
        onA.forEach(agent -> succeed(List.of(agent), ""));
        minute();
        double before = score(onA.get(0)).path("score").doubleValue();
        String trust = trust(onA.get(0));
        onA.forEach(agent -> report(agent, TestSystem.COORDINATOR_KEY, "failure", LIMITED, 40));
        minute();
        minute();
        assertThat(score(onA.get(0)).path("score").doubleValue()).isEqualTo(before);
        assertThat(score(onA.get(0)).path("errors").path("upstream").longValue())
                .isEqualTo(40);
        assertThat(trust(onA.get(0))).isEqualTo(trust);
        report(onA.get(0), TestSystem.COORDINATOR_KEY, "failure", "", 40);
        minute();
        assertThat(score(onA.get(0)).path("score").doubleValue()).isLessThan(before);
        assertThat(trust(onA.get(0))).isNotEqualTo(trust);
    }

    @Test
    void a_stall_and_a_failing_run_of_a_concerned_agent_are_parts_and_of_another_agent_are_not() {
        fail(onA);
        minute();
        notifications.sent.clear();
        for (TestAgent agent : List.of(onA.get(1), onB.get(1))) {
            deliver("agent.stalled", agent, "\"phase\":\"model\",\"severity\":\"warning\"");
            deliver("agent.run_failed", agent, "\"severity\":\"error\"");
        }
        minute();
        assertThat(openProblems()).containsExactlyInAnyOrder("upstream", "stall", "run");
        assertThat(summaries())
                .hasSize(2)
                .allMatch(text -> text.startsWith("Agent " + onB.get(1).id() + " "));
    }

    @Test
    void a_stall_that_outlives_the_problem_of_its_provider_becomes_a_problem_of_its_own() {
        TestAgent stalling = new TestAgent(system, "stalling");
        assertThat(stalling.register(",\"heartbeat_config\":{\"stall_after_seconds\":{\"tool\":900}}")
                        .status())
                .isEqualTo(201);
        fail(onA);
        fail(List.of(stalling));
        minute();
        Instant lastProgress = system.clock().instant().minusSeconds(901);
        work(stalling, lastProgress);
        minute();
        assertThat(openProblems()).containsExactly("upstream");
        assertThat(events("agent.stalled")).hasSize(1);
        succeed(onA, ",\"upstream\":{\"provider\":\"openai\"}");
        succeed(List.of(stalling), ",\"upstream\":{\"provider\":\"openai\"}");
        for (int i = 0; i < 4; i++) {
            work(stalling, lastProgress);
            minute();
        }
        assertThat(events("agent.stalled")).hasSize(2);
        assertThat(openProblems()).containsExactly("stall");
    }

    @Test
    void a_loop_that_outlives_the_problem_of_its_provider_becomes_a_problem_of_its_own() {
        TestAgent looping = new TestAgent(system, "looping");
        assertThat(looping.register(",\"heartbeat_config\":{\"max_repeats\":5}").status())
                .isEqualTo(201);
        fail(onA);
        fail(List.of(looping));
        minute();
        Instant since = system.clock().instant();
        repeat(looping, since);
        minute();
        assertThat(openProblems()).containsExactly("upstream");
        assertThat(events("agent.looping")).hasSize(1);
        succeed(onA, ",\"upstream\":{\"provider\":\"openai\"}");
        succeed(List.of(looping), ",\"upstream\":{\"provider\":\"openai\"}");
        for (int i = 0; i < 4; i++) {
            repeat(looping, since);
            minute();
        }
        assertThat(events("agent.looping")).hasSize(2);
        assertThat(openProblems()).containsExactly("loop");
    }

    @Test
    void a_failed_run_that_outlives_the_problem_of_its_provider_becomes_a_problem_of_its_own_and_once() {
        TestAgent running = new TestAgent(system, "running");
        assertThat(running.register("").status()).isEqualTo(201);
        String url = system.api()
                .post("/api/v1/agents/running/ping-url")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json()
                .path("ping_url")
                .textValue();
        String ping = url.substring(url.indexOf("/p/"));
        notifications.rule("runs", "\"events\":[\"agent.run_failed\"]");
        fail(onA);
        fail(List.of(running));
        minute();
        assertThat(system.api().get(ping + "/3").send().status()).isEqualTo(200);
        minute();
        assertThat(openProblems()).containsExactly("upstream");
        assertThat(events("agent.run_failed")).hasSize(1);
        assertThat(events("agent.run_failed").get(0).has("outlives")).isFalse();
        assertThat(summaries())
                .filteredOn(text -> text.startsWith("Agent running"))
                .hasSize(1);
        succeed(onA, ",\"upstream\":{\"provider\":\"openai\"}");
        succeed(List.of(running), ",\"upstream\":{\"provider\":\"openai\"}");
        notifications.sent.clear();
        for (int i = 0; i < 4; i++) {
            running.sendHeartbeat();
            minute();
        }
        assertThat(events("agent.run_failed")).hasSize(2);
        assertThat(openProblems()).containsExactly("run");
        assertThat(events("agent.run_failed").get(1).path("outlives").textValue())
                .isEqualTo("upstream.failing");
        assertThat(notifications.sent.stream()
                        .filter(message -> message.entries().stream()
                                .anyMatch(entry -> entry.summary().equals("Agent running failed in its last run.")))
                        .map(NotificationMessage::rule))
                .as("the rule that reported the run once")
                .containsExactly("on-call");
        assertThat(system.api().get(ping).send().status()).isEqualTo(200);
        running.sendHeartbeat();
        minute();
        assertThat(openProblems()).isEmpty();
        assertThat(running.pulse().failedRun()).isEqualTo(FailedRun.NONE);
    }

    private void repeat(TestAgent agent, Instant since) {
        long age = Duration.between(since, system.clock().instant()).toSeconds();
        agent.sendHeartbeat(
                "active",
                ",\"activity\":{\"phase\":\"tool\",\"tool\":\"search\",\"no_progress_seconds\":" + age
                        + ",\"repeats\":6}");
    }

    @Test
    void a_rule_that_does_not_report_providers_reports_the_agents() {
        notifications.rule("health", "\"events\":[\"agent.health\"]");
        fail(onA);
        minute();
        minute();
        assertThat(notifications.sent.stream()
                        .flatMap(message -> message.entries().stream())
                        .filter(entry -> entry.summary().startsWith("Agent "))
                        .count())
                .isEqualTo(12);
        assertThat(openProblems()).containsExactly("upstream");
    }

    @Test
    void a_rule_that_waits_for_an_acknowledgement_leaves_out_agents_without_a_problem_of_their_own() {
        notifications.rule("late", "\"events\":[\"agent.health\"],\"after_seconds\":60");
        fail(onA);
        for (int i = 0; i < 4; i++) {
            minute();
        }
        assertThat(openProblems()).containsExactly("upstream");
        assertThat(summaries()).isNotEmpty().noneMatch(text -> text.startsWith("Agent "));
    }

    @Test
    void a_repeated_report_counts_once() {
        String at = system.clock().instant().toString();
        for (int i = 0; i < 3; i++) {
            onA.forEach(agent -> post(
                    agent,
                    TestSystem.AGENT_KEY,
                    "{\"batch_id\":\"same\",\"outcomes\":[{\"result\":\"failure\",\"occurred_at\":\"" + at + "\""
                            + LIMITED + "}]}"));
        }
        minute();
        assertThat(events("upstream.failing").get(0).path("calls").longValue()).isEqualTo(12);
    }

    @Test
    void outcomes_in_heartbeats_count_too() {
        onA.forEach(agent -> assertThat(agent.sendHeartbeat(
                                "active", ",\"batch_id\":\"b\",\"outcomes\":[{\"result\":\"failure\"" + LIMITED + "}]")
                        .status())
                .isEqualTo(200));
        minute();
        assertThat(events("upstream.failing")).hasSize(1);
    }

    @Test
    void a_wrong_field_is_named_and_nothing_is_counted() {
        for (String wrong : List.of(
                "\"upstream\":\"openai\"",
                "\"upstream\":{}",
                "\"upstream\":{\"provider\":\"\"}",
                "\"upstream\":{\"provider\":7}",
                "\"upstream\":{\"provider\":\"" + "x".repeat(65) + "\"}",
                "\"upstream\":{\"provider\":\"openai\",\"error\":\"angry\"}",
                "\"upstream\":{\"provider\":\"openai\",\"status\":429}")) {
            TestApi.Response answer = system.api()
                    .post("/api/v1/agents/a0/outcomes")
                    .key(TestSystem.AGENT_KEY)
                    .body("{\"batch_id\":\"w\",\"outcomes\":[{\"result\":\"failure\"," + wrong + "}]}")
                    .send();
            assertThat(answer.status()).as(wrong).isEqualTo(400);
            assertThat(answer.text()).as(wrong).contains("outcomes[0].upstream");
        }
        assertThat(system.api()
                        .post("/api/v1/agents/a0/outcomes")
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"batch_id\":\"w\",\"outcomes\":[{\"result\":\"success\"" + LIMITED + "}]}")
                        .send()
                        .text())
                .contains("outcomes[0].upstream.error");
        assertThat(system.database().registry().get(ItemKind.UPSTREAM_CALLS.key("0", "a0")))
                .isEmpty();
        assertThat(score(onA.get(0)).path("executions").longValue()).isZero();
    }

    private void work(TestAgent agent, Instant lastProgress) {
        long age = Duration.between(lastProgress, system.clock().instant()).toSeconds();
        agent.sendHeartbeat("active", ",\"activity\":{\"phase\":\"tool\",\"no_progress_seconds\":" + age + "}");
    }

    private void fail(List<TestAgent> agents) {
        agents.forEach(agent -> report(agent, TestSystem.AGENT_KEY, "failure", LIMITED, 12));
    }

    private void succeed(List<TestAgent> agents, String more) {
        agents.forEach(agent -> report(agent, TestSystem.AGENT_KEY, "success", more, 12));
    }

    private void report(TestAgent agent, String key, String result, String more, int count) {
        String outcomes = IntStream.range(0, count)
                .mapToObj(i -> "{\"result\":\"" + result + "\"" + more + "}")
                .collect(Collectors.joining(","));
        batches++;
        post(agent, key, "{\"batch_id\":\"batch-" + batches + "\",\"outcomes\":[" + outcomes + "]}");
    }

    private void post(TestAgent agent, String key, String body) {
        TestApi.Response answer = system.api()
                .post("/api/v1/agents/" + agent.id() + "/outcomes")
                .key(key)
                .body(body)
                .send();
        assertThat(answer.status()).as(answer.text()).isEqualTo(202);
    }

    private void deliver(String type, TestAgent agent, String fields) {
        batches++;
        notifications.deliver(
                """
                {"source":"agent-health","detail-type":"%s","detail":{"type":"%s","event_id":"x%d","agent_id":"%s",
                 "timestamp":"%s","sequence":%d,%s}}\
                """
                        .formatted(
                                type, type, batches, agent.id(), system.clock().instant(), 100 + batches, fields));
    }

    /** Runs the functions that run every minute, with the events delivered before the notifications. */
    private void minute() {
        system.clock().advance(Duration.ofSeconds(20));
        onA.forEach(TestAgent::sendHeartbeat);
        onB.forEach(TestAgent::sendHeartbeat);
        measurement.handleRequest(Map.of(), TestContext.of("MeasurementFunction"));
        sweep.passes(TestContext.of("SweepFunction"));
        // The log of events has everything that is older than some seconds.
        system.clock().advance(Duration.ofSeconds(10));
        JsonNode page = get("/api/v1/events", "limit", "500");
        for (JsonNode event : page.path("events")) {
            JsonNode detail = event.has("detail") ? event.path("detail") : event;
            if (delivered.add(detail.path("event_id").asText())) {
                events.add(detail);
                notifications.deliver(Json.text(Json.object()
                        .put("source", "agent-health")
                        .put("detail-type", detail.path("type").asText())
                        .set("detail", detail)));
            }
        }
        notifications.run();
        notifications.runAfter(Duration.ofSeconds(30));
        notifications.run();
    }

    private List<JsonNode> events(String type) {
        return events.stream()
                .filter(event -> event.path("type").asText().equals(type))
                .toList();
    }

    private List<String> openProblems() {
        return StreamSupport.stream(
                        get("/api/v1/problems", "limit", "100").path("problems").spliterator(), false)
                .filter(problem -> !problem.path("state").asText().equals("resolved"))
                .map(problem -> problem.path("kind").asText())
                .toList();
    }

    private JsonNode problem() {
        return get("/api/v1/problems/" + ProblemId.of("upstream:openai"));
    }

    private JsonNode row(TestAgent agent) {
        for (JsonNode row : get("/api/v1/agents", "limit", "100").path("agents")) {
            if (row.path("agent_id").asText().equals(agent.id())) {
                return row;
            }
        }
        throw new AssertionError(agent.id());
    }

    private JsonNode score(TestAgent agent) {
        return get("/api/v1/agents/" + agent.id() + "/health");
    }

    private String trust(TestAgent agent) {
        return get("/v1/trust/agents/" + agent.id()).path("reputation_score").toString();
    }

    private JsonNode get(String path, String... query) {
        TestApi.Request request = system.api().get(path).key(TestSystem.ADMINISTRATOR_KEY);
        for (int i = 0; i < query.length; i += 2) {
            request.query(query[i], query[i + 1]);
        }
        TestApi.Response answer = request.send();
        assertThat(answer.status()).as(path + answer.text()).isEqualTo(200);
        return answer.json();
    }

    private List<String> summaries() {
        return notifications.sent.stream()
                .flatMap(message -> message.entries().stream())
                .map(NotificationEntry::summary)
                .toList();
    }
}
