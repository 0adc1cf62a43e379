package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.testkit.TestContext;
import dev.agenthealth.testkit.TestDynamoDb;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An invocation whose agent uses its whole timeout, on a slow storage. */
@Tag("SN-07")
@Tag("SN-05")
class LateInvocationTest {

    /** The time-out of the function in the template. */
    private static final Duration FUNCTION_TIMEOUT = Duration.ofSeconds(30);

    private static final String PATIENT = "{\"message\":\"Hello\",\"timeout_ms\":25000}";

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    /** The duration of each request to the storage. */
    private final AtomicReference<Duration> slow = new AtomicReference<>(Duration.ofMillis(600));

    @Test
    void the_result_is_recorded_even_after_the_request_s_deadline() {
        gateway.agent("late", gateway.server().plays((request, out) -> {
            gateway.system().clock().advanceSeconds(25);
            slow.set(Duration.ofMillis(20));
            AgentScripts.message().play(request, out);
        }));
        Response answer = gateway.apiThrough(new TestDynamoDb(gateway.system().dynamoDb())
                        .before(request -> gateway.system().clock().advance(slow.get())))
                .post("/v1/agents/late/invoke")
                .key(TestSystem.OTHER_AGENT_KEY)
                .header("idempotency-key", "order-1")
                .body(PATIENT)
                .send(TestContext.lasting(gateway.system().clock(), FUNCTION_TIMEOUT));

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(slow.get()).as("the agent was called").isEqualTo(Duration.ofMillis(20));
        JsonNode receipt = gateway.receipt(answer.json().path("receipt_id").asText());
        assertThat(receipt.path("status").asText()).isEqualTo("succeeded");
        assertThat(receipt.path("output")).isEqualTo(answer.json().path("output"));
        assertThat(gateway.health("late").path("success_count").asInt()).isEqualTo(1);
        assertThat(gateway.outcomes("late").get(OutcomeCounter.GATEWAY_SUCCESSES))
                .isEqualTo(1);
        assertThat(gateway.unsettled()).isEmpty();
    }
}
