package dev.agenthealth.functions.operations.notification;

import static dev.agenthealth.functions.operations.notification.NotificationHarness.LIFECYCLE;
import static dev.agenthealth.functions.operations.notification.NotificationHarness.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.ProblemId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The timeline of a problem names the notifications with their results, the silences, and the actions of people. */
class ProblemTimelineNotesTest {

    @AutoClose
    private final NotificationHarness notifications = new NotificationHarness();

    @BeforeEach
    void rule() {
        notifications.rule("on-call", LIFECYCLE);
    }

    @Test
    void a_delivered_message_is_noted_with_its_rule() {
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        assertThat(timeline("a")).containsExactly("opened error", "notified on-call delivered");
        assertThat(moments("a").get(1).path("message_id").asText())
                .isEqualTo(notifications.sent.get(0).messageId());
    }

    @Test
    void a_message_that_is_retried_changes_its_note_and_adds_none() {
        notifications.answer(
                new Delivery.Retry(Duration.ZERO, "no answer"), new Delivery.Retry(Duration.ZERO, "no answer"));
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        assertThat(timeline("a")).containsExactly("opened error", "notified on-call retrying");
        notifications.runAfter(MINUTE);
        assertThat(timeline("a")).containsExactly("opened error", "notified on-call retrying");
        notifications.runAfter(MINUTE);
        assertThat(timeline("a")).containsExactly("opened error", "notified on-call delivered");
    }

    @Test
    void a_refused_message_is_noted_without_the_words_of_the_receiver() {
        notifications.answer(new Delivery.Refused("no such channel at hooks.example"));
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        assertThat(timeline("a")).containsExactly("opened error", "notified on-call failed");
        assertThat(moments("a").toString()).doesNotContain("hooks.example");
    }

    @Test
    void a_silence_that_held_a_notification_back_is_noted_although_it_is_deleted_later() {
        silence("deployment");
        notifications.lifecycle("a", "unhealthy", "heartbeat_timeout");
        notifications.run();
        notifications.system.clock().advance(MINUTE);
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.run();
        assertThat(timeline("a")).containsExactly("opened warning", "worsened error", "silenced deployment");
        notifications
                .system
                .api()
                .delete("/v1/admin/silences/deployment")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
        notifications.runAfter(MINUTE);
        assertThat(timeline("a"))
                .containsExactly(
                        "opened warning", "worsened error", "silenced deployment", "notified on-call delivered");
    }

    @Test
    void people_and_the_end_are_in_the_timeline_and_texts_of_people_are_not() {
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        acknowledge("{\"assignee\":\"Ada\",\"note\":\"private words\"}");
        acknowledge("{\"for_seconds\":0}");
        notifications.system.clock().advanceSeconds(1);
        notifications.lifecycle("a", "active", "re_registered");
        notifications.run();
        assertThat(timeline("a"))
                .containsExactly("opened error", "notified on-call delivered", "acknowledged Ada", "released", "over");
        assertThat(moments("a").toString()).doesNotContain("private words");
    }

    @Test
    void a_list_has_no_timeline() {
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        JsonNode listed = notifications
                .system
                .api()
                .get("/api/v1/problems")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .path("problems");
        assertThat(listed).hasSize(1);
        assertThat(listed.get(0).has("timeline")).isFalse();
    }

    private void acknowledge(String body) {
        notifications.system.clock().advanceSeconds(1);
        assertThat(notifications
                        .system
                        .api()
                        .post("/api/v1/problems/" + ProblemId.of("agent:a") + "/acknowledge")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(body)
                        .send()
                        .status())
                .isEqualTo(200);
    }

    private void silence(String name) {
        assertThat(notifications
                        .system
                        .api()
                        .put("/v1/admin/silences/" + name)
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"scope\":{\"everything\":true},\"for_seconds\":600}")
                        .send()
                        .status())
                .isLessThan(300);
    }

    private JsonNode moments(String agentId) {
        return notifications
                .system
                .api()
                .get("/api/v1/problems/" + ProblemId.of("agent:" + agentId))
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .path("timeline");
    }

    private List<String> timeline(String agentId) {
        List<String> texts = new ArrayList<>();
        for (JsonNode moment : moments(agentId)) {
            List<String> words = new ArrayList<>();
            for (String field : List.of("what", "severity", "rule", "result", "silence", "assignee")) {
                if (moment.has(field)) {
                    words.add(moment.path(field).asText());
                }
            }
            texts.add(String.join(" ", words));
        }
        return texts;
    }
}
