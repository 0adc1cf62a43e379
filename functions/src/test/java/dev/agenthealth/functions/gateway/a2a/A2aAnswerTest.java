package dev.agenthealth.functions.gateway.a2a;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The results of agents' responses. */
@Tag("SN-07")
@Tag("SN-06")
class A2aAnswerTest {

    private static final String ID = "rcpt_1";
    private static final String OLDER_MESSAGE =
            """
                    {"kind":"message","role":"agent","messageId":"m","parts":[{"kind":"text","text":"Hi ä"}]}\
                    """;
    private static final String NEWER_MESSAGE =
            """
                    {"message":{"role":"ROLE_AGENT","messageId":"m","parts":[{"text":"Hi"}]}}\
                    """;

    @ParameterizedTest
    @CsvSource({
        "completed, TASK_STATE_COMPLETED, DONE",
        "working, TASK_STATE_WORKING, DONE",
        "submitted, TASK_STATE_SUBMITTED, DONE",
        "input-required, TASK_STATE_INPUT_REQUIRED, DONE",
        "auth-required, TASK_STATE_AUTH_REQUIRED, DONE",
        "failed, TASK_STATE_FAILED, TASK_FAILED",
        "rejected, TASK_STATE_REJECTED, TASK_REJECTED",
        "canceled, TASK_STATE_CANCELED, TASK_FAILED",
        "unknown, TASK_STATE_UNSPECIFIED, MALFORMED",
        "sleeping, TASK_STATE_SLEEPING, MALFORMED",
        "'', '', MALFORMED"
    })
    void a_task_s_state_determines_the_result(String older, String newer, String meaning) {
        String status = """
                "id":"t","contextId":"c","status":{"state":"%s"}\
                """;
        assertMeans(meaning, A2aVersion.V0_3, "{\"kind\":\"task\"," + status.formatted(older) + "}");
        assertMeans(meaning, A2aVersion.V1_0, "{\"task\":{" + status.formatted(newer) + "}}");
    }

    private static void assertMeans(String meaning, A2aVersion version, String result) {
        Object answer = answer(version, result(result));
        if (meaning.equals("DONE")) {
            assertThat(answer).isEqualTo(Json.stored(result));
        } else {
            assertThat(answer).isEqualTo(InvocationFailure.valueOf(meaning));
        }
    }

    @Test
    void a_message_is_a_success_and_returned_unchanged() {
        assertMeans("DONE", A2aVersion.V0_3, OLDER_MESSAGE);
        assertMeans("DONE", A2aVersion.V1_0, NEWER_MESSAGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "{}",
                "[]",
                "\"completed\"",
                "{\"kind\":\"message\"}",
                "{\"kind\":\"status-update\",\"status\":{\"state\":\"completed\"}}",
                "{\"kind\":\"task\"}",
                "{\"kind\":\"task\",\"status\":\"completed\"}",
                "{\"task\":{\"status\":{\"state\":7}}}",
                "{\"task\":[]}",
                "{\"message\":{}}",
                "{\"message\":{\"parts\":[]},\"task\":{\"status\":{\"state\":\"TASK_STATE_COMPLETED\"}}}"
            })
    void a_result_that_is_neither_task_nor_message_is_malformed(String result) {
        for (A2aVersion version : A2aVersion.values()) {
            assertThat(answer(version, result(result))).isEqualTo(InvocationFailure.MALFORMED);
        }
    }

    @Test
    void an_answer_of_the_other_version_is_malformed() {
        assertMeans("MALFORMED", A2aVersion.V1_0, OLDER_MESSAGE);
        assertMeans("MALFORMED", A2aVersion.V0_3, NEWER_MESSAGE);
    }

    @ParameterizedTest
    @EnumSource(A2aVersion.class)
    void every_json_rpc_error_is_an_agent_error(A2aVersion version) {
        for (String id : new String[] {"\"rcpt_1\"", "null"}) {
            assertThat(answer(
                            version,
                            "{\"jsonrpc\":\"2.0\",\"id\":" + id
                                    + ",\"error\":{\"code\":-32603,\"message\":\"Internal error\"}}"))
                    .isEqualTo(InvocationFailure.RPC_ERROR);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-32600, RPC_REFUSED",
        "-32601, RPC_REFUSED",
        "-32602, RPC_REFUSED",
        "-32005, RPC_REFUSED",
        "-32603, RPC_ERROR",
        "-32700, RPC_ERROR",
        "-32001, RPC_ERROR",
        "-4294999896, RPC_ERROR",
        "0, RPC_ERROR"
    })
    void an_error_says_whether_the_message_may_have_caused_it(String code, InvocationFailure failure) {
        for (A2aVersion version : A2aVersion.values()) {
            assertThat(answer(version, error(code))).isEqualTo(failure);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2147483647, 2147483647",
        "2147483648, 2147483647",
        "-2147483649, -2147483648",
        "99999999999999999999, 2147483647",
        "-32000, -32000"
    })
    void an_error_code_beyond_an_int_is_not_passed_on(String code, int shown) {
        assertThatThrownBy(() -> new A2aRequest(A2aVersion.V1_0, ID, A2aCall.Operation.SEND_MESSAGE, Json.object())
                        .read(error(code).getBytes(StandardCharsets.UTF_8)))
                .isInstanceOfSatisfying(CallFailedException.class, failed -> assertThat(
                                Json.stored(failed.returned()).path("code"))
                        .isEqualTo(IntNode.valueOf(shown)));
    }

    private static String error(String code) {
        return "{\"jsonrpc\":\"2.0\",\"id\":\"" + ID + "\",\"error\":{\"code\":" + code
                + ",\"message\":\"Something\"}}";
    }

    @Test
    void an_error_with_a_result_or_another_id_is_malformed() {
        String error = "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}";
        for (String rest : new String[] {
            "\"id\":\"rcpt_2\"," + error,
            "\"id\":7," + error,
            "\"id\":\"rcpt_1\",\"result\":" + OLDER_MESSAGE + "," + error,
            "\"id\":\"rcpt_1\",\"result\":" + OLDER_MESSAGE + ",\"error\":\"bad\"",
            "\"id\":\"rcpt_1\",\"result\":" + OLDER_MESSAGE + ",\"error\":{}"
        }) {
            assertThat(answer(A2aVersion.V0_3, "{\"jsonrpc\":\"2.0\"," + rest + "}"))
                    .as(rest)
                    .isEqualTo(InvocationFailure.MALFORMED);
        }
    }

    @Test
    void null_is_neither_an_error_nor_a_result() {
        assertThat(answer(A2aVersion.V0_3, result(OLDER_MESSAGE).replace("\"result\"", "\"error\":null,\"result\"")))
                .isInstanceOf(JsonNode.class);
        assertThat(
                        answer(
                                A2aVersion.V0_3,
                                """
                                {"jsonrpc":"2.0","id":"rcpt_1","result":null,"error":{"code":1}}\
                                """))
                .isEqualTo(InvocationFailure.RPC_ERROR);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "7",
                "[]",
                "{}",
                "<html></html>",
                "{\"jsonrpc\":\"2.0\",\"id\":\"rcpt_1\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":\"rcpt_1\",\"error\":\"bad\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":\"rcpt_1\",\"error\":{\"code\":\"x\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":\"rcpt_1\",\"result\":",
                "{\"jsonrpc\":\"2.0\",\"id\":\"rcpt_1\",\"result\":{}} {}",
                "data: {\"jsonrpc\":\"2.0\"}"
            })
    void what_is_not_json_rpc_is_malformed(String body) {
        for (A2aVersion version : A2aVersion.values()) {
            assertThat(answer(version, body)).isEqualTo(InvocationFailure.MALFORMED);
        }
    }

    @Test
    void a_response_with_another_id_is_malformed() {
        for (String id : new String[] {"\"rcpt_2\"", "1", "null", "{}"}) {
            assertThat(answer(
                            A2aVersion.V0_3,
                            "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + OLDER_MESSAGE + "}"))
                    .isEqualTo(InvocationFailure.MALFORMED);
        }
        assertThat(answer(A2aVersion.V0_3, "{\"jsonrpc\":\"1.0\",\"id\":\"rcpt_1\",\"result\":" + OLDER_MESSAGE + "}"))
                .isEqualTo(InvocationFailure.MALFORMED);
    }

    @Test
    void a_response_that_cannot_be_returned_is_malformed() {
        String halfAPair = result(OLDER_MESSAGE).replace("ä", "\\ud800");
        assertThat(answer(A2aVersion.V0_3, halfAPair)).isEqualTo(InvocationFailure.MALFORMED);
        String deep = result("{\"kind\":\"message\",\"parts\":" + "[".repeat(40) + "]".repeat(40) + "}");
        assertThat(answer(A2aVersion.V0_3, deep)).isEqualTo(InvocationFailure.MALFORMED);
        byte[] latin1 = result(OLDER_MESSAGE).getBytes(StandardCharsets.ISO_8859_1);
        assertThat(answer(A2aVersion.V0_3, latin1)).isEqualTo(InvocationFailure.MALFORMED);
    }

    private static String result(String result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":\"" + ID + "\",\"result\":" + result + "}";
    }

    private static Object answer(A2aVersion version, String body) {
        return answer(version, body.getBytes(StandardCharsets.UTF_8));
    }

    /** The result, or why there is none. */
    private static Object answer(A2aVersion version, byte[] body) {
        try {
            return new A2aRequest(version, ID, A2aCall.Operation.SEND_MESSAGE, Json.object()).read(body);
        } catch (CallFailedException e) {
            return e.reason();
        }
    }
}
