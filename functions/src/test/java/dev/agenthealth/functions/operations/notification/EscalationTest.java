package dev.agenthealth.functions.operations.notification;

import static dev.agenthealth.functions.operations.notification.NotificationHarness.LIFECYCLE;
import static dev.agenthealth.functions.operations.notification.NotificationHarness.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A rule with {@code after_seconds} reports a problem only after it has been open and unacknowledged for that time. */
class EscalationTest {

    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    @AutoClose
    private final NotificationHarness notifications = new NotificationHarness();

    @BeforeEach
    void rules() {
        notifications.rule("chat", LIFECYCLE);
        notifications.rule("pager", LIFECYCLE + ",\"after_seconds\":600");
    }

    @Test
    void a_second_rule_reports_at_its_time_and_both_report_the_end() {
        notifications.lifecycle("a", "unhealthy", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        assertThat(sent()).containsExactly("chat a unhealthy");
        minutes(8);
        assertThat(sent()).hasSize(1);
        minutes(2);
        assertThat(sent()).containsExactly("chat a unhealthy", "pager a unhealthy");
        minutes(30);
        assertThat(sent()).hasSize(2);
        notifications.lifecycle("a", "active", "heartbeat_resumed");
        notifications.runAfter(MINUTE);
        assertThat(sent()).hasSize(4).contains("chat a active", "pager a active");
        assertThat(deferred()).isEmpty();
    }

    @Test
    void a_problem_that_is_over_in_time_does_not_escalate() {
        notifications.lifecycle("a", "unhealthy", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        minutes(5);
        notifications.lifecycle("a", "active", "heartbeat_resumed");
        minutes(10);
        assertThat(sent()).containsExactly("chat a unhealthy", "chat a active");
        assertThat(deferred()).isEmpty();
    }

    @Test
    void a_problem_that_opens_again_waits_for_the_whole_time_again() {
        notifications.lifecycle("a", "unhealthy", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        notifications.lifecycle("a", "active", "heartbeat_resumed");
        minutes(4);
        notifications.lifecycle("a", "unhealthy", "heartbeat_timeout");
        minutes(9);
        assertThat(sent()).noneMatch(text -> text.startsWith("pager"));
        minutes(2);
        assertThat(sent()).filteredOn(text -> text.startsWith("pager")).containsExactly("pager a unhealthy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"acknowledge", "dismiss"})
    void a_handled_problem_does_not_escalate(String action) {
        notifications.lifecycle("a", "unhealthy", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        handle("a", action, "{}");
        minutes(15);
        assertThat(sent()).containsExactly("chat a unhealthy");
    }

    @Test
    void a_problem_escalates_after_its_acknowledgement_ended() {
        notifications.lifecycle("a", "unhealthy", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        handle("a", "acknowledge", "{\"for_seconds\":1200}");
        minutes(28);
        assertThat(sent()).hasSize(1);
        minutes(5);
        assertThat(sent()).containsExactly("chat a unhealthy", "pager a unhealthy");
        assertThat(deferred()).isEmpty();
    }

    @Test
    void a_silence_also_covers_a_problem_that_is_due() {
        notifications.lifecycle("a", "unhealthy", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        notifications
                .system
                .api()
                .put("/v1/admin/silences/s")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"scope\":{\"everything\":true},\"for_seconds\":1200}")
                .send();
        minutes(15);
        assertThat(sent()).hasSize(1);
        minutes(10);
        assertThat(sent()).filteredOn(text -> text.startsWith("pager")).containsExactly("pager a unhealthy");
    }

    @ParameterizedTest
    @CsvSource({"1, 5", "60, 5", "600, 20", "86400, 2880"})
    void a_batch_is_due_within_a_thirtieth_of_the_time(int after, int lateSeconds) {
        notifications.rule("pager", LIFECYCLE + ",\"after_seconds\":" + after);
        notifications.lifecycle("a", "unhealthy", "heartbeat_timeout");
        notifications.run();
        notifications.runAfter(Duration.ofSeconds(after - 1));
        assertThat(sent()).noneMatch(text -> text.startsWith("pager"));
        notifications.runAfter(Duration.ofSeconds(1 + lateSeconds + 30));
        assertThat(sent()).filteredOn(text -> text.startsWith("pager")).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    @Tag("slow")
    void a_crash_at_any_write_loses_nothing_and_repeats_no_message(WriteFailure way) {
        boolean failed = true;
        for (int write = 1; failed; write++) {
            notifications.sent.clear();
            String event = notifications.lifecycle("a" + write, "unhealthy", "heartbeat_timeout");
            boolean first = crashes(write, way);
            if (first) {
                notifications.deliver(event);
            }
            minutes(1);
            notifications.system.clock().advance(TEN_MINUTES);
            failed = crashes(write, way) || first;
            minutes(4);
            assertThat(notifications.sent.stream()
                            .filter(message -> message.rule().equals("pager"))
                            .map(NotificationMessage::messageId)
                            .distinct())
                    .as("write %d", write)
                    .hasSize(1);
            assertThat(deferred()).isEmpty();
        }
    }

    private boolean crashes(int write, WriteFailure way) {
        TestDynamoDb failing = new TestDynamoDb(notifications.system.dynamoDb()).failAt(write, way);
        try {
            notifications.runThrough(failing);
        } catch (CompletionException | Crash e) {
            assertThat(e).hasStackTraceContaining("the process ended");
        }
        return failing.hasFailed();
    }

    @Test
    void a_rule_that_waits_names_only_types_that_can_be_problems() {
        TestApi.Response refused = notifications.rule("pager", "\"events\":[\"lease.acquired\"],\"after_seconds\":600");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().at("/errors/0/field").textValue()).isEqualTo("after_seconds");
        assertThat(notifications
                        .rule("pager", LIFECYCLE + ",\"after_seconds\":86401")
                        .status())
                .isEqualTo(400);
        assertThat(notifications.get("pager").json().path("after_seconds").intValue())
                .isEqualTo(600);
        assertThat(notifications.get("chat").json().path("after_seconds").intValue())
                .isZero();
    }

    private void minutes(int number) {
        for (int i = 0; i < number; i++) {
            notifications.runAfter(MINUTE);
        }
    }

    private List<String> sent() {
        return notifications.sent.stream()
                .flatMap(message -> message.entries().stream()
                        .map(entry -> message.rule() + " " + entry.agentId() + " " + entry.to()))
                .toList();
    }

    private List<String> deferred() {
        return TableContents.of(notifications.system.tables()).items().stream()
                .filter(item -> item.containsKey("pk") && item.get("pk").s().startsWith("DEFERR"))
                .map(item -> item.get("pk").s() + " " + item.get("sk").s())
                .toList();
    }

    private void handle(String agentId, String action, String body) {
        String id = ProblemId.of("agent:" + agentId);
        assertThat(notifications
                        .system
                        .api()
                        .post("/api/v1/problems/" + id + "/" + action)
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(body)
                        .send()
                        .status())
                .isEqualTo(200);
    }
}
