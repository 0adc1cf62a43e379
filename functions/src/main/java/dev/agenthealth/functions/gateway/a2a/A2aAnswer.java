package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.model.ReceivedText;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Parses the responses of agents. */
public final class A2aAnswer {

    private static final String CODE = "code";
    private static final String MESSAGE = "message";
    private static final String DATA = "data";

    /** The maximum length of a message in characters. */
    private static final int MAX_MESSAGE = 1_000;

    /** The maximum length of data in characters of their JSON text. */
    private static final int MAX_DATA = 4_000;

    /** The codes "method not found" of JSON-RPC and "version not supported" of A2A 1.0. */
    private static final Set<Integer> UNKNOWN_VERSION =
            Set.of(A2aError.METHOD_NOT_FOUND, A2aError.VERSION_NOT_SUPPORTED);

    /** The codes of errors that a caller's message may cause. */
    private static final Set<Integer> OF_CALLER = Set.of(
            A2aError.INVALID_REQUEST,
            A2aError.METHOD_NOT_FOUND,
            A2aError.INVALID_PARAMS,
            A2aError.CONTENT_TYPE_NOT_SUPPORTED);

    /** The codes of errors about a task that no longer runs. */
    private static final Set<Integer> ENDS_TASK = Set.of(A2aError.TASK_NOT_FOUND, A2aError.TASK_NOT_CANCELABLE);

    private static final BigInteger MIN_CODE = BigInteger.valueOf(Integer.MIN_VALUE);
    private static final BigInteger MAX_CODE = BigInteger.valueOf(Integer.MAX_VALUE);

    private A2aAnswer() {}

    /**
     * Returns the result of a response.
     *
     * @param id the id of the request
     * @throws CallFailedException if the response is malformed or an error; the error has its code as an {@code int}, and its data if they are
     *     small
     */
    static JsonNode result(String id, byte[] body) {
        JsonNode json = json(body);
        JsonNode of = json.path("id");
        boolean answersThis = of.isTextual() && of.textValue().equals(id);
        if (!json.path("jsonrpc").asText().equals("2.0")) {
            throw malformed();
        }
        // An agent that could not parse the request sends no id.
        if (isError(json.path("error")) && isNothing(json.path("result")) && (answersThis || isNothing(of))) {
            throw failure(bounded(json.path("error")));
        }
        if (!answersThis || !isNothing(json.path("error")) || !json.has("result")) {
            throw malformed();
        }
        return json.path("result");
    }

    /**
     * Returns the JSON of a response.
     *
     * @throws CallFailedException if the response is no JSON
     */
    static JsonNode json(byte[] body) {
        try {
            return Json.received(text(body));
        } catch (CharacterCodingException | UnreadableJsonException e) {
            throw malformed();
        }
    }

    /** Returns an error of the agent, without its data if they are large. */
    static CallFailedException failure(int code, String message, JsonNode data) {
        ObjectNode error = Json.object().put(CODE, code).put(MESSAGE, message);
        error.set(DATA, data.isMissingNode() ? NullNode.getInstance() : data);
        return failure(bounded(error));
    }

    private static CallFailedException failure(ObjectNode error) {
        boolean ofCaller = OF_CALLER.contains(error.path(CODE).intValue());
        return new CallFailedException(
                ofCaller ? InvocationFailure.RPC_REFUSED : InvocationFailure.RPC_ERROR, Json.text(error));
    }

    /**
     * Returns the task or message that is the result of a sent message, unchanged.
     *
     * @throws CallFailedException if the result is malformed or a failed task; the exception has the task
     */
    static JsonNode ofMessage(A2aVersion version, JsonNode result) {
        return switch (version) {
            case V0_3 ->
                switch (result.path("kind").asText()) {
                    case "task" -> task(result, result);
                    case "message" -> message(result, result);
                    default -> throw malformed();
                };
            case V1_0 -> ofVersion1(result);
        };
    }

    /** Returns the result of a request that sends no message: a task or a card. */
    static JsonNode object(JsonNode result) {
        if (!result.isObject()) {
            throw malformed();
        }
        return result;
    }

    /** Returns whether an error says that the agent knows neither the method nor the version of the protocol, so that it processed nothing. */
    public static boolean refusesVersion(JsonNode error) {
        return error.has(CODE) && UNKNOWN_VERSION.contains(error.path(CODE).intValue());
    }

    /** Returns whether an error says that the agent does not offer the method. */
    public static boolean refusesMethod(JsonNode error) {
        return refusesVersion(error) || error.path(CODE).asInt() == A2aError.UNSUPPORTED_OPERATION;
    }

    /** Returns whether an error says that a task no longer runs: the agent does not know the task, or the task has ended. */
    public static boolean endsTask(JsonNode error) {
        return ENDS_TASK.contains(error.path(CODE).asInt());
    }

    private static ObjectNode bounded(JsonNode error) {
        StringBuilder message = new StringBuilder();
        error.path(MESSAGE).asText().codePoints().limit(MAX_MESSAGE).forEach(message::appendCodePoint);
        ObjectNode bounded = Json.object()
                .put(CODE, code(error.path(CODE).bigIntegerValue()))
                .put(MESSAGE, message.toString());
        JsonNode data = error.path(DATA);
        if (!isNothing(data) && Json.text(data).length() <= MAX_DATA) {
            bounded.set(DATA, data);
        }
        return bounded;
    }

    /** Returns a code as an {@code int}, which clients of A2A read. JSON-RPC permits any integer. */
    static int code(BigInteger code) {
        return code.max(MIN_CODE).min(MAX_CODE).intValue();
    }

    private static boolean isError(JsonNode error) {
        return error.isObject() && error.path(CODE).isIntegralNumber();
    }

    private static boolean isNothing(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    /** Returns the result inside of its wrapper: an object with a single field, which is named after the type. */
    private static JsonNode ofVersion1(JsonNode result) {
        boolean task = result.path("task").isObject();
        boolean message = result.path(MESSAGE).isObject();
        if (task == message) {
            throw malformed();
        }
        return task ? task(result, result.path("task")) : message(result, result.path(MESSAGE));
    }

    private static JsonNode message(JsonNode result, JsonNode message) {
        if (!message.path("parts").isArray()) {
            throw malformed();
        }
        return result;
    }

    private static JsonNode task(JsonNode result, JsonNode task) {
        return switch (A2aResult.state(task.path("status").path("state").asText())) {
            case "completed", "working", "submitted", "input-required", "auth-required" -> result;
            case "rejected" -> throw new CallFailedException(InvocationFailure.TASK_REJECTED, Json.text(result));
            case "failed", "canceled" ->
                throw new CallFailedException(InvocationFailure.TASK_FAILED, Json.text(result));
            default -> throw malformed();
        };
    }

    private static CallFailedException malformed() {
        return new CallFailedException(InvocationFailure.MALFORMED);
    }

    private static String text(byte[] body) throws CharacterCodingException {
        return ReceivedText.of(StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(body))
                .toString());
    }
}
