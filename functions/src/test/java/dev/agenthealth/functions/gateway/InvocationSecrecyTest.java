package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** Logs contain no messages to agents, no answers and no keys. */
@Tag("SN-07")
@Tag(Attack.TAG)
class InvocationSecrecyTest {

    private static final String QUESTION = "the-question-that-is-confidential";
    private static final String ANSWER = "the-answer-that-is-confidential";

    @Test
    void neither_messages_nor_answers_are_logged() {
        try (CapturedOutput log = new CapturedOutput();
                GatewayHarness gateway = new GatewayHarness()) {
            ScriptedServer server = gateway.server();
            gateway.agent("a", server);
            String body = "{\"message\":\"" + QUESTION + "\",\"timeout_ms\":2000}";
            for (Script script : List.of(
                    AgentScripts.result(AgentScripts.MESSAGE.replace("Done.", ANSWER)),
                    AgentScripts.rpcError(ANSWER),
                    AgentScripts.result(
                            "{\"kind\":\"task\",\"status\":{\"state\":\"failed\",\"message\":\"" + ANSWER + "\"}}"),
                    Script.body("{\"" + ANSWER + "\":\"\\ud800"),
                    Script.body(ANSWER),
                    Script.bytes("HTTP/1.1 200 " + ANSWER + "\r\n" + ANSWER + "\r\n\r\n"),
                    Script.status(500, "X: " + ANSWER))) {
                server.plays(script);
                gateway.invoke("a", body);
                gateway.invokeAsync("a", body);
                gateway.deliver();
                gateway.system().clock().advanceSeconds(10);
            }
            gateway.invoke("a", "{\"message\":{\"" + QUESTION + "\":\"" + QUESTION + "\"}}");
            gateway.invoke("a", QUESTION);
            gateway.system().sqs().failSend(SqsException.builder().build());
            gateway.invokeAsync("a", body);
            gateway.repair();
            // The id of a test's key contains the key, unlike that of an issued one.
            assertThat(log.text().replace("key-" + TestSystem.OTHER_AGENT_KEY, "key-id"))
                    .contains("invocation_failed", "agent_id", "rpc_error", "invocation_not_queued")
                    .doesNotContain(QUESTION, ANSWER, TestSystem.OTHER_AGENT_KEY, "secret-path");
        }
    }
}
