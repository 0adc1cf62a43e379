package dev.agenthealth.functions.operations.notification;

import static dev.agenthealth.functions.operations.notification.NotificationHarness.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.MeasurementFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages about an agent that falls silent and is back, from the events that the system publishes about it. */
class DeathOfAnAgentTest {

    private static final String SCORED = ",\"expectations\":{\"window_seconds\":3600}";

    @AutoClose
    private final NotificationHarness notifications = new NotificationHarness();

    private final TestSystem system = notifications.system;
    private final MeasurementFunction measurement = new MeasurementFunction(system.wiring(Map.of()));
    private final TestAgent agent = new TestAgent(system, "billing");
    private int delivered;

    @ParameterizedTest
    @ValueSource(ints = {0, 20})
    void a_death_by_silence_is_one_alert_with_the_true_cause_that_the_return_resolves(int executions) {
        notifications.rule("on-call", "\"events\":[\"agent.lifecycle\",\"agent.health\"]");
        agent.register(SCORED);
        report(executions);
        publish();
        notifications.sent.clear();
        die();
        assertThat(agent.events())
                .extracting(event -> event.path("reason").asText())
                .contains("lifecycle");
        assertThat(summaries())
                .as("with %d successful executions", executions)
                .containsExactly(
                        "Agent billing is unhealthy: no heartbeat arrives.",
                        "Agent billing is dead: no heartbeat arrived.");
        notifications.sent.clear();
        comeBack();
        assertThat(summaries()).containsExactly("Agent billing is active: it registered again.");
        assertThat(notifications.openProblems("on-call")).isEmpty();
    }

    @Test
    void a_run_that_did_not_come_is_named_with_its_time_zone() {
        notifications.rule("on-call", "\"events\":[\"agent.lifecycle\"]");
        agent.register(
                """
                ,"heartbeat_config":{"schedule":{"cron":"0 2 * * *","time_zone":"Europe/Berlin"}}\
                """);
        publish();
        notifications.sent.clear();
        system.clock().advance(Duration.ofDays(2));
        agent.sweep();
        publish();
        agent.sweep();
        publish();
        assertThat(summaries())
                .hasSize(2)
                .first(InstanceOfAssertFactories.STRING)
                .startsWith("Agent billing is unhealthy: it did not run at 9 Feb 2026, 02:00 Europe/Berlin.");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20})
    void a_rule_about_health_alone_reports_the_death_with_its_cause_and_the_return(int executions) {
        notifications.rule("on-call", "\"events\":[\"agent.health\"]");
        agent.register(SCORED);
        report(executions);
        publish();
        notifications.sent.clear();
        die();
        assertThat(summaries()).contains("Agent billing is dead.").noneMatch(text -> text.contains("executions"));
        notifications.sent.clear();
        comeBack();
        assertThat(notifications.sent).isNotEmpty().allMatch(message -> message.recovery());
        assertThat(notifications.openProblems("on-call")).isEmpty();
    }

    @Test
    void executions_that_fail_are_reported_beside_the_lifecycle() {
        notifications.rule("on-call", "\"events\":[\"agent.lifecycle\",\"agent.health\"]");
        agent.register(SCORED);
        publish();
        notifications.sent.clear();
        report("failure", 20);
        publish();
        assertThat(summaries()).containsExactly("Agent billing fails in most of its executions.");
    }

    @Test
    void alerts_about_the_health_of_an_agent_end_when_it_deregisters_and_begin_again_when_it_is_back_and_fails() {
        notifications.rule("on-call", "\"events\":[\"agent.health\",\"agent.score\"]");
        agent.register(SCORED);
        report("failure", 20);
        publish();
        assertThat(notifications.openProblems("on-call")).hasSize(2);
        agent.deregister();
        notifications.sent.clear();
        for (int i = 0; i < 8; i++) {
            publish();
        }
        assertThat(summaries())
                .containsExactlyInAnyOrder(
                        "Agent billing deregistered: its health is no longer measured.",
                        "Agent billing has a score that is inactive.");
        assertThat(notifications.openProblems("on-call")).isEmpty();
        notifications.sent.clear();
        comeBack();
        assertThat(summaries())
                .containsExactlyInAnyOrder(
                        "Agent billing fails in most of its executions.",
                        "Agent billing has a score that is unhealthy.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent.clock_drift", "agent.drain_timeout"})
    void an_alert_without_an_event_that_ends_it_is_over_when_the_agent_registers_again(String type) {
        notifications.rule("on-call", "\"events\":[\"" + type + "\"]");
        agent.register(SCORED);
        publish();
        notifications.sent.clear();
        notifications.deliver(Json.text(Json.object()
                .put("source", "agent-health")
                .put("detail-type", type)
                .set(
                        "detail",
                        Json.object()
                                .put("event_id", "e")
                                .put("agent_id", "billing")
                                .put("sequence", 1)
                                .put("timestamp", Timestamps.text(system.clock().instant())))));
        publish();
        assertThat(notifications.openProblems("on-call")).hasSize(1);
        die();
        assertThat(notifications.openProblems("on-call")).hasSize(1);
        notifications.sent.clear();
        comeBack();
        assertThat(summaries()).containsExactly("Agent billing is active: it registered again.");
        assertThat(notifications.openProblems("on-call")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent.certificate_expiring", "agent.declaration_changed"})
    void an_alert_about_what_a_restart_does_not_change_lasts_until_the_agent_deregisters(String type) {
        notifications.rule("on-call", "\"events\":[\"" + type + "\"]");
        agent.register(SCORED);
        publish();
        notifications.deliver(Json.text(Json.object()
                .put("source", "agent-health")
                .put("detail-type", type)
                .set(
                        "detail",
                        Json.object()
                                .put("event_id", "e")
                                .put("agent_id", "billing")
                                .put("altered", "model")
                                .put("sequence", 1)
                                .put("timestamp", Timestamps.text(system.clock().instant())))));
        publish();
        assertThat(notifications.openProblems("on-call")).hasSize(1);
        assertThat(agent.register(SCORED + ",\"replace\":true").status()).isEqualTo(201);
        publish();
        assertThat(notifications.openProblems("on-call")).hasSize(1);
        agent.deregister();
        publish();
        assertThat(notifications.openProblems("on-call")).isEmpty();
    }

    private void die() {
        agent.becomeUnhealthy();
        publish();
        agent.becomeDead();
        publish();
    }

    /** Registers again, and lets the time pass that a health has to hold before its return is published. */
    private void comeBack() {
        agent.register(SCORED);
        for (int i = 0; i < 8; i++) {
            agent.sendHeartbeat();
            publish();
        }
    }

    private void report(int successes) {
        report("success", successes);
    }

    private void report(String result, int count) {
        if (count == 0) {
            return;
        }
        String outcomes = IntStream.range(0, count)
                .mapToObj(i -> "{\"result\":\"" + result + "\"}")
                .collect(Collectors.joining(","));
        int status = system.api()
                .post("/api/v1/agents/billing/outcomes")
                .key(TestSystem.AGENT_KEY)
                .body("{\"batch_id\":\"" + result + "\",\"outcomes\":[" + outcomes + "]}")
                .send()
                .status();
        assertThat(status).isEqualTo(202);
    }

    /** Measures, delivers what was published since the last time, and sends messages a minute later. */
    private void publish() {
        new DueStore(system.database()).markDue(agent.id());
        measurement.handleRequest(Map.of(), null);
        List<JsonNode> events = agent.events();
        events.subList(delivered, events.size())
                .forEach(event -> notifications.deliver(Json.text(Json.object()
                        .put("source", "agent-health")
                        .put("detail-type", event.path("type").asText())
                        .set("detail", event))));
        delivered = events.size();
        notifications.run();
        notifications.runAfter(MINUTE.plus(Duration.ofSeconds(1)));
    }

    private List<String> summaries() {
        return notifications.sent.stream()
                .flatMap(message -> message.entries().stream())
                .map(NotificationEntry::summary)
                .toList();
    }
}
