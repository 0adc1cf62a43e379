package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The caller's trace reaches the agent, and the receipt names it. */
class TraceTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";
    private static final String STATE = "vendor=opaque";

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private final ScriptedServer server = gateway.answeringAgent("a");

    @ParameterizedTest
    @ValueSource(strings = {"invoke", "invoke-async"})
    void the_agent_continues_the_caller_s_trace_and_the_receipt_names_it(String route) {
        Response response = invoke(route, Map.of("traceparent", PARENT, "tracestate", STATE));
        gateway.deliver();
        assertThat(server.requests()).singleElement().satisfies(request -> assertThat(request.headers())
                .containsEntry("traceparent", PARENT)
                .containsEntry("tracestate", STATE));
        assertThat(traceId(response)).isEqualTo(TRACE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00-" + TRACE + "-0000000000000000-01", "nonsense"})
    void an_invocation_without_a_valid_trace_has_none(String parent) {
        Response response = invoke("invoke", Map.of("traceparent", parent, "tracestate", STATE));
        assertThat(response.status()).isEqualTo(200);
        assertThat(server.requests()).singleElement().satisfies(request -> assertThat(request.headers())
                .doesNotContainKey("traceparent")
                .doesNotContainKey("tracestate"));
        assertThat(traceId(response)).isEqualTo("null");
    }

    @Test
    void a_repeated_request_belongs_to_the_trace_of_the_first() {
        String other = PARENT.replace(TRACE, "1".repeat(32));
        Response first = invoke("invoke", Map.of("traceparent", PARENT, "idempotency-key", "\"1\""));
        Response second = invoke("invoke", Map.of("traceparent", other, "idempotency-key", "\"1\""));
        assertThat(second.status()).isEqualTo(200);
        assertThat(traceId(second)).isEqualTo(traceId(first)).isEqualTo(TRACE);
    }

    private Response invoke(String route, Map<String, String> headers) {
        var request = gateway.api()
                .post("/v1/agents/a/" + route)
                .key(TestSystem.OTHER_AGENT_KEY)
                .body(GatewayHarness.HELLO);
        headers.forEach(request::header);
        return request.send();
    }

    private String traceId(Response response) {
        return gateway.receipt(response.json().path("receipt_id").asText())
                .path("trace_id")
                .asText();
    }
}
