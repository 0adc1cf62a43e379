package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.invocations.ConnectionStore;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An agent that does not answer in time is called once at a time. */
@Tag("SN-07")
@Tag("slow")
class UnresponsiveAgentTest {

    private static final String HASTY = "{\"message\":\"Hello\",\"timeout_ms\":300}";

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private final AtomicBoolean answers = new AtomicBoolean();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final ScriptedServer server = gateway.server();

    UnresponsiveAgentTest() {
        server.plays((request, out) -> {
            if (!answers.get()) {
                server.hang();
            }
            arrived.countDown();
            try {
                end.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            AgentScripts.message().play(request, out);
        });
    }

    @Test
    void after_five_timeouts_in_a_row_an_agent_is_called_once_at_a_time_until_it_answers() throws Exception {
        gateway.agent("a", GatewayHarness.endpoint(server), ",\"expectations\":{\"sla_ms\":300}");
        for (int i = 0; i < 5; i++) {
            assertThat(gateway.invoke("a", HASTY).status()).isEqualTo(504);
        }
        answers.set(true);
        CompletableFuture<Response> only =
                CompletableFuture.supplyAsync(() -> gateway.invoke("a", GatewayHarness.HELLO));
        assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
        Response refused = invokeAsOwner();
        assertThat(refused.status()).as(refused.text()).isEqualTo(503);
        assertThat(refused.json().path("error").textValue()).isEqualTo("agent_unresponsive");
        assertThat(refused.header("Retry-After")).isEqualTo("5");
        end.countDown();
        assertThat(only.get(30, TimeUnit.SECONDS).status()).isEqualTo(200);
        assertThat(gateway.health("a").path("failure_count").asInt())
                .as("a refusal is no evidence")
                .isEqualTo(5);
        assertThat(invokeAsOwner().status()).isEqualTo(200);
        assertThat(new ConnectionStore(gateway.system().database())
                        .find(new AgentStore(gateway.system().database())
                                .profile("a")
                                .orElseThrow())
                        .timeoutsInRow())
                .isZero();
    }

    @Test
    void short_timeouts_of_the_callers_choice_make_no_agent_unresponsive() {
        gateway.agent("a", GatewayHarness.endpoint(server), ",\"expectations\":{\"sla_ms\":301}");
        for (int i = 0; i < 6; i++) {
            assertThat(gateway.invoke("a", HASTY).status()).isEqualTo(504);
        }
        assertThat(new ConnectionStore(gateway.system().database())
                        .find(new AgentStore(gateway.system().database())
                                .profile("a")
                                .orElseThrow())
                        .isUnresponsive())
                .isFalse();
    }

    private Response invokeAsOwner() {
        return gateway.api()
                .post("/v1/agents/a/invoke")
                .key(TestSystem.AGENT_KEY)
                .body(GatewayHarness.HELLO)
                .send();
    }
}
