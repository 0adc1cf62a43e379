package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Slow agents take as many executions as the configuration allows, and no more. */
@Tag("SN-07")
class CallConcurrencyTest {

    private static final int CALLS = 2;

    private final GatewayHarness gateway = new GatewayHarness();
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final Semaphore arrived = new Semaphore(0);
    private final CountDownLatch answer = new CountDownLatch(1);
    private ScriptedServer slow;

    @BeforeEach
    void start() {
        slow = gateway.server().plays((request, out) -> {
            arrived.release();
            try {
                answer.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            AgentScripts.message().play(request, out);
        });
        gateway.agent("slow", slow);
        gateway.agent("slow-too", slow);
        gateway.agent("quick", gateway.server().plays(AgentScripts.message()));
    }

    @AfterEach
    void close() {
        answer.countDown();
        callers.shutdown();
        gateway.close();
    }

    @Test
    void calls_beyond_the_limit_get_429_until_one_under_way_ends() throws Exception {
        configure(CALLS);
        List<CompletableFuture<Response>> underWay = slowCalls("slow-too", TestSystem.AGENT_KEY);
        Response refused = invoke("quick", TestSystem.COORDINATOR_KEY);
        assertRefused(refused, "of all keys");
        assertThat(gateway.invokeAsync("quick", GatewayHarness.HELLO).status())
                .as("asynchronous invocations have a limit of their own")
                .isEqualTo(202);
        answer.countDown();
        for (CompletableFuture<Response> call : underWay) {
            assertThat(call.get(30, TimeUnit.SECONDS).status()).isEqualTo(200);
        }
        assertThat(gateway.invoke("quick", GatewayHarness.HELLO).status()).isEqualTo(200);
        assertThat(slow.connections()).isEqualTo(CALLS);
    }

    @Test
    void one_agent_gets_at_most_a_quarter() throws Exception {
        configure(4 * CALLS);
        slowCalls("slow", TestSystem.AGENT_KEY);
        assertRefused(invoke("slow", TestSystem.COORDINATOR_KEY), "for this agent");
        assertThat(invoke("quick", TestSystem.COORDINATOR_KEY).status()).isEqualTo(200);
    }

    @Test
    void one_caller_gets_at_most_a_quarter() throws Exception {
        configure(4 * CALLS);
        slowCalls("slow", TestSystem.OTHER_AGENT_KEY);
        assertRefused(invoke("quick", TestSystem.OTHER_AGENT_KEY), "of this key");
        assertThat(invoke("quick", TestSystem.AGENT_KEY).status()).isEqualTo(200);
    }

    @Test
    void without_a_configured_limit_half_of_the_accounts_concurrency_may_wait() throws Exception {
        // Of 64, 32 may wait, and 8 of them for one caller.
        for (int i = 0; i < 4; i++) {
            slowCalls("slow-too", TestSystem.OTHER_AGENT_KEY);
        }
        assertRefused(invoke("quick", TestSystem.OTHER_AGENT_KEY), "8 invocations of this key");
    }

    @Test
    void a_refused_call_is_not_recorded_and_takes_no_idempotency_key() throws Exception {
        configure(CALLS);
        List<CompletableFuture<Response>> underWay = slowCalls("slow-too", TestSystem.AGENT_KEY);
        assertThat(repeatable().status()).isEqualTo(429);
        answer.countDown();
        for (CompletableFuture<Response> call : underWay) {
            call.get(30, TimeUnit.SECONDS);
        }
        assertThat(repeatable().status()).isEqualTo(200);
    }

    @Test
    void refusals_before_the_call_take_no_permit() {
        configure(CALLS);
        for (int i = 0; i < 3; i++) {
            assertThat(gateway.invoke("unknown", GatewayHarness.HELLO).status()).isEqualTo(404);
        }
        assertThat(gateway.invoke("quick", GatewayHarness.HELLO).status()).isEqualTo(200);
    }

    private static void assertRefused(Response refused, String whose) {
        assertThat(refused.status()).as(refused.text()).isEqualTo(429);
        assertThat(refused.json().path("error").textValue()).isEqualTo("too_many_in_flight");
        assertThat(refused.json().path("detail").textValue()).contains(whose);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
    }

    private Response invoke(String agentId, String key) {
        return gateway.api()
                .post("/v1/agents/" + agentId + "/invoke")
                .key(key)
                .body(GatewayHarness.HELLO)
                .send();
    }

    private Response repeatable() {
        return gateway.api()
                .post("/v1/agents/quick/invoke")
                .key(TestSystem.COORDINATOR_KEY)
                .header("idempotency-key", "once")
                .body(GatewayHarness.HELLO)
                .send();
    }

    /** A call of one slow agent, and another one of the agent with this id by the holder of this key. */
    private List<CompletableFuture<Response>> slowCalls(String agentId, String key) throws InterruptedException {
        List<CompletableFuture<Response>> calls = List.of(
                CompletableFuture.supplyAsync(() -> invoke("slow", TestSystem.OTHER_AGENT_KEY), callers),
                CompletableFuture.supplyAsync(() -> invoke(agentId, key), callers));
        assertThat(arrived.tryAcquire(CALLS, 30, TimeUnit.SECONDS)).isTrue();
        return calls;
    }

    private void configure(int maxInFlight) {
        Response changed = gateway.system()
                .api()
                .put("/v1/admin/configuration")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(
                        "{\"sweep_passes_per_minute\":1,\"sweep_fan_out_agents\":200000,\"mass_silence\":{\"minimum_agents\":50,"
                                + "\"silent_percent\":55,\"death_percent_per_minute\":10},"
                                + "\"invocations\":{\"per_second\":100,\"burst\":100,\"max_in_flight\":" + maxInFlight
                                + "},\"default_window_seconds\":86400,\"max_agents_per_key\":20000,\"max_watched_agents_per_key\":1000,\"public_catalogue\":false}")
                .send();
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.json().at("/invocations/max_in_flight").intValue()).isEqualTo(maxInFlight);
    }
}
