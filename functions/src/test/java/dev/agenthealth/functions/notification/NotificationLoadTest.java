package dev.agenthealth.functions.notification;

import static dev.agenthealth.functions.notification.NotificationHarness.LIFECYCLE;
import static dev.agenthealth.functions.notification.NotificationHarness.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.notification.NotificationMessage;
import dev.agenthealth.testkit.HookedDynamoDb;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Runs keep up with mass failures, in the time that their requests would take on AWS. */
class NotificationLoadTest {

    /** More than the usual latency of a batch read or a transaction of 45 writes. */
    private static final Duration REQUEST = Duration.ofMillis(25);

    private static final int DEATHS = 10_000;

    @AutoClose
    private final NotificationHarness notifications = new NotificationHarness();

    @Test
    void ten_thousand_deaths_in_a_minute_are_collected_by_one_run() {
        notifications.rule("on-call", LIFECYCLE);
        IntStream.range(0, DEATHS).forEach(i -> {
            notifications.lifecycle("a" + i, "unhealthy", "heartbeat_timeout");
            notifications.lifecycle("a" + i, "dead", "heartbeat_timeout");
        });
        AtomicInteger requests = new AtomicInteger();
        Instant start = notifications.system.clock().instant();
        NotificationRun.Result run =
                notifications.runThrough(new HookedDynamoDb(notifications.system.dynamoDb(), request -> {
                    requests.incrementAndGet();
                    notifications.system.clock().advance(REQUEST);
                }));
        assertThat(run.events()).isEqualTo(2 * DEATHS);
        assertThat(requests.get()).as("requests to the database").isLessThan(DEATHS / 10);
        assertThat(Duration.between(start, notifications.system.clock().instant()))
                .isLessThan(Duration.ofSeconds(30));
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent.stream()
                        .mapToInt(NotificationMessage::total)
                        .sum())
                .isEqualTo(2 * DEATHS);
        assertThat(notifications.sent).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void every_alert_of_six_hundred_incidents_is_resolved_when_they_end_at_once() {
        notifications.rule("on-call", LIFECYCLE + ",\"group_seconds\":5");
        int agents = 600;
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
