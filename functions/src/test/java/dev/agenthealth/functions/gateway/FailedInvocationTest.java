package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TestCertificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A failure of a synchronous invocation is reported by its kind, without the address of the agent. */
@Tag("SN-07")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FailedInvocationTest {

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    /** Failures of agents, with the expected error and the expected counter. */
    enum Way {
        NOBODY_LISTENS(
                g -> "http://" + GatewayHarness.HOST + ":" + deserted(),
                502,
                "agent_unreachable",
                OutcomeCounter.OTHER_ERRORS),
        UNKNOWN_HOST(g -> "https://nowhere.test/", 502, "agent_unreachable", OutcomeCounter.OTHER_ERRORS),
        ANOTHER_S_CERTIFICATE(
                g -> "https://" + GatewayHarness.HOST + ":"
                        + g.secureServer(TestCertificates.of("other.test")).port(),
                502,
                "agent_unreachable",
                OutcomeCounter.OTHER_ERRORS),
        NO_TLS(
                g -> "https://" + GatewayHarness.HOST + ":" + g.server().port(),
                502,
                "agent_unreachable",
                OutcomeCounter.OTHER_ERRORS),
        SILENCE(
                g -> {
                    ScriptedServer server = g.server();
                    return at(server.plays((request, out) -> server.hang()));
                },
                504,
                "agent_timeout",
                OutcomeCounter.TIMEOUTS),
        SLOW_BODY(
                g -> at(g.server().plays((request, out) -> {
                    out.write("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    for (int i = 0; i < 9_000; i++) {
                        out.write(' ');
                        out.flush();
                        waitALittle();
                    }
                })),
                504,
                "agent_timeout",
                OutcomeCounter.TIMEOUTS),
        HTTP_404(g -> at(g.server().plays(Script.status(404))), 502, "agent_error", OutcomeCounter.CLIENT_ERRORS),
        HTTP_401(g -> at(g.server().plays(Script.status(401))), 502, "agent_error", OutcomeCounter.CLIENT_ERRORS),
        HTTP_429(g -> at(g.server().plays(Script.status(429))), 502, "agent_error", OutcomeCounter.SERVER_ERRORS),
        HTTP_500(g -> at(g.server().plays(Script.status(500))), 502, "agent_error", OutcomeCounter.SERVER_ERRORS),
        HTTP_503(g -> at(g.server().plays(Script.status(503))), 502, "agent_error", OutcomeCounter.SERVER_ERRORS),
        REDIRECT(
                g -> at(g.server().plays(Script.status(302, "Location: http://127.0.0.1:1/"))),
                502,
                "agent_error",
                OutcomeCounter.OTHER_ERRORS),
        HTML(
                g -> at(g.server().plays(Script.body("<html>"))),
                502,
                "agent_malformed_response",
                OutcomeCounter.MALFORMED),
        EMPTY(g -> at(g.server().plays(Script.body(""))), 502, "agent_malformed_response", OutcomeCounter.MALFORMED),
        HALF_JSON(
                g -> at(g.server().plays(Script.body("{\"jsonrpc\":\"2.0\","))),
                502,
                "agent_malformed_response",
                OutcomeCounter.MALFORMED),
        NO_HTTP(
                g -> at(g.server().plays(Script.bytes("SSH-2.0\r\n\r\n\r\n"))),
                502,
                "agent_malformed_response",
                OutcomeCounter.MALFORMED),
        RPC_ERROR(
                g -> at(g.server().plays(AgentScripts.rpcError("out of memory"))),
                502,
                "agent_rpc_error",
                OutcomeCounter.SERVER_ERRORS),
        TASK_FAILED(
                g -> at(g.server().plays(AgentScripts.task("failed"))),
                502,
                "agent_task_failed",
                OutcomeCounter.OTHER_ERRORS),
        TASK_CANCELED(
                g -> at(g.server().plays(AgentScripts.task("canceled"))),
                502,
                "agent_task_failed",
                OutcomeCounter.OTHER_ERRORS),
        TOO_LARGE(
                g -> at(g.server().plays(Script.body(" ".repeat(262_145)))),
                502,
                "agent_response_too_large",
                OutcomeCounter.MALFORMED),
        ENDLESS(
                g -> at(g.server().plays((request, out) -> {
                    out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    while (true) {
                        out.write(new byte[65_536]);
                    }
                })),
                502,
                "agent_response_too_large",
                OutcomeCounter.MALFORMED),
        HANGS_UP(
                g -> at(g.server().plays((request, out) -> {})), 502, "agent_unreachable", OutcomeCounter.OTHER_ERRORS);

        private final Function<GatewayHarness, String> endpoint;
        private final int status;
        private final String error;
        private final OutcomeCounter counter;

        Way(Function<GatewayHarness, String> endpoint, int status, String error, OutcomeCounter counter) {
            this.endpoint = endpoint;
            this.status = status;
            this.error = error;
            this.counter = counter;
        }

        private static String at(ScriptedServer server) {
            return GatewayHarness.endpoint(server);
        }

        private static int deserted() {
            try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return gone.getLocalPort();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void waitALittle() {
            try {
                TimeUnit.MILLISECONDS.timedJoin(Thread.currentThread(), 20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @Tag("SN-02")
    @Tag("SN-05")
    @Tag("SN-06")
    void a_failure_is_reported_without_the_agent_s_address_and_counted_by_its_kind(Way way) {
        gateway.agent("failing", way.endpoint.apply(gateway), ",\"expectations\":{\"sla_ms\":1500}");
        // Only a call that is to end by its timeout has a short one: others take longer on a busy machine.
        int timeout = way.counter == OutcomeCounter.TIMEOUTS ? 1_500 : 20_000;
        Response answer = gateway.invoke("failing", "{\"message\":\"Hello\",\"timeout_ms\":" + timeout + "}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(way.status);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        JsonNode problem = answer.json();
        assertThat(problem.path("error").asText()).isEqualTo(way.error);
        assertThat(problem.path("title").asText()).isEqualTo(way.status == 504 ? "Gateway Timeout" : "Bad Gateway");
        assertThat(problem.path("detail").asText()).isNotEmpty();
        assertSecret(answer.text());

        assertThat(gateway.health("failing").path("failure_count").asInt()).isEqualTo(1);
        assertThat(gateway.health("failing").path("status").asText()).isEqualTo("offline");
        assertThat(gateway.healthOfProvider().path("failure_count").asInt()).isEqualTo(1);
        assertThat(gateway.reputation("failing")).isLessThan(0.5);
        OutcomeCounts counted = gateway.outcomes("failing");
        assertThat(counted.executions()).isEqualTo(1);
        assertThat(counted.get(OutcomeCounter.GATEWAY_FAILURES)).isEqualTo(1);
        assertThat(counted.get(way.counter)).isEqualTo(1);
        assertThat(gateway.unsettled()).isEmpty();

        Response receipt = gateway.receipt(problem.path("receipt_id").asText(), TestSystem.OTHER_AGENT_KEY);
        assertThat(receipt.json().path("status").asText()).isEqualTo("failed");
        assertThat(receipt.json().path("error").asText()).isEqualTo(way.error);
        assertThat(receipt.json().path("detail")).isEqualTo(problem.path("detail"));
        assertSecret(receipt.text());
    }

    private static void assertSecret(String text) {
        assertThat(text)
                .doesNotContain("127.0.0.1", "localhost", ".test", "secret", "http:", "https:", "Exception", "java.");
    }

    @Test
    void an_unreachable_agent_has_no_latency() {
        gateway.agent("gone", "https://nowhere.test/", "");
        gateway.invoke("gone", GatewayHarness.HELLO);
        assertThat(gateway.outcomes("gone").get(OutcomeCounter.LATENCIES)).isZero();
        ScriptedServer server = gateway.server().plays(Script.status(500));
        gateway.agent("there", server);
        gateway.invoke("there", GatewayHarness.HELLO);
        assertThat(gateway.outcomes("there").get(OutcomeCounter.LATENCIES)).isEqualTo(1);
    }
}
