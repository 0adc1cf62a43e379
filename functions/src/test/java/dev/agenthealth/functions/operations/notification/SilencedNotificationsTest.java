package dev.agenthealth.functions.operations.notification;

import static dev.agenthealth.functions.operations.notification.NotificationHarness.LIFECYCLE;
import static dev.agenthealth.functions.operations.notification.NotificationHarness.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** During a silence no message is sent; what is still wrong at its end is reported then, and what is over ends what was reported before. */
class SilencedNotificationsTest {

    private static final String EVERYTHING = "\"scope\":{\"everything\":true},";
    private static final String AGENT_A = "\"scope\":{\"agent_id\":\"a\"},";

    @AutoClose
    private final NotificationHarness notifications = new NotificationHarness();

    @BeforeEach
    void rule() {
        notifications.rule("on-call", LIFECYCLE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_a_server_with_a_slower_clock_says_is_over_is_not_reported(boolean together) {
        silence("s", EVERYTHING + "\"for_seconds\":60");
        notifications.system.clock().advanceSeconds(10);
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        if (!together) {
            notifications.run();
        }
        notifications.system.clock().advanceSeconds(-1);
        notifications.lifecycle("a", "active", "re_registered");
        notifications.run();
        notifications.runAfter(MINUTE);
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).isEmpty();
    }

    @Test
    void what_is_still_wrong_at_the_end_is_reported_once_and_what_is_over_is_not() {
        silence("s", EVERYTHING + "\"for_seconds\":600");
        notifications.lifecycle("a", "unhealthy", "heartbeat_timeout");
        notifications.lifecycle("b", "dead", "heartbeat_timeout");
        notifications.lifecycle("c", "active", "registered");
        notifications.runAfter(MINUTE);
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.lifecycle("b", "active", "re_registered");
        for (int minute = 0; minute < 8; minute++) {
            notifications.runAfter(MINUTE);
        }
        assertThat(notifications.sent).isEmpty();
        notifications.runAfter(MINUTE);
        assertThat(reported()).containsExactly("a dead");
        notifications.runAfter(MINUTE);
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).as("nothing is left").hasSize(1);
        assertThat(deferred()).isEmpty();
    }

    @Test
    void what_was_reported_before_is_over_at_the_end_where_it_recovered_meanwhile() {
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        silence("s", AGENT_A + "\"for_seconds\":600");
        notifications.lifecycle("a", "active", "re_registered");
        notifications.runAfter(MINUTE);
        assertThat(reported()).containsExactly("a dead");
        notifications.runAfter(Duration.ofMinutes(10));
        assertThat(reported()).containsExactly("a dead", "a active");
        assertThat(notifications.sent.get(1).recovery()).isTrue();
    }

    @Test
    void what_another_event_overtook_after_the_end_is_not_reported() {
        silence("s", AGENT_A + "\"for_seconds\":60");
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.run();
        notifications.system.clock().advance(MINUTE);
        notifications.lifecycle("a", "active", "re_registered");
        notifications.run();
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).isEmpty();
        assertThat(deferred()).isEmpty();
    }

    @Test
    void a_silence_of_days_reports_at_its_end_all_the_same() {
        silence("s", AGENT_A + "\"for_seconds\":259200");
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.run();
        notifications.runAfter(Duration.ofDays(3));
        assertThat(reported()).containsExactly("a dead");
    }

    @Test
    void of_overlapping_silences_the_last_one_to_end_counts() {
        silence("short", AGENT_A + "\"for_seconds\":120");
        silence("long", EVERYTHING + "\"for_seconds\":240");
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.run();
        silence("longest", AGENT_A + "\"for_seconds\":600");
        for (int minute = 0; minute < 9; minute++) {
            notifications.runAfter(MINUTE);
        }
        assertThat(notifications.sent).isEmpty();
        notifications.runAfter(MINUTE);
        assertThat(reported()).containsExactly("a dead");
    }

    @Test
    void a_deleted_silence_ends() {
        silence("s", AGENT_A + "\"for_seconds\":600");
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.run();
        send(notifications.system.api().delete("/v1/admin/silences/s"));
        notifications.runAfter(MINUTE);
        assertThat(reported()).containsExactly("a dead");
    }

    @ParameterizedTest
    @CsvSource({"a, 0", "b, 1"})
    void a_silence_that_is_written_anew_goes_on_for_what_it_still_covers(String agentId, int messages) {
        silence("s", AGENT_A + "\"for_seconds\":600");
        notifications.lifecycle("a", "dead", "heartbeat_timeout");
        notifications.run();
        silence("s", "\"scope\":{\"agent_id\":\"" + agentId + "\"},\"for_seconds\":600");
        notifications.runAfter(MINUTE);
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).hasSize(messages);
        notifications.runAfter(Duration.ofMinutes(10));
        assertThat(reported()).containsExactly("a dead");
    }

    @Test
    void a_recurring_silence_reports_between_its_times() {
        silence("s", EVERYTHING + "\"schedule\":{\"cron\":\"0 * * * *\",\"duration_seconds\":600}");
        for (int hour = 0; hour < 2; hour++) {
            notifications.lifecycle("a" + hour, "dead", "heartbeat_timeout");
            notifications.runAfter(Duration.ofMinutes(9));
            assertThat(notifications.sent).hasSize(hour);
            notifications.runAfter(Duration.ofMinutes(1));
            assertThat(notifications.sent).hasSize(hour + 1);
            notifications.system.clock().advance(Duration.ofMinutes(50));
        }
    }

    @ParameterizedTest
    @CsvSource({"\"everything\":true, 0", "\"agent_id\":\"a\", 1", "\"role_id\":\"r\", 1"})
    void trouble_of_the_registry_is_silenced_with_everything_only(String scope, int messages) {
        notifications.rule("on-call", "\"events\":[\"registry.blackout\"]");
        silence("s", "\"scope\":{" + scope + "},\"for_seconds\":600");
        notifications.event("registry.blackout", "\"more\":1");
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).hasSize(messages);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"agent_id\":\"known\"",
                "\"capability\":\"test\"",
                "\"owner_key_id\":\"key-test-agent-key\"",
                "\"everything\":true"
            })
    void a_silence_covers_by_each_scope(String scope) {
        TestAgent.registered(notifications.system, "known");
        silence("s", "\"scope\":{" + scope + "},\"for_seconds\":600");
        notifications.lifecycle("known", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).isEmpty();
        notifications.lifecycle("unknown", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        assertThat(notifications.sent).hasSize(scope.contains("everything") ? 0 : 1);
    }

    @Test
    void an_owner_silences_its_own_agents_and_no_others() {
        TestAgent.registered(notifications.system, "known");
        Request own =
                notifications.system.api().put("/api/v1/silences/deployment").body("{\"for_seconds\":600}");
        assertThat(own.key(TestSystem.AGENT_KEY).send().status()).isEqualTo(201);
        notifications.lifecycle("known", "dead", "heartbeat_timeout");
        notifications.lifecycle("other", "dead", "heartbeat_timeout");
        notifications.runAfter(MINUTE);
        assertThat(reported()).containsExactly("other dead");
    }

    /** Wherever a run ends in the middle, what was deferred is reported by the next ones, and the message at hand at most repeated. */
    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    @Tag("slow")
    void a_crash_at_any_write_loses_nothing_of_what_was_deferred(WriteFailure way) {
        boolean failed = true;
        for (int write = 1; failed; write++) {
            notifications.sent.clear();
            silence("s" + write, "\"scope\":{\"agent_id\":\"a" + write + "\"},\"for_seconds\":60");
            String event = notifications.lifecycle("a" + write, "dead", "heartbeat_timeout");
            AtomicInteger writes = new AtomicInteger(write);
            TestDynamoDb crashing = new TestDynamoDb(notifications.system.dynamoDb()).failAt(writes.get(), way);
            crashing(crashing);
            if (crashing.hasFailed()) {
                notifications.deliver(event);
            }
            notifications.run();
            notifications.system.clock().advance(MINUTE);
            TestDynamoDb later = new TestDynamoDb(notifications.system.dynamoDb()).failAt(write, way);
            crashing(later);
            failed = crashing.hasFailed() || later.hasFailed();
            for (int i = 0; i < 3; i++) {
                notifications.runAfter(MINUTE);
            }
            assertThat(notifications.sent).as("write %d", write).hasSizeBetween(1, 2);
            assertThat(notifications.sent.stream()
                            .map(message -> message.messageId())
                            .distinct())
                    .hasSize(1);
            assertThat(deferred()).isEmpty();
        }
    }

    private void crashing(TestDynamoDb dynamoDb) {
        try {
            notifications.runThrough(dynamoDb);
        } catch (Crash | CompletionException e) {
            assertThat(e).hasStackTraceContaining("the process ended");
        }
    }

    /** Before each request of a run, another run happens, and an event is deferred by it or the silence ends. */
    @Test
    @Tag("slow")
    void runs_that_overlap_lose_nothing_and_repeat_nothing() {
        int requests = 1;
        for (int at = 1; at <= requests; at++) {
            notifications.sent.clear();
            String agent = "a" + at;
            silence("s", "\"scope\":{\"agent_id\":\"" + agent + "\"},\"for_seconds\":60");
            notifications.lifecycle(agent, "unhealthy", "heartbeat_timeout");
            notifications.run();
            notifications.lifecycle(agent, "dead", "heartbeat_timeout");
            int interrupted = at;
            AtomicInteger counted = new AtomicInteger();
            notifications.runThrough(new TestDynamoDb(notifications.system.dynamoDb()).before(ignored -> {
                if (counted.incrementAndGet() == interrupted) {
                    notifications.runAfter(MINUTE);
                }
            }));
            requests = Math.max(requests, counted.get());
            for (int i = 0; i < 3; i++) {
                notifications.runAfter(MINUTE);
            }
            List<String> reported = reported();
            assertThat(reported.get(reported.size() - 1))
                    .as("before request %d", at)
                    .isEqualTo(agent + " dead");
            assertThat(reported).doesNotHaveDuplicates();
            assertThat(deferred()).isEmpty();
        }
        assertThat(requests).isGreaterThan(3);
    }

    private void silence(String name, String fields) {
        Request request =
                notifications.system.api().put("/v1/admin/silences/" + name).body("{" + fields + "}");
        assertThat(send(request)).isIn(200, 201);
    }

    private static int send(Request request) {
        return request.key(TestSystem.ADMINISTRATOR_KEY).send().status();
    }

    private List<String> reported() {
        List<String> reported = new ArrayList<>();
        notifications.sent.forEach(message -> message.entries().stream()
                .map((NotificationEntry entry) -> entry.agentId() + " " + entry.to())
                .forEach(reported::add));
        return reported;
    }

    private List<String> deferred() {
        return TableContents.of(notifications.system.tables()).items().stream()
                .filter(item -> item.containsKey("pk") && item.get("pk").s().startsWith("DEFERR"))
                .map(item -> item.get("sk").s())
                .toList();
    }
}
