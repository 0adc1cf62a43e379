package dev.agenthealth.functions.operations.notification;

import static dev.agenthealth.functions.operations.notification.NotificationHarness.LIFECYCLE;
import static dev.agenthealth.functions.operations.notification.NotificationHarness.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.storage.notifications.DigestStore;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.operations.notification.Collected;
import dev.agenthealth.model.operations.notification.Digest;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import dev.agenthealth.testkit.TableContents;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A message of many agents, which targets with alerts show as one, is over when the last of them has recovered. */
class RecoveredGroupTest {

    @AutoClose
    private final NotificationHarness notifications = new NotificationHarness();

    @Test
    void the_message_that_reports_the_last_recovery_ends_the_one_of_many_deaths() {
        notifications.rule("on-call", LIFECYCLE);
        notifications.answer(new Delivery.Retry(Duration.ZERO, "the receiver cannot be reached"));
        IntStream.rangeClosed(1, 7).forEach(i -> notifications.lifecycle("a" + i, "dead", "heartbeat_timeout"));
        notifications.runAfter(MINUTE);
        IntStream.rangeClosed(1, 6).forEach(i -> notifications.lifecycle("a" + i, "active", "re_registered"));
        notifications.runAfter(MINUTE);
        notifications.runAfter(MINUTE);
        String last = notifications.lifecycle("a7", "active", "re_registered");
        notifications.deliver(last);
        notifications.runAfter(MINUTE);
        notifications.deliver(last);
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).hasSize(4);
        String deaths = notifications.sent.get(0).messageId();
        assertThat(notifications.sent).extracting(NotificationMessage::open).containsExactly(7, 7, 0, 0);
        assertThat(notifications.sent)
                .extracting(NotificationMessage::ended)
                .containsExactly(List.of(), List.of(), List.of(), List.of("message:" + deaths));
        assertThat(TableContents.of(notifications.system.tables()).toString()).doesNotContain("G#" + deaths);
    }

    @Test
    void recoveries_that_two_runs_collect_at_the_same_time_end_the_message_once() {
        notifications.rule("on-call", LIFECYCLE);
        IntStream.rangeClosed(1, 8).forEach(i -> notifications.lifecycle("a" + i, "dead", "heartbeat_timeout"));
        notifications.runAfter(MINUTE);
        DigestStore digests = new DigestStore(notifications.system.database());
        List<CompletableFuture<Void>> runs = Stream.of(1, 2)
                .map(run -> CompletableFuture.runAsync(() -> {
                    for (int i = run; i <= 8; i += 2) {
                        digests.add("on-call", List.of(recovery("a" + i)));
                    }
                }))
                .toList();
        runs.forEach(CompletableFuture::join);
        Digest recoveries = digests.open("on-call").get(Collected.SOON);
        assertThat(recoveries.total()).isEqualTo(8);
        assertThat(recoveries.ended())
                .containsExactly("message:" + notifications.sent.get(0).messageId());
    }

    @Test
    void the_alerts_of_all_agents_that_failed_in_small_groups_are_ended_when_they_recover_at_once() {
        notifications.rule("on-call", LIFECYCLE);
        for (int i = 0; i < 32; i += 4) {
            IntStream.range(i, i + 4).forEach(j -> notifications.lifecycle("a" + j, "dead", "heartbeat_timeout"));
            notifications.runAfter(MINUTE);
        }
        notifications.sent.clear();
        IntStream.range(0, 32).forEach(i -> notifications.lifecycle("a" + i, "active", "re_registered"));
        notifications.answer(new Delivery.Retry(Duration.ZERO, "the receiver cannot be reached"));
        IntStream.range(0, 4).forEach(run -> notifications.runAfter(MINUTE));
        assertThat(notifications.sent).extracting(NotificationMessage::total).containsExactly(32, 32, 0);
        assertThat(notifications.sent.stream().skip(1))
                .flatExtracting(NotificationMessage::ended)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 32).mapToObj(i -> "agent:a" + i).toList());
    }

    private ReceivedEvent recovery(String agentId) {
        return ReceivedEvent.of(
                        EventType.AGENT_LIFECYCLE,
                        Map.of(
                                "agent_id",
                                agentId,
                                "event_id",
                                agentId + ":99",
                                "sequence",
                                "99",
                                "new_status",
                                "active",
                                "reason",
                                "re_registered",
                                "timestamp",
                                notifications.system.clock().instant().toString()))
                .get(0);
    }
}
