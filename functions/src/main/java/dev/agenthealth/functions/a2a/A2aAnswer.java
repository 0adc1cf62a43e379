package dev.agenthealth.functions.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.json.UnreadableJsonException;
import dev.agenthealth.functions.outbound.CallResult;
import dev.agenthealth.functions.outbound.CallResult.Failure;
import dev.agenthealth.functions.outbound.CallResult.Success;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.profile.A2aVersion;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** Parses the responses of agents. */
public final class A2aAnswer {

    private static final String CODE = "code";
    private static final String MESSAGE = "message";
    private static final String DATA = "data";

    /** In characters. */
    private static final int MAX_MESSAGE = 1_000;

    /** In characters of its JSON text. */
    private static final int MAX_DATA = 4_000;

    /** "Method not found" of JSON-RPC and "version not supported" of A2A 1.0. */
    private static final Set<BigInteger> UNKNOWN_VERSION =
            Set.of(BigInteger.valueOf(-32_601), BigInteger.valueOf(-32_009));

    private A2aAnswer() {}

    /**
     * The result of a response, whatever it is.
     *
     * @param id of the request
     */
    public static CallResult<JsonNode> result(String id, byte[] body) {
        JsonNode json;
        try {
            json = Json.received(text(body));
        } catch (CharacterCodingException | UnreadableJsonException e) {
            return new Failure<>(InvocationFailure.MALFORMED);
        }
        if (!json.path("jsonrpc").asText().equals("2.0")) {
            return new Failure<>(InvocationFailure.MALFORMED);
        }
        JsonNode of = json.path("id");
        boolean answersThis = of.isTextual() && of.textValue().equals(id);
        if (isError(json.path("error")) && isNothing(json.path("result"))) {
            // An agent that could not parse the request sends no id.
            return new Failure<>(
                    answersThis || isNothing(of) ? InvocationFailure.RPC_ERROR : InvocationFailure.MALFORMED);
        }
        if (!answersThis || !isNothing(json.path("error"))) {
            return new Failure<>(InvocationFailure.MALFORMED);
        }
        return new Success<>(json.path("result"));
    }

    /** The task or message that is the result of a sent message, unchanged; a success unless the task failed. */
    static CallResult<JsonNode> judged(A2aVersion version, JsonNode result) {
        return switch (version) {
            case V0_3 -> older(result);
            case V1_0 -> newer(result);
        };
    }

    /**
     * The error of a response that failed as {@link InvocationFailure#RPC_ERROR}: its code and message, and its data where they are small.
     * An empty object for other responses.
     */
    public static ObjectNode error(byte[] body) {
        ObjectNode bounded = Json.object();
        JsonNode error = errorOf(body);
        if (isError(error)) {
            bounded.set(CODE, error.path(CODE));
            StringBuilder message = new StringBuilder();
            error.path(MESSAGE).asText().codePoints().limit(MAX_MESSAGE).forEach(message::appendCodePoint);
            bounded.put(MESSAGE, message.toString());
            JsonNode data = error.path(DATA);
            if (!isNothing(data) && Json.text(data).length() <= MAX_DATA) {
                bounded.set(DATA, data);
            }
        }
        return bounded;
    }

    /** Whether an error says that the agent does not know the method or the version of the protocol, so that it processed nothing. */
    public static boolean refusesVersion(JsonNode error) {
        return error.has(CODE) && UNKNOWN_VERSION.contains(error.path(CODE).bigIntegerValue());
    }

    private static JsonNode errorOf(byte[] body) {
        try {
            return Json.received(text(body)).path("error");
        } catch (CharacterCodingException | UnreadableJsonException e) {
            return MissingNode.getInstance();
        }
    }

    private static boolean isError(JsonNode error) {
        return error.isObject() && error.path("code").isIntegralNumber();
    }

    private static boolean isNothing(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    private static CallResult<JsonNode> older(JsonNode result) {
        return switch (result.path("kind").asText()) {
            case "task" -> task(result, result);
            case "message" -> message(result, result);
            default -> new Failure<>(InvocationFailure.MALFORMED);
        };
    }

    /** The result has one field, whose name is its type. */
    private static CallResult<JsonNode> newer(JsonNode result) {
        boolean task = result.path("task").isObject();
        boolean message = result.path("message").isObject();
        if (task == message) {
            return new Failure<>(InvocationFailure.MALFORMED);
        }
        return task ? task(result, result.path("task")) : message(result, result.path("message"));
    }

    private static CallResult<JsonNode> message(JsonNode result, JsonNode message) {
        return message.path("parts").isArray() ? new Success<>(result) : new Failure<>(InvocationFailure.MALFORMED);
    }

    /** Both versions have the same states, under different names. */
    private static CallResult<JsonNode> task(JsonNode result, JsonNode task) {
        String state = task.path("status").path("state").asText();
        String word = state.startsWith("TASK_STATE_")
                ? state.substring("TASK_STATE_".length())
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-')
                : state;
        return switch (word) {
            case "completed", "working", "submitted", "input-required", "auth-required" -> new Success<>(result);
            case "failed", "rejected", "canceled" -> new Failure<>(InvocationFailure.TASK_FAILED);
            default -> new Failure<>(InvocationFailure.MALFORMED);
        };
    }

    private static String text(byte[] body) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    }
}
