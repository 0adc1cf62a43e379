package dev.agenthealth.client;

import static dev.agenthealth.client.ScriptedTransport.answer;
import static dev.agenthealth.client.ScriptedTransport.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agenthealth.client.testing.ManualScheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An agent is called once, and its failures are not the registry's. */
class InvocationTest {

    private final ScriptedTransport registry = new ScriptedTransport();
    private final AgentHealthClient client = AgentHealthClient.builder("http://registry")
            .apiKey("secret")
            .transport(registry)
            .scheduler(new ManualScheduler())
            .build();
    private final Invocation invocation =
            client.invoke("stripe").message(Map.of("text", "invoice 42")).timeout(Duration.ofSeconds(15));

    @Test
    void a_repeated_request_has_the_same_idempotency_key() {
        registry.script(request -> {
            if (registry.requests().size() == 1) {
                throw new IOException("connection reset");
            }
            return registry.requests().size() == 2
                    ? problem(409, "invocation_in_progress")
                    : answer(
                            200,
                            "{'receipt_id':'rcpt_1','status':'succeeded','output':{'kind':'message'},'latency_ms':62}");
        });

        Receipt receipt = invocation.call();

        assertThat(receipt.latency()).isEqualTo(Duration.ofMillis(62));
        assertThat(registry.requests())
                .hasSize(3)
                .extracting(request -> request.headers().get("Idempotency-Key"))
                .containsOnly(registry.requests().get(0).headers().get("Idempotency-Key"));
        assertThat(registry.lastBody()).hasToString("{\"message\":{\"text\":\"invoice 42\"},\"timeout_ms\":15000}");
        assertThat(registry.last().timeout()).isEqualTo(Duration.ofSeconds(25));
    }

    @Test
    void a_failed_call_of_the_agent_is_not_repeated() {
        registry.answers(answer(502, "{'error':'agent_unreachable','detail':'d','receipt_id':'rcpt_1'}"));

        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(invocation::call)
                .satisfies(problem -> assertThat(
                                problem.document().path("receipt_id").asText())
                        .isEqualTo("rcpt_1"));
        assertThat(registry.requests()).hasSize(1);
    }

    @Test
    void the_trace_of_the_caller_is_sent_and_shown_in_the_receipt() {
        registry.answers(answer(200, "{'receipt_id':'rcpt_1','trace_id':'0af7651916cd43dd8448eb211c80319c'}"));

        invocation
                .traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .timeout(Duration.ofSeconds(1))
                .call();

        assertThat(registry.last().headers())
                .containsEntry("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        assertThat(client.receipt("rcpt_1").traceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        invocation.call();
        assertThat(registry.last().headers()).doesNotContainKey("traceparent");
    }

    @Test
    void the_callers_own_key_names_the_order() {
        registry.answers(answer(202, "{'receipt_id':'rcpt_1','status':'accepted'}"));

        Receipt receipt = invocation.idempotencyKey("order-43").callAsync();

        assertThat(receipt.succeeded()).isFalse();
        assertThat(registry.last().headers()).containsEntry("Idempotency-Key", "\"order-43\"");
        assertThat(registry.calls()).containsExactly("POST /v1/agents/stripe/invoke-async");
    }
}
