package dev.agenthealth.functions.gateway.a2a;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests to agents in both versions, from messages in both formats. */
@Tag("SN-07")
class A2aRequestTest {

    private static final String OLDER =
            """
            {"kind":"message","role":"user","messageId":"m-1","contextId":"c-1","taskId":"t-1",
             "parts":[{"kind":"text","text":"Hello\\n\\"you\\"","metadata":{"a":1}},
              {"kind":"data","data":{"month":"2026-01"}},
              {"kind":"file","file":{"uri":"https://files.example/f","name":"f","mimeType":"text/csv"}},
              {"kind":"file","file":{"bytes":"aGk=","name":"g"}}],
             "extensions":["https://example.com/x"],"referenceTaskIds":["t-0"],"metadata":{"b":{"c":[1.50,null]}}}
            """;

    private static final String NEWER =
            """
            {"role":"ROLE_USER","messageId":"m-1","contextId":"c-1","taskId":"t-1",
             "parts":[{"text":"Hello\\n\\"you\\"","metadata":{"a":1}},{"data":{"month":"2026-01"}},
              {"url":"https://files.example/f","filename":"f","mediaType":"text/csv"},{"raw":"aGk=","filename":"g"}],
             "extensions":["https://example.com/x"],"referenceTaskIds":["t-0"],"metadata":{"b":{"c":[1.50,null]}}}
            """;

    @Test
    void version_0_3_uses_message_send_with_blocking() {
        A2aRequest request = A2aRequest.send(A2aVersion.V0_3, A2aMessage.ofText("Hello"), A2aOptions.DEFAULT, "rcpt_1");
        assertThat(Json.stored(request.body()))
                .isEqualTo(
                        Json.stored(
                                """
                                {"jsonrpc":"2.0","id":"rcpt_1","method":"message/send","params":{
                                 "message":{"kind":"message","role":"user","messageId":"rcpt_1",
                                  "parts":[{"kind":"text","text":"Hello"}]},
                                 "configuration":{"blocking":true}}}
                                """));
        assertThat(request.headers()).isEmpty();
    }

    @Test
    void version_1_0_uses_send_message_and_the_version_header() {
        A2aRequest request = A2aRequest.send(A2aVersion.V1_0, A2aMessage.ofText("Hello"), A2aOptions.DEFAULT, "rcpt_1");
        assertThat(Json.stored(request.body()))
                .isEqualTo(
                        Json.stored(
                                """
                                {"jsonrpc":"2.0","id":"rcpt_1","method":"SendMessage","params":{
                                 "message":{"role":"ROLE_USER","messageId":"rcpt_1","parts":[{"text":"Hello"}]}}}
                                """));
        assertThat(request.headers()).isEqualTo(Map.of("A2A-Version", "1.0"));
    }

    @Test
    void a_message_in_either_format_can_be_sent_to_either_version() {
        for (String given : List.of(OLDER, NEWER)) {
            A2aMessage message = A2aMessage.stored(read(given).text());
            assertThat(sent(A2aVersion.V0_3, message)).isEqualTo(Json.stored(OLDER));
            assertThat(sent(A2aVersion.V1_0, message)).isEqualTo(Json.stored(NEWER));
        }
    }

    private static JsonNode sent(A2aVersion version, A2aMessage message) {
        return Json.stored(A2aRequest.send(version, message, A2aOptions.DEFAULT, "rcpt_1")
                        .body())
                .path("params")
                .path("message");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | message",
                "{\"message\":null} | message",
                "{\"message\":\"\"} | message",
                "{\"message\":7} | message",
                "{\"message\":[]} | message",
                "{\"message\":{}} | message.parts",
                "{\"message\":{\"parts\":[]}} | message.parts",
                "{\"message\":{\"parts\":7}} | message.parts",
                "{\"message\":{\"parts\":[7]}} | message.parts[0]",
                "{\"message\":{\"parts\":[{}]}} | message.parts[0]",
                "{\"message\":{\"parts\":[{\"text\":\"a\",\"data\":1}]}} | message.parts[0]",
                "{\"message\":{\"parts\":[{\"raw\":\"a\",\"url\":\"b\"}]}} | message.parts[0]",
                "{\"message\":{\"parts\":[{\"file\":{}}]}} | message.parts[0]",
                "{\"message\":{\"parts\":[{\"text\":7}]}} | message.parts[0].text",
                "{\"message\":{\"parts\":[{\"raw\":7}]}} | message.parts[0].raw",
                "{\"message\":{\"parts\":[{\"text\":\"a\",\"kind\":\"video\"}]}} | message.parts[0].kind",
                "{\"message\":{\"parts\":[{\"text\":\"a\",\"txt\":\"b\"}]}} | message.parts[0].txt",
                "{\"message\":{\"parts\":[{\"text\":\"a\",\"metadata\":7}]}} | message.parts[0].metadata",
                "{\"message\":{\"parts\":[{\"text\":\"a\",\"metadata\":{\"a\":-1e309}}]}} | message.parts[0].metadata",
                "{\"message\":{\"parts\":[{\"data\":{\"a\":[0,1e400]}}]}} | message.parts[0].data",
                "{\"message\":{\"parts\":[{\"file\":{\"uri\":\"b\",\"x\":1}}]}} | message.parts[0].file.x",
                "{\"message\":{\"parts\":[{\"text\":\"a\"}],\"role\":\"agent\"}} | message.role",
                "{\"message\":{\"parts\":[{\"text\":\"a\"}],\"kind\":\"task\"}} | message.kind",
                "{\"message\":{\"parts\":[{\"text\":\"a\"}],\"messageId\":7}} | message.messageId",
                "{\"message\":{\"parts\":[{\"text\":\"a\"}],\"message_id\":\"x\"}} | message.message_id",
                "{\"message\":{\"parts\":[{\"text\":\"a\"}],\"extensions\":\"x\"}} | message.extensions"
            })
    void an_invalid_message_is_refused_with_the_name_of_the_field(String body, String field) {
        assertThat(mistakes(body)).containsExactly(field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"messageId", "contextId", "taskId"})
    void ids_are_limited(String id) {
        String message = "{\"message\":{\"parts\":[{\"text\":\"a\"}],\"" + id + "\":\"%s\"}}";
        assertThat(mistakes(message.formatted("x".repeat(129)))).containsExactly("message." + id);
        assertThat(mistakes(message.formatted("x".repeat(128)))).isEmpty();
    }

    @Test
    void a_message_has_at_most_a_hundred_parts() {
        String parts = "{\"text\":\"a\"},".repeat(99) + "{\"text\":\"a\"}";
        assertThat(mistakes("{\"message\":{\"parts\":[" + parts + "]}}")).isEmpty();
        assertThat(mistakes("{\"message\":{\"parts\":[" + parts + ",{\"text\":\"a\"}]}}"))
                .containsExactly("message.parts");
    }

    private static List<String> mistakes(String body) {
        Fields fields = Fields.ofBody(body);
        MessageFields.of(fields);
        fields.refuseUnknown();
        ApiError problem = catchThrowableOfType(ApiError.class, fields::check);
        return problem == null
                ? List.of()
                : problem.errors().stream().map(FieldError::field).toList();
    }

    private static A2aMessage read(String message) {
        Fields fields = Fields.ofBody("{\"message\":" + message + "}");
        A2aMessage read = MessageFields.of(fields);
        fields.refuseUnknown();
        fields.check();
        return read;
    }
}
