package dev.agenthealth.functions.registry.lifesigns;

import static dev.agenthealth.functions.registry.lifesigns.SignResult.GONE;
import static dev.agenthealth.functions.registry.lifesigns.SignResult.RECORDED;
import static dev.agenthealth.functions.registry.lifesigns.SignResult.TOO_EARLY;
import static dev.agenthealth.functions.registry.lifesigns.SignResult.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Heartbeats that the registry sends for agents. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-11")
class SignsOfLifeTest {

    private static final String REPORT =
            """
                    ,"current_load":2,"tasks_in_progress":["t"],"activity":{"phase":"tool","no_progress_seconds":5}\
                    """;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final SignsOfLife signs = SignsOfLife.in(system.database(), system.clock());

    @Test
    void a_sign_of_life_is_shown_as_the_last_heartbeat_until_the_agent_sends_one() {
        TestAgent agent = TestAgent.registered(system, "shown");
        assertThat(record(agent).get("last_seen_by").textValue()).isEqualTo("heartbeat");
        system.clock().advanceSeconds(30);
        assertThat(signs.record(agent.id(), SeenBy.CALL, false)).isEqualTo(RECORDED);
        assertThat(record(agent).get("last_seen_by").textValue()).isEqualTo("call");
        assertThat(record(agent).get("last_heartbeat_at").textValue())
                .startsWith(system.clock().instant().toString().substring(0, 19));
        agent.sendHeartbeat();
        assertThat(record(agent).get("last_seen_by").textValue()).isEqualTo("heartbeat");
    }

    @Test
    void a_sign_of_life_keeps_what_the_agent_reported_and_its_version() {
        TestAgent agent = TestAgent.registered(system, "reporting");
        agent.sendHeartbeat("active", REPORT);
        Pulse before = agent.pulse();
        system.clock().advanceSeconds(30);
        assertThat(signs.record(agent.id(), SeenBy.PROBE, true)).isEqualTo(RECORDED);
        Pulse after = agent.pulse();
        assertThat(after.activity()).isEqualTo(before.activity());
        assertThat(after.workload()).isEqualTo(before.workload());
        assertThat(after.version()).isEqualTo(before.version());
        assertThat(after.heartbeatCount()).isEqualTo(before.heartbeatCount() + 1);
        assertThat(agent.stored().tasks()).containsExactly("t");
    }

    @Test
    void many_signs_in_one_interval_write_once() {
        TestAgent agent = TestAgent.registered(system, "busy");
        system.clock().advanceSeconds(30);
        assertThat(signs.record(agent.id(), SeenBy.PING, true)).isEqualTo(RECORDED);
        for (int i = 0; i < 10; i++) {
            assertThat(signs.record(agent.id(), SeenBy.PING, true)).isEqualTo(TOO_EARLY);
        }
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
        system.clock().advanceSeconds(27);
        assertThat(signs.record(agent.id(), SeenBy.PING, true)).isEqualTo(RECORDED);
    }

    @Test
    @Tag("R16-12")
    void an_unhealthy_agent_recovers() {
        TestAgent agent = TestAgent.registered(system, "unhealthy");
        agent.becomeUnhealthy();
        assertThat(signs.record(agent.id(), SeenBy.OUTCOME, false)).isEqualTo(RECORDED);
        assertThat(agent.changes()).last().isEqualTo("unhealthy->active heartbeat_resumed");
        assertThat(agent.pulse().seenBy()).isEqualTo(SeenBy.OUTCOME);
    }

    @Test
    void a_dead_agent_is_registered_again_as_the_same_process_only_where_the_caller_says_so() {
        TestAgent agent = new TestAgent(system, "dead");
        agent.register(",\"name\":\"Dead\",\"started_at\":\"" + system.clock().instant() + "\",\"metadata\":{\"a\":1}");
        Pulse before = agent.pulse();
        agent.becomeDead();
        assertThat(signs.record(agent.id(), SeenBy.CALL, false)).isEqualTo(GONE);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(signs.record(agent.id(), SeenBy.PROBE, true)).isEqualTo(RECORDED);
        assertRegisteredAgain(agent, before, SeenBy.PROBE);
    }

    @Test
    void an_archived_agent_is_registered_again_from_its_stored_profile() {
        TestAgent agent = new TestAgent(system, "archived");
        agent.register(",\"name\":\"Dead\",\"started_at\":\"" + system.clock().instant() + "\",\"metadata\":{\"a\":1}");
        Pulse before = agent.pulse();
        agent.becomeDead();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(signs.record(agent.id(), SeenBy.PING, false)).isEqualTo(GONE);
        assertThat(signs.record(agent.id(), SeenBy.PING, true)).isEqualTo(RECORDED);
        assertRegisteredAgain(agent, before, SeenBy.PING);
        assertThat(agent.stored().archived()).isFalse();
    }

    private void assertRegisteredAgain(TestAgent agent, Pulse before, SeenBy by) {
        Pulse after = agent.pulse();
        assertThat(after.status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(after.incarnation()).isEqualTo(before.incarnation() + 1);
        assertThat(after.startedAt()).isEqualTo(before.startedAt());
        assertThat(after.owner()).isEqualTo(before.owner());
        assertThat(after.coordination()).isEqualTo(before.coordination());
        assertThat(after.seenBy()).isEqualTo(by);
        assertThat(agent.stored().profile().history().restarts()).isEqualTo(Restarts.NONE);
        JsonNode record = record(agent);
        assertThat(record.get("name").textValue()).isEqualTo("Dead");
        assertThat(record.get("metadata").get("a").intValue()).isEqualTo(1);
        assertThat(agent.changes()).last().isEqualTo("dead->active re_registered");
        agent.assertHistoryIsWhole("registered again");
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
    }

    @Test
    void a_deregistered_agent_stays_so_and_an_unknown_one_is_not_made() {
        TestAgent agent = TestAgent.registered(system, "gone");
        agent.deregister();
        assertThat(signs.record(agent.id(), SeenBy.PING, true)).isEqualTo(GONE);
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(signs.record(agent.id(), SeenBy.PING, true)).isEqualTo(GONE);
        assertThat(signs.record("nobody", SeenBy.PING, true)).isEqualTo(UNKNOWN);
    }

    private JsonNode record(TestAgent agent) {
        return system.api()
                .get("/api/v1/agents/" + agent.id())
                .key(TestSystem.AGENT_KEY)
                .send()
                .json();
    }
}
