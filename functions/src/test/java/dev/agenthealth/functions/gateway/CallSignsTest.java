package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls through the gateway as signs of life. */
@Tag("R16-11")
@Tag("SN-07")
class CallSignsTest {

    private static final String DECLARED = ",\"heartbeat_config\":{\"signs_of_life\":[\"calls\"]}";

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private final ScriptedServer server = gateway.server().plays(AgentScripts.message());

    private TestAgent declared() {
        return gateway.agent("called", GatewayHarness.endpoint(server), DECLARED);
    }

    private int call() {
        return gateway.invoke("called", GatewayHarness.HELLO).status();
    }

    @Test
    void a_call_that_succeeds_is_a_heartbeat_at_most_once_an_interval() {
        TestAgent agent = declared();
        call();
        gateway.system().clock().advanceSeconds(30);
        assertThat(call()).isEqualTo(200);
        assertThat(agent.pulse().seenBy()).isEqualTo(SeenBy.CALL);
        gateway.system().meter().reset();
        assertThat(call()).isEqualTo(200);
        assertThat(gateway.system().meter().operations())
                .as("owner key, connection, the caller's key and its successes, and no row")
                .filteredOn("GetItem"::equals)
                .hasSize(4);
        assertThat(agent.pulse().heartbeatCount())
                .as("the first sign, and one an interval later")
                .isEqualTo(2);
    }

    @Test
    void a_call_that_fails_shows_nothing() {
        TestAgent agent = declared();
        server.plays(Script.status(500));
        gateway.system().clock().advanceSeconds(60);
        assertThat(call()).isEqualTo(502);
        assertThat(agent.pulse().heartbeatCount()).isZero();
    }

    @Test
    void a_dead_agent_that_lives_from_its_calls_is_called_and_comes_back_when_it_answers() {
        TestAgent agent = declared();
        agent.becomeDead();
        server.plays(Script.status(500));
        assertThat(call()).isEqualTo(502);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        server.plays(AgentScripts.message());
        assertThat(call()).isEqualTo(200);
        assertThat(agent.changes()).last().isEqualTo("dead->active re_registered");
    }

    @Test
    void an_archived_agent_comes_back_by_an_asynchronous_call() {
        TestAgent agent = declared();
        agent.becomeDead();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(gateway.invokeAsync("called", GatewayHarness.HELLO).status()).isEqualTo(202);
        assertThat(gateway.deliver()).isZero();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(agent.pulse().seenBy()).isEqualTo(SeenBy.CALL);
    }

    @Test
    void a_deregistered_agent_and_a_dead_one_that_sends_heartbeats_are_not_called() {
        declared().deregister();
        assertThat(call()).isEqualTo(409);
        gateway.agent("other", server).becomeDead();
        assertThat(gateway.invoke("other", GatewayHarness.HELLO).status()).isEqualTo(409);
    }
}
