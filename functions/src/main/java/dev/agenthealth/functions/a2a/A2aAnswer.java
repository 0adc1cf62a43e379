package dev.agenthealth.functions.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.json.UnreadableJsonException;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.profile.A2aVersion;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What an agent's answer means. */
public sealed interface A2aAnswer {

    /**
     * The agent did what it was asked for, is doing it, or needs to know more.
     *
     * @param result a task or a message, as the agent sent it
     */
    record Done(JsonNode result) implements A2aAnswer {}

    /** The agent did not. */
    record NotDone(InvocationFailure failure) implements A2aAnswer {}

    /**
     * Reads the body of an answer.
     *
     * @param id of the request
     */
    static A2aAnswer read(A2aVersion version, String id, byte[] body) {
        JsonNode json;
        try {
            json = Json.received(text(body));
        } catch (CharacterCodingException | UnreadableJsonException e) {
            return new NotDone(InvocationFailure.MALFORMED);
        }
        if (!json.path("jsonrpc").asText().equals("2.0")) {
            return new NotDone(InvocationFailure.MALFORMED);
        }
        JsonNode of = json.path("id");
        boolean answersThis = of.isTextual() && of.textValue().equals(id);
        if (isError(json.path("error")) && isNothing(json.path("result"))) {
            // Who could not even read the request does not know its id.
            return new NotDone(
                    answersThis || isNothing(of) ? InvocationFailure.RPC_ERROR : InvocationFailure.MALFORMED);
        }
        if (!answersThis || !isNothing(json.path("error"))) {
            return new NotDone(InvocationFailure.MALFORMED);
        }
        return switch (version) {
            case V0_3 -> older(json.path("result"));
            case V1_0 -> newer(json.path("result"));
        };
    }

    private static boolean isError(JsonNode error) {
        return error.isObject() && error.path("code").isIntegralNumber();
    }

    private static boolean isNothing(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    private static A2aAnswer older(JsonNode result) {
        return switch (result.path("kind").asText()) {
            case "task" -> task(result, result);
            case "message" -> message(result, result);
            default -> new NotDone(InvocationFailure.MALFORMED);
        };
    }

    /** The only field of the result says what it is. */
    private static A2aAnswer newer(JsonNode result) {
        boolean task = result.path("task").isObject();
        boolean message = result.path("message").isObject();
        if (task == message) {
            return new NotDone(InvocationFailure.MALFORMED);
        }
        return task ? task(result, result.path("task")) : message(result, result.path("message"));
    }

    private static A2aAnswer message(JsonNode result, JsonNode message) {
        return message.path("parts").isArray() ? new Done(result) : new NotDone(InvocationFailure.MALFORMED);
    }

    /** Both versions have the same states, under different names. */
    private static A2aAnswer task(JsonNode result, JsonNode task) {
        String state = task.path("status").path("state").asText();
        String word = state.startsWith("TASK_STATE_")
                ? state.substring("TASK_STATE_".length())
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-')
                : state;
        return switch (word) {
            case "completed", "working", "submitted", "input-required", "auth-required" -> new Done(result);
            case "failed", "rejected", "canceled" -> new NotDone(InvocationFailure.TASK_FAILED);
            default -> new NotDone(InvocationFailure.MALFORMED);
        };
    }

    private static String text(byte[] body) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    }
}
