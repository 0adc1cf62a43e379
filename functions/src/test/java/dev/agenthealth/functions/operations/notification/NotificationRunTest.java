package dev.agenthealth.functions.operations.notification;

import static dev.agenthealth.functions.operations.notification.NotificationHarness.LIFECYCLE;
import static dev.agenthealth.functions.operations.notification.NotificationHarness.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** From the events of the bus to messages: grouped, once each, with recoveries, held in quiet hours, retried and given up. */
class NotificationRunTest {

    @AutoClose
    private final NotificationHarness notifications = new NotificationHarness();

    @Test
    void thirty_seven_deaths_are_one_message_that_shows_twenty() {
        notifications.rule("on-call", LIFECYCLE);
        IntStream.rangeClosed(1, 37).forEach(i -> notifications.lifecycle("a" + i, "dead", "heartbeat_timeout"));
        notifications.run();
        assertThat(notifications.sent).as("they may still arrive").isEmpty();
        notifications.runAfter(MINUTE);
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).singleElement().satisfies(message -> {
            assertThat(message.total()).isEqualTo(37);
            assertThat(message.entries()).hasSize(20).doesNotHaveDuplicates();
            assertThat(message.rule()).isEqualTo("on-call");
            assertThat(message.recovery()).isFalse();
        });
        assertThat(notifications.state("on-call", "last_delivery")).isEqualTo("2026-02-08T10:01:00.000Z");
    }

    @Test
    void an_event_that_waited_longer_than_the_grouping_is_sent_at_once() {
        notifications.rule("on-call", LIFECYCLE);
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).hasSize(1);
    }

    /** The events of a sweep arrive after the run that it starts. */
    @ParameterizedTest
    @CsvSource({"5, 2", "10, 1", "30, 1"})
    void what_two_sweeps_find_is_one_message_where_the_group_time_is_longer_than_between_them(
            int groupSeconds, int messages) {
        notifications.rule("on-call", LIFECYCLE + ",\"group_seconds\":" + groupSeconds);
        for (int sweep = 0; sweep < 10; sweep++) {
            notifications.runAfter(Duration.ofSeconds(5));
            if (sweep < 2) {
                notifications.lifecycle("a" + sweep, "dead", "heartbeat_timeout");
            }
        }
        assertThat(notifications.sent).hasSize(messages);
        assertThat(notifications.sent.stream().mapToInt(NotificationMessage::total))
                .hasSize(messages)
                .allMatch(total -> total == 2 / messages);
    }

    @Test
    void an_event_that_is_delivered_again_counts_once() {
        notifications.rule("on-call", LIFECYCLE);
        String event = notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.deliver(event);
        notifications.run();
        notifications.deliver(event);
        notifications.runAfter(MINUTE);
        notifications.deliver(event);
        notifications.runAfter(MINUTE);
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).singleElement().satisfies(message -> assertThat(message.total())
                .isEqualTo(1));
    }

    @Test
    void each_rule_gets_its_own_message() {
        notifications.rule("all", LIFECYCLE);
        notifications.rule("errors", LIFECYCLE + ",\"filter\":{\"severities\":[\"error\"]}");
        notifications.rule("pools", "\"events\":[\"pool.below_minimum\"]");
        notifications.lifecycle("a", "unhealthy", "heartbeat_timeout");
        notifications.lifecycle("b", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent)
                .extracting(NotificationMessage::rule, NotificationMessage::total)
                .containsExactlyInAnyOrder(tuple("all", 2), tuple("errors", 1));
    }

    @Test
    void a_recovery_is_sent_where_its_problem_was() {
        notifications.rule("errors", LIFECYCLE + ",\"filter\":{\"severities\":[\"error\"]}");
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.lifecycle("b", "unhealthy", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        notifications.lifecycle("a", "active", "re_registered");
        notifications.lifecycle("b", "active", "heartbeat_resumed");
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).hasSize(2);
        NotificationMessage recovery = notifications.sent.get(1);
        assertThat(recovery.recovery()).isTrue();
        assertThat(recovery.entries()).extracting(NotificationEntry::agentId).containsExactly("a");
        assertThat(recovery.entries().get(0).subject())
                .isEqualTo(notifications.sent.get(0).entries().get(0).subject());
    }

    @Test
    void a_pool_that_recovers_and_a_mass_silence_that_ends_are_reported_to_a_rule_that_names_the_problems() {
        notifications.rule(
                "on-call",
                """
                        "events":["pool.below_minimum","registry.mass_silence"],"filter":{"severities":["critical",\
                        "error"]}\
                        """);
        String pool = "\"role_id\":\"billing\",\"active_instances\":%d,\"min_instances\":2";
        String fleet = "\"monitored_agents\":60,\"silent_agents\":%d,\"deaths_per_minute\":6";
        notifications.event("pool.recovered", pool.formatted(2));
        notifications.runAfter(MINUTE);
        notifications.event("pool.below_minimum", pool.formatted(1));
        notifications.event("registry.mass_silence", fleet.formatted(40));
        notifications.runAfter(MINUTE);
        notifications.event("pool.recovered", pool.formatted(3));
        notifications.event("registry.mass_silence_over", fleet.formatted(4));
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).extracting(NotificationMessage::recovery).containsExactly(false, true);
        assertThat(notifications.sent.get(1).entries())
                .extracting(NotificationEntry::summary)
                .containsExactlyInAnyOrder(
                        "Pool billing has 3 active agents and no longer fewer than its minimum of 2.",
                        "The mass silence is over: 4 of 60 agents are silent, and marking agents as dead is no longer limited.");
        assertThat(notifications.sent.get(1).entries())
                .extracting(NotificationEntry::subject)
                .containsExactlyInAnyOrderElementsOf(notifications.sent.get(0).entries().stream()
                        .map(NotificationEntry::subject)
                        .toList());
    }

    @Test
    void a_flapping_agent_causes_one_message_in_each_group_time() {
        notifications.rule("on-call", LIFECYCLE + ",\"group_seconds\":900");
        for (int i = 0; i < 10; i++) {
            notifications.lifecycle("a", "unhealthy", "heartbeat_timeout");
            notifications.runAfter(MINUTE);
            notifications.lifecycle("a", "active", "heartbeat_resumed");
            notifications.run();
        }
        notifications.runAfter(Duration.ofMinutes(15));
        assertThat(notifications.sent).singleElement().satisfies(message -> {
            assertThat(message.total()).isEqualTo(20);
            assertThat(message.entries()).isSortedAccordingTo(Comparator.comparing(NotificationEntry::at));
        });
    }

    @Test
    void what_is_held_in_quiet_hours_is_one_message_at_their_end_and_the_urgent_is_sent() {
        notifications.rule(
                "on-call",
                LIFECYCLE
                        + ",\"quiet\":{\"from\":\"09:00\",\"to\":\"12:00\",\"time_zone\":\"UTC\",\"except_severities\":[\"error\"]}");
        notifications.lifecycle("a", "unhealthy", "heartbeat_timeout");
        notifications.lifecycle("b", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        notifications.lifecycle("c", "unhealthy", "heartbeat_timeout");
        notifications.lifecycle("b", "active", "re_registered");
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent)
                .as("the death and its recovery")
                .extracting(message -> message.entries().get(0).agentId())
                .containsExactly("b", "b");
        notifications.runAfter(Duration.ofMinutes(117));
        assertThat(notifications.sent).hasSize(2);
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent.get(2).entries())
                .extracting(NotificationEntry::agentId)
                .containsExactly("a", "c");
    }

    @Test
    void a_message_is_retried_with_its_id_while_later_events_are_collected() {
        notifications.rule("on-call", LIFECYCLE);
        notifications.answer(
                new Delivery.Retry(Duration.ZERO, "the receiver cannot be reached"),
                new Delivery.Retry(Duration.ofSeconds(90), "the receiver answered with the HTTP status 429"));
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        notifications.lifecycle("b", "dead", "heartbeat_timeout");
        notifications.lifecycle("c", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        assertThat(notifications.state("on-call", "failing_since")).isEqualTo("2026-02-08T10:01:00.000Z");
        assertThat(notifications.state("on-call", "last_error")).contains("429");
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).as("the receiver asked for 90 s").hasSize(2);
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent.subList(0, 3))
                .extracting(NotificationMessage::messageId)
                .containsOnly(notifications.sent.get(0).messageId());
        assertThat(notifications.sent.get(3).total()).isEqualTo(2);
        assertThat(notifications.get("on-call").json().has("failing_since")).isFalse();
        assertThat(notifications.get("on-call").json().has("last_error")).isFalse();
    }

    @Test
    void a_message_that_does_not_arrive_within_a_day_is_given_up_and_kept() {
        notifications.rule("on-call", LIFECYCLE);
        Delivery failure = new Delivery.Retry(Duration.ZERO, "the receiver cannot be reached");
        for (int i = 0; i < 200; i++) {
            notifications.answer(failure);
        }
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        for (int i = 0; i < 99; i++) {
            notifications.runAfter(Duration.ofMinutes(15));
        }
        assertThat(notifications.sent.size()).isBetween(90, 98);
        assertThat(notifications.deadLetters())
                .singleElement()
                .asString()
                .contains(
                        "Agent a is dead",
                        "the receiver cannot be reached",
                        notifications.sent.get(0).messageId())
                .doesNotContain("hooks.slack.com");
        assertThat(notifications.state("on-call", "last_error")).isEqualTo("the receiver cannot be reached");
    }

    @Test
    void a_refused_message_is_kept_and_the_next_one_is_sent() {
        notifications.rule("on-call", LIFECYCLE);
        notifications.answer(new Delivery.Refused("the receiver answered with the HTTP status 404"));
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        assertThat(notifications.deadLetters()).hasSize(1);
        assertThat(notifications.state("on-call", "last_error")).contains("404");
        notifications.lifecycle("b", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).hasSize(2);
        assertThat(notifications.get("on-call").json().has("last_error")).isFalse();
    }

    @Test
    void a_receiver_that_is_gone_disables_the_rule_until_it_is_written_again() {
        notifications.rule("on-call", LIFECYCLE);
        notifications.answer(new Delivery.Gone("the receiver answered 410: it wants no more messages"));
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        assertThat(notifications.state("on-call", "disabled")).contains("410");
        notifications.lifecycle("b", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).hasSize(1);
        assertThat(notifications.rule("on-call", LIFECYCLE).json().has("disabled"))
                .isFalse();
        notifications.lifecycle("c", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).hasSize(2);
    }

    @Test
    void a_replay_and_an_unreadable_message_cause_no_notification() {
        notifications.rule("on-call", LIFECYCLE);
        notifications.deliver("no json");
        notifications.deliver("{\"detail-type\":\"agent.lifecycle\",\"detail\":{}}");
        notifications.deliver(
                """
                        {"replay-name":"r","detail-type":"agent.lifecycle","detail":{"event_id":"e",\
                        "timestamp":"2026-02-08T10:00:00Z"}}\
                        """);
        assertThat(notifications.runAfter(MINUTE).events()).isEqualTo(3);
        assertThat(notifications.sent).isEmpty();
        assertThat(notifications.deadLetters()).hasSize(2);
    }

    /** Wherever a run ends in the middle, the next ones send every event once; only the message at hand may be repeated, with its id. */
    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    @Tag("slow")
    void a_crash_at_any_write_loses_nothing_and_repeats_no_more_than_the_message(WriteFailure way) {
        notifications.rule("on-call", LIFECYCLE);
        boolean failed = true;
        for (int write = 1; failed; write++) {
            notifications.sent.clear();
            TestDynamoDb crashing = new TestDynamoDb(notifications.system.dynamoDb()).failAt(write, way);
            String event = notifications.lifecycle("a" + write, "dead", "heartbeat_timeout");
            notifications.system.clock().advance(MINUTE);
            try {
                notifications.runThrough(crashing);
            } catch (Crash | CompletionException e) {
                assertThat(e).hasStackTraceContaining("the process ended");
            }
            failed = crashing.hasFailed();
            // The queue delivers what a run that crashed did not delete.
            notifications.deliver(event);
            for (int i = 0; i < 4; i++) {
                notifications.runAfter(MINUTE);
            }
            Set<String> ids = new HashSet<>();
            notifications.sent.forEach(message -> ids.add(message.messageId()));
            assertThat(ids).as("write %d", write).hasSize(1);
            assertThat(notifications.sent).hasSizeLessThanOrEqualTo(2);
            assertThat(notifications.sent).allMatch(message -> message.total() == 1);
        }
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_run_ends_where_a_digest_never_is_as_it_was_read() {
        notifications.rule("on-call", LIFECYCLE);
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.run();
        notifications.system.dynamoDb().updateItem(r -> r.tableName(TestTables.REGISTRY)
                .key(Attributes.key("NOTIFY#on-call", "D#soon"))
                .updateExpression("REMOVE #open")
                .expressionAttributeNames(Map.of("#open", "open")));
        assertThat(notifications.runAfter(MINUTE)).isEqualTo(new NotificationRun.Result(0, 0, 0));
    }

    @Test
    void a_deleted_rule_sends_nothing_and_keeps_no_message() {
        notifications.rule("on-call", LIFECYCLE);
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.run();
        notifications
                .system
                .api()
                .delete("/v1/admin/notifications/on-call")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).isEmpty();
        assertThat(TableContents.of(notifications.system.tables()).toString()).doesNotContain("NOTIFICATIONS");
    }

    @Test
    void a_rule_that_is_deleted_while_events_are_added_or_sent_leaves_nothing_behind() {
        for (int request = 1; request <= 12; request++) {
            int at = request;
            notifications.rule("on-call", LIFECYCLE);
            notifications.lifecycle("a" + at, "dead", "heartbeat_timeout");
            notifications.system.clock().advance(MINUTE);
            AtomicInteger requests = new AtomicInteger();
            notifications.runThrough(new TestDynamoDb(notifications.system.dynamoDb()).before(ignored -> {
                if (requests.incrementAndGet() == at) {
                    deleteRule();
                }
            }));
            if (requests.get() < at) {
                deleteRule();
            }
            assertThat(notifications.pending("on-call"))
                    .as("deleted before request %d", at)
                    .isEmpty();
            notifications.sent.clear();
            notifications.rule("on-call", LIFECYCLE);
            notifications.runAfter(MINUTE);
            assertThat(notifications.sent).as("deleted before request %d", at).isEmpty();
            deleteRule();
        }
    }

    private void deleteRule() {
        notifications
                .system
                .api()
                .delete("/v1/admin/notifications/on-call")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
    }

    @Test
    void a_receiver_that_never_accepts_holds_up_no_other_rule_and_leaves_bounded_items() {
        notifications.rule("on-call", LIFECYCLE + ",\"group_seconds\":5");
        IntStream.range(0, 2_000)
                .forEach(i -> notifications.answer(
                        new Delivery.Retry(Duration.ofHours(9), "the receiver answered with the HTTP status 429")));
        for (int i = 0; i < 30; i++) {
            notifications.lifecycle("a" + i, i % 2 == 0 ? "dead" : "unhealthy", "heartbeat_timeout");
            notifications.lifecycle("a" + i / 2, "active", "re_registered");
            notifications.runAfter(Duration.ofHours(1));
        }
        assertThat(notifications.pending("on-call")).hasSizeLessThanOrEqualTo(3);
        assertThat(notifications.sent.size()).as("attempts in 30 hours").isLessThan(40);
        assertThat(notifications.deadLetters()).isNotEmpty();
    }

    @Test
    void two_runs_at_once_send_every_event_once() {
        notifications.rule("on-call", LIFECYCLE);
        IntStream.range(0, 200).forEach(i -> notifications.lifecycle("a" + i, "dead", "heartbeat_timeout"));
        for (int i = 0; i < 3; i++) {
            notifications.system.clock().advance(MINUTE);
            Stream.of(1, 2, 3)
                    .map(run -> CompletableFuture.runAsync(notifications::run))
                    .toList()
                    .forEach(CompletableFuture::join);
        }
        assertThat(notifications.sent)
                .extracting(NotificationMessage::messageId)
                .doesNotHaveDuplicates();
        assertThat(notifications.sent.stream()
                        .mapToInt(NotificationMessage::total)
                        .sum())
                .isEqualTo(200);
    }

    @Test
    void a_message_of_many_events_is_a_bounded_item() {
        notifications.rule("on-call", LIFECYCLE + ",\"group_seconds\":900");
        for (int i = 0; i < 300; i++) {
            notifications.lifecycle("a".repeat(60) + i, "dead", "heartbeat_timeout");
        }
        notifications.run();
        notifications.runAfter(Duration.ofMinutes(15));
        assertThat(notifications.sent).singleElement().satisfies(message -> assertThat(message.total())
                .isEqualTo(300));
        assertThat(List.copyOf(notifications.sent.get(0).entries())).hasSize(20);
    }
}
