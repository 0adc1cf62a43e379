package dev.agenthealth.functions.sweep.probes;

import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.ACTIVE;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DEAD;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DEREGISTERED;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.UNHEALTHY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent that sends heartbeats, falls silent and is asked before it is marked as dead; unhealthy after 90 s and dead after 300 s. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SecondOpinionTest {

    private static final String CONFIRM = ",\"heartbeat_config\":{\"confirm_death\":true}";
    private static final String WATCH = ",\"watch\":{\"interval_seconds\":60}";

    private final WatchedFleet fleet = new WatchedFleet();

    @AfterEach
    void close() {
        fleet.close();
    }

    /** An agent that sends one heartbeat. */
    private TestAgent agent(String more) {
        Response response = fleet.register("c", "host", more);
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        TestAgent agent = new TestAgent(fleet.system, "c");
        agent.sendHeartbeat("active", "");
        fleet.pass();
        return agent;
    }

    private JsonNode record() {
        return fleet.api
                .get("/api/v1/agents/c")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json();
    }

    private String reasons() {
        return fleet.api
                .get("/api/v1/agents")
                .query("status", "unhealthy")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .at("/agents/0/reasons")
                .toString();
    }

    @Test
    void an_agent_that_answers_stays_unhealthy_until_it_does_not() {
        TestAgent agent = agent(CONFIRM + WATCH);
        fleet.minutes(1);
        assertThat(agent.pulse().status()).isEqualTo(ACTIVE);
        fleet.minutes(2);
        assertThat(reasons()).isEqualTo("[\"silent\"]");
        fleet.minutes(9);
        assertThat(agent.pulse().status()).isEqualTo(UNHEALTHY);
        assertThat(agent.pulse().heartbeatCount())
                .as("an answer is no heartbeat")
                .isEqualTo(1);
        assertThat(reasons()).isEqualTo("[\"reachable_without_heartbeats\"]");
        assertThat(record().at("/last_probe/failure").isNull()).isTrue();
        fleet.stopped.add("/c");
        fleet.minutes(2);
        assertThat(agent.pulse().status()).isEqualTo(DEAD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", WATCH, ",\"watch\":{\"interval_seconds\":3600}"})
    void an_agent_that_does_not_answer_is_marked_as_dead_at_its_threshold(String watch) {
        fleet.stopped.add("/c");
        TestAgent agent = agent(CONFIRM + watch);
        fleet.minutes(5);
        assertThat(agent.pulse().status()).isEqualTo(UNHEALTHY);
        fleet.minutes(1);
        assertThat(agent.pulse().status()).isEqualTo(DEAD);
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 600, 3_600, 86_400})
    @Tag("slow")
    void an_agent_is_asked_when_its_death_is_due_whatever_the_interval_of_its_watch(int seconds) {
        TestAgent agent = agent(CONFIRM + ",\"watch\":{\"interval_seconds\":" + seconds + "}");
        fleet.minutes(70);
        assertThat(agent.pulse().status()).as("it answers").isEqualTo(UNHEALTHY);
        fleet.stopped.add("/c");
        fleet.minutes(2);
        assertThat(agent.pulse().status()).isEqualTo(DEAD);
    }

    @Test
    void an_agent_that_cannot_be_asked_is_marked_as_dead_five_minutes_later() {
        TestAgent agent = agent(CONFIRM + WATCH);
        for (int i = 0; i < 10; i++) {
            fleet.minuteWithoutProbes();
        }
        assertThat(agent.pulse().status()).isEqualTo(UNHEALTHY);
        fleet.minuteWithoutProbes();
        assertThat(agent.pulse().status()).isEqualTo(DEAD);
    }

    @Test
    void a_heartbeat_while_it_is_asked_counts_and_what_was_found_before_does_not() {
        fleet.stopped.add("/c");
        TestAgent agent = agent(CONFIRM + WATCH);
        fleet.minutes(4);
        fleet.minuteWithoutProbes();
        fleet.stopped.clear();
        agent.sendHeartbeat("active", "");
        fleet.probe();
        assertThat(agent.pulse().status()).isEqualTo(ACTIVE);
        fleet.minutes(7);
        assertThat(agent.pulse().status()).isEqualTo(UNHEALTHY);
    }

    @Test
    void an_agent_that_deregisters_while_it_is_asked_stays_deregistered() {
        TestAgent agent = agent(CONFIRM + WATCH);
        fleet.minutes(3);
        fleet.minuteWithoutProbes();
        assertThat(fleet.api
                        .delete("/api/v1/agents/c")
                        .key(TestSystem.AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(204);
        assertThat(fleet.probe()).isOne();
        fleet.minutes(1);
        assertThat(agent.pulse().status()).isEqualTo(DEREGISTERED);
        assertThat(fleet.probe()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"heartbeat_config\":{\"confirm_death\":true}}",
                "{\"endpoint\":\"http://10.0.0.1/\",\"heartbeat_config\":{\"confirm_death\":true}}",
                "{\"endpoint\":\"https://agent.test/\",\"heartbeat_config\":{\"mode\":\"none\",\"confirm_death\":true}}"
            })
    void an_agent_that_cannot_be_asked_at_all_is_refused_by_the_name_of_the_field(String body) {
        Response response = fleet.api
                .post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body(body)
                .send();
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().at("/errors/0/field").asText()).isEqualTo("heartbeat_config.confirm_death");
    }

    @Test
    void a_watch_beside_it_has_the_intervals_of_every_watch() {
        Response response = fleet.api
                .post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body(
                        """
                        {"endpoint":"https://agent.test/","watch":{"by":"http","interval_seconds":90},\
                        "heartbeat_config":{"confirm_death":true}}\
                        """)
                .send();
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().at("/errors/0/field").asText()).isEqualTo("watch.interval_seconds");
    }

    @Test
    void a_change_sets_and_ends_it_and_the_record_shows_it() {
        agent(WATCH);
        fleet.probe();
        assertThat(record().path("heartbeat_config").has("confirm_death")).isFalse();
        assertThat(patch("true").path("confirm_death").asBoolean()).isTrue();
        fleet.minuteWithoutProbes();
        assertThat(fleet.probe()).as("asked only while it is unhealthy").isZero();
        assertThat(patch("null").has("confirm_death")).isFalse();
        fleet.minuteWithoutProbes();
        assertThat(fleet.probe()).isOne();
    }

    private JsonNode patch(String value) {
        Response response = fleet.api
                .patch("/api/v1/agents/c")
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body("{\"heartbeat_config\":{\"confirm_death\":" + value + "}}")
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json().path("heartbeat_config");
    }
}
