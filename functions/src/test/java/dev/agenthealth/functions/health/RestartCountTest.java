package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The restarts within an hour, in health documents. */
@Tag("AHS-16")
class RestartCountTest {

    private static final String REPLACE = ",\"replace\":true";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final HealthClient client = new HealthClient(system.api());
    private final Healths healths = new Healths(system);

    @Test
    @Tag("AHS-07")
    void every_registration_of_a_known_id_within_the_last_hour_counts_and_restarts_the_uptime() {
        TestAgent agent = TestAgent.registered(system, "a");
        assertShown(agent, 0);
        system.clock().advanceSeconds(60);
        agent.register(REPLACE);
        assertShown(agent, 1);
        assertThat(client.document(agent).at("/health/uptime_seconds").longValue())
                .isZero();
        system.clock().advanceSeconds(60);
        agent.deregister();
        agent.register("");
        assertShown(agent, 2);
        system.clock().advanceSeconds(60);
        agent.register(REPLACE);
        assertShown(agent, 3);
        assertThat(agent.stored().profile().history().restarts().degradeUntil())
                .isAfter(system.clock().instant());
        system.clock().advanceSeconds(3_600 - 121);
        assertShown(agent, 3);
        system.clock().advanceSeconds(1);
        assertShown(agent, 2);
        system.clock().advanceSeconds(120);
        assertShown(agent, 0);
    }

    @Test
    void a_restart_after_the_health_was_computed_is_shown_before_the_next_computation() {
        TestAgent agent = TestAgent.registered(system, "a");
        system.clock().advanceSeconds(60);
        agent.register(REPLACE);
        healths.compute(agent, 20, 0);
        assertShown(agent, 1);
        system.clock().advanceSeconds(60);
        agent.register(REPLACE);
        assertShown(agent, 2);
        healths.compute(agent, 20, 0);
        assertShown(agent, 2);
    }

    @Test
    @Tag("AHS-01")
    void another_count_is_another_document() {
        TestAgent agent = TestAgent.registered(system, "a");
        agent.register(REPLACE);
        healths.compute(agent, 20, 0);
        String tag = client.read(client.ofAgent("a")).header("ETag");
        system.clock().advanceSeconds(3_599);
        assertThat(client.read(client.ofAgent("a")).header("ETag")).isEqualTo(tag);
        system.clock().advanceSeconds(1);
        assertThat(client.read(client.ofAgent("a")).header("ETag")).isNotEqualTo(tag);
    }

    @Test
    @Tag("AHS-07")
    void a_registration_by_the_same_process_is_no_restart() {
        String process = ",\"started_at\":\"" + system.clock().instant().minusSeconds(40) + "\"";
        TestAgent agent = new TestAgent(system, "a");
        agent.register(process);
        assertUptime(agent, 40);
        healths.compute(agent, 20, 0);
        agent.becomeDead();
        long silent = Duration.between(
                        agent.stored().profile().history().registeredAt(),
                        system.clock().instant())
                .toSeconds();
        for (int i = 0; i < 3; i++) {
            agent.register(process + REPLACE);
            assertShown(agent, 0);
            assertUptime(agent, 40 + silent);
        }
        system.clock().advanceSeconds(10);
        agent.register(",\"started_at\":\"" + system.clock().instant().minusSeconds(1) + "\"" + REPLACE);
        assertUptime(agent, 1);
        healths.compute(agent, 20, 0);
        assertShown(agent, 1);
        agent.register(REPLACE);
        assertUptime(agent, 0);
        healths.compute(agent, 20, 0);
        assertShown(agent, 2);
    }

    @Test
    @Tag("AHS-07")
    @Tag("AHS-21")
    void the_uptime_counts_from_the_start_that_a_heartbeat_reports() {
        TestAgent agent = TestAgent.registered(system, "a");
        system.clock().advanceSeconds(100);
        agent.sendHeartbeat(
                "active", ",\"started_at\":\"" + system.clock().instant().minusSeconds(130) + "\"");
        assertUptime(agent, 130);
        agent.becomeUnhealthy();
        agent.sendHeartbeat(
                "active", ",\"started_at\":\"" + system.clock().instant().minusSeconds(7) + "\"");
        assertUptime(agent, 7);
        agent.sendHeartbeat();
        assertUptime(agent, 7);
        assertShown(agent, 0);
    }

    @ParameterizedTest
    @Tag("AHS-07")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "null, 200",
                "\"\", 200",
                "\"soon\", 200",
                "\"1970-01-01T00:00:00Z\", 200",
                "\"9999-12-31T23:59:59Z\", 200",
                "17, 200",
                "[], 200",
                "{}, 200",
                "true, 200"
            })
    void a_start_that_cannot_be_is_ignored_in_heartbeats(String reported, int status) {
        TestAgent agent = TestAgent.registered(system, "a");
        system.clock().advanceSeconds(30);
        assertThat(agent.sendHeartbeat("active", ",\"started_at\":" + reported).status())
                .isEqualTo(status);
        assertUptime(agent, 30);
    }

    @Test
    void a_start_ahead_of_the_server_s_clock_is_now() {
        TestAgent agent = TestAgent.registered(system, "a");
        system.clock().advanceSeconds(30);
        agent.sendHeartbeat(
                "active", ",\"started_at\":\"" + system.clock().instant().plusSeconds(60) + "\"");
        assertUptime(agent, 0);
        system.clock().advanceSeconds(70);
        assertUptime(agent, 10);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "17, 400",
                "\"soon\", 400",
                "[], 400",
                "null, 201",
                "\"1970-01-01T00:00:00Z\", 201",
                "\"9999-12-31T23:59:59Z\", 201"
            })
    void a_registration_reads_its_start_as_a_timestamp(String reported, int status) {
        TestAgent agent = new TestAgent(system, "a");
        assertThat(agent.register(",\"started_at\":" + reported).status()).isEqualTo(status);
        if (status == 201) {
            system.clock().advanceSeconds(30);
            assertUptime(agent, 30);
        }
    }

    @Test
    void a_process_that_crashes_all_the_time_is_counted_up_to_ten() {
        TestAgent agent = TestAgent.registered(system, "a");
        for (int i = 0; i < 15; i++) {
            agent.register(REPLACE);
        }
        assertShown(agent, Restarts.MAX_KEPT);
    }

    @Test
    @Tag("AHS-15")
    void restarts_of_personal_agents_are_not_shown() {
        TestAgent agent = new TestAgent(system, "a");
        agent.register(",\"personal\":true");
        agent.register(",\"personal\":true" + REPLACE);
        healths.compute(agent, 20, 0);
        for (JsonNode document : List.of(client.document(agent), client.document(agent, TestSystem.AGENT_KEY))) {
            assertThat(document.at("/extensions").has("dev.agenthealth.restarts"))
                    .isFalse();
        }
    }

    private void assertUptime(TestAgent agent, long seconds) {
        assertThat(client.document(agent).at("/health/uptime_seconds").longValue())
                .isEqualTo(seconds);
    }

    private void assertShown(TestAgent agent, int restarts) {
        for (JsonNode document : List.of(
                client.document(agent),
                client.document(agent, TestSystem.AGENT_KEY),
                client.document(agent, TestSystem.OTHER_AGENT_KEY))) {
            assertThat(document.at("/extensions/dev.agenthealth.restarts").intValue())
                    .isEqualTo(restarts);
        }
    }
}
