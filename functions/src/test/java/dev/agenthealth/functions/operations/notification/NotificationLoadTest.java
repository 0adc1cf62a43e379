package dev.agenthealth.functions.operations.notification;

import static dev.agenthealth.functions.operations.notification.NotificationHarness.LIFECYCLE;
import static dev.agenthealth.functions.operations.notification.NotificationHarness.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.operations.notification.NotificationMessage;
import dev.agenthealth.testkit.TestDynamoDb;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs keep up with mass failures, in the time that their requests would take on AWS. */
@Tag("slow")
class NotificationLoadTest {

    /** More than the usual latency of a batch read or a transaction of 45 writes. */
    private static final Duration REQUEST = Duration.ofMillis(25);

    @AutoClose
    private final NotificationHarness notifications = new NotificationHarness();

    @Test
    @Tag("exhaustive")
    void ten_thousand_deaths_in_a_minute_are_collected_by_one_run() {
        assertThat(timeToCollect(10_000)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void a_thousand_deaths_are_collected_in_little_more_than_a_tenth_of_that_time() {
        assertThat(timeToCollect(1_000)).isLessThan(Duration.ofMillis(2_500));
    }

    /** The time of the database's requests; each death is two events, and all are reported by the messages of the next run. */
    private Duration timeToCollect(int deaths) {
        notifications.rule("on-call", LIFECYCLE);
        IntStream.range(0, deaths).forEach(i -> {
            notifications.lifecycle("a" + i, "unhealthy", "heartbeat_timeout");
            notifications.lifecycle("a" + i, "dead", "heartbeat_timeout");
        });
        Instant start = notifications.system.clock().instant();
        NotificationRun.Result run = notifications.runThrough(new TestDynamoDb(notifications.system.dynamoDb())
                .before(request -> notifications.system.clock().advance(REQUEST)));
        assertThat(run.events()).isEqualTo(2 * deaths);
        Duration taken = Duration.between(start, notifications.system.clock().instant());
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent.stream()
                        .mapToInt(NotificationMessage::total)
                        .sum())
                .isEqualTo(2 * deaths);
        assertThat(notifications.sent).hasSizeLessThanOrEqualTo(2);
        return taken;
    }

    @Test
    void every_alert_of_more_than_five_hundred_incidents_is_resolved_when_they_end_at_once() {
        notifications.rule("on-call", LIFECYCLE + ",\"group_seconds\":5");
        int agents = 550;
        for (int i = 0; i < agents; i += 5) {
            IntStream.range(i, i + 5).forEach(j -> notifications.lifecycle("a" + j, "dead", "heartbeat_timeout"));
            notifications.runAfter(Duration.ofSeconds(6));
        }
        assertThat(notifications.sent).noneMatch(NotificationMessage::isGroup);
        notifications.sent.clear();
        IntStream.range(0, agents).forEach(i -> notifications.lifecycle("a" + i, "active", "re_registered"));
        notifications.runAfter(Duration.ofSeconds(6));
        List<String> ended = notifications.sent.stream()
                .flatMap(message -> message.ended().stream())
                .toList();
        assertThat(ended)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, agents).mapToObj(i -> "agent:a" + i).toList());
        assertThat(notifications.openProblems("on-call")).isEmpty();
    }
}
