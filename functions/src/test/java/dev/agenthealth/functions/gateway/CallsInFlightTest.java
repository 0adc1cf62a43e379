package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Slow agents take as many executions as the configuration allows, and no more. */
@Tag("SN-07")
class CallsInFlightTest {

    private static final int MAX = 2;

    private final GatewayHarness gateway = new GatewayHarness();
    private final ExecutorService callers = Executors.newFixedThreadPool(MAX);
    private final CountDownLatch arrived = new CountDownLatch(MAX);
    private final CountDownLatch answer = new CountDownLatch(1);
    private ScriptedServer slow;

    @BeforeEach
    void start() {
        configure(MAX);
        slow = gateway.server().plays((request, out) -> {
            arrived.countDown();
            try {
                answer.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            AgentScripts.message().play(request, out);
        });
        gateway.agent("slow", slow);
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
        List<CompletableFuture<Response>> underWay = slowCalls();
        Response refused = gateway.invoke("quick", GatewayHarness.HELLO);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.json().path("error").textValue()).isEqualTo("too_many_in_flight");
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(gateway.invokeAsync("quick", GatewayHarness.HELLO).status())
                .as("asynchronous invocations have a limit of their own")
                .isEqualTo(202);
        answer.countDown();
        for (CompletableFuture<Response> call : underWay) {
            assertThat(call.get(30, TimeUnit.SECONDS).status()).isEqualTo(200);
        }
        assertThat(gateway.invoke("quick", GatewayHarness.HELLO).status()).isEqualTo(200);
        assertThat(slow.connections()).isEqualTo(MAX);
    }

    @Test
    void a_refused_call_is_not_recorded_and_takes_no_idempotency_key() throws Exception {
        List<CompletableFuture<Response>> underWay = slowCalls();
        assertThat(repeatable().status()).isEqualTo(429);
        answer.countDown();
        for (CompletableFuture<Response> call : underWay) {
            call.get(30, TimeUnit.SECONDS);
        }
        assertThat(repeatable().status()).isEqualTo(200);
    }

    @Test
    void refusals_before_the_call_take_no_slot() {
        assertThat(gateway.invoke("unknown", GatewayHarness.HELLO).status()).isEqualTo(404);
        assertThat(gateway.invoke("unknown", GatewayHarness.HELLO).status()).isEqualTo(404);
        assertThat(gateway.invoke("unknown", GatewayHarness.HELLO).status()).isEqualTo(404);
        assertThat(gateway.invoke("quick", GatewayHarness.HELLO).status()).isEqualTo(200);
    }

    private Response repeatable() {
        return gateway.api()
                .post("/v1/agents/quick/invoke")
                .key(TestSystem.OTHER_AGENT_KEY)
                .header("idempotency-key", "once")
                .body(GatewayHarness.HELLO)
                .send();
    }

    private List<CompletableFuture<Response>> slowCalls() throws InterruptedException {
        List<CompletableFuture<Response>> calls = new ArrayList<>();
        for (int i = 0; i < MAX; i++) {
            calls.add(CompletableFuture.supplyAsync(() -> gateway.invoke("slow", GatewayHarness.HELLO), callers));
        }
        assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
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
                                + "},\"default_window_seconds\":86400,\"max_agents_per_key\":20000,\"public_catalogue\":false}")
                .send();
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.json().at("/invocations/max_in_flight").intValue()).isEqualTo(maxInFlight);
    }
}
