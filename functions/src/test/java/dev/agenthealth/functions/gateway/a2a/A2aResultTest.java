package dev.agenthealth.functions.gateway.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.registry.profile.A2aVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class A2aResultTest {

    private static final String OLDER_TASK =
            """
                    {"kind":"task","id":"t","contextId":"c","metadata":{"a":1},
                     "status":{"state":"input-required","timestamp":"2026-02-08T10:00:00Z",
                       "message":{"kind":"message","role":"agent","messageId":"m1","parts":[{"kind":"text","text":"Which?"}]}},
                     "history":[{"kind":"message","role":"user","messageId":"m0","parts":[{"kind":"data","data":{"x":1}}]}],
                     "artifacts":[{"artifactId":"a1","name":"n","parts":[
                       {"kind":"file","file":{"bytes":"AA==","name":"f","mimeType":"text/plain"},"metadata":{"b":2}},
                       {"kind":"file","file":{"uri":"https://x.example/f"}}]}]}""";

    private static final String NEWER_TASK =
            """
                    {"id":"t","contextId":"c","metadata":{"a":1},
                     "status":{"state":"TASK_STATE_INPUT_REQUIRED","timestamp":"2026-02-08T10:00:00Z",
                       "message":{"role":"ROLE_AGENT","messageId":"m1","parts":[{"text":"Which?"}]}},
                     "history":[{"role":"ROLE_USER","messageId":"m0","parts":[{"data":{"x":1}}]}],
                     "artifacts":[{"artifactId":"a1","name":"n","parts":[
                       {"raw":"AA==","filename":"f","mediaType":"text/plain","metadata":{"b":2}},
                       {"url":"https://x.example/f"}]}]}""";

    @Test
    void a_task_is_the_same_in_both_versions() {
        JsonNode older = Json.stored(OLDER_TASK);
        JsonNode newer = Json.stored(NEWER_TASK);
        assertThat(A2aResult.task(older, A2aVersion.V1_0)).isEqualTo(newer);
        assertThat(A2aResult.task(newer, A2aVersion.V0_3)).isEqualTo(older);
        assertThat(A2aResult.task(older, A2aVersion.V0_3)).isEqualTo(older);
        assertThat(A2aResult.task(newer, A2aVersion.V1_0)).isEqualTo(newer);
        JsonNode wrapped = Json.object().set("task", newer);
        assertThat(A2aResult.of(older, A2aVersion.V1_0)).isEqualTo(wrapped);
        assertThat(A2aResult.of(wrapped, A2aVersion.V1_0)).isEqualTo(wrapped);
        assertThat(A2aResult.of(wrapped, A2aVersion.V0_3)).isEqualTo(older);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"data\":[1]} | {\"kind\":\"data\",\"data\":{\"value\":[1]},\"metadata\":{\"data_part_compat\":true}}",
                "{\"data\":\"x\",\"metadata\":{\"a\":1}} | {\"kind\":\"data\",\"data\":{\"value\":\"x\"},\"metadata\":{\"a\":1,\"data_part_compat\":true}}",
                "{\"data\":{\"value\":1}} | {\"kind\":\"data\",\"data\":{\"value\":1}}",
            })
    void data_that_are_no_object_are_in_one_in_0_3_as_sdks_have_it(String newer, String older) {
        String message = """
                {"%s":{"role":"%s","messageId":"m","parts":[%s]}}\
                """;
        JsonNode in10 = Json.stored(message.formatted("message", "ROLE_AGENT", newer));
        JsonNode in03 = ((ObjectNode) Json.stored(message.formatted("message", "agent", older))
                        .path("message"))
                .put("kind", "message");
        assertThat(A2aResult.of(in10, A2aVersion.V0_3)).isEqualTo(in03);
        assertThat(A2aResult.of(in03, A2aVersion.V1_0)).isEqualTo(in10);
    }

    @Test
    void a_message_is_the_same_in_both_versions() {
        JsonNode older = Json.stored(
                """
                        {"kind":"message","role":"agent","messageId":"m","parts":[{"kind":"text","text":"Done."}],\
                        "extensions":["u"]}\
                        """);
        JsonNode newer = Json.stored(
                """
                        {"message":{"role":"ROLE_AGENT","messageId":"m","parts":[{"text":"Done."}],\
                        "extensions":["u"]}}\
                        """);
        assertThat(A2aResult.of(older, A2aVersion.V1_0)).isEqualTo(newer);
        assertThat(A2aResult.of(newer, A2aVersion.V0_3)).isEqualTo(older);
    }

    @ParameterizedTest
    @CsvSource({
        "submitted, TASK_STATE_SUBMITTED",
        "working, TASK_STATE_WORKING",
        "input-required, TASK_STATE_INPUT_REQUIRED",
        "auth-required, TASK_STATE_AUTH_REQUIRED",
        "completed, TASK_STATE_COMPLETED",
        "canceled, TASK_STATE_CANCELED",
        "failed, TASK_STATE_FAILED",
        "rejected, TASK_STATE_REJECTED",
        "unknown, TASK_STATE_UNSPECIFIED"
    })
    void every_state_has_a_name_in_both_versions(String older, String newer) {
        assertThat(state(older, A2aVersion.V1_0)).isEqualTo(newer);
        assertThat(state(newer, A2aVersion.V0_3)).isEqualTo(older);
        assertThat(state(older, A2aVersion.V0_3)).isEqualTo(older);
        assertThat(state(newer, A2aVersion.V1_0)).isEqualTo(newer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "[]",
                "\"x\"",
                "{}",
                "{\"kind\":\"task\"}",
                "{\"kind\":\"other\"}",
                "{\"task\":1}",
                "{\"task\":{\"status\":{},\"history\":[1,{}],\"artifacts\":[null,{\"parts\":[1,{}]}]}}",
                "{\"kind\":\"message\",\"parts\":[{\"kind\":\"file\"},{\"kind\":1},[]]}"
            })
    void what_an_agent_got_wrong_never_fails(String result) {
        for (A2aVersion version : A2aVersion.values()) {
            assertThat(A2aResult.of(Json.stored(result), version)).isNotNull();
            assertThat(A2aResult.task(Json.stored(result), version)).isNotNull();
        }
    }

    private static String state(String state, A2aVersion version) {
        JsonNode task = Json.object().set("status", Json.object().put("state", state));
        return A2aResult.task(task, version).path("status").path("state").asText();
    }
}
