package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.testkit.ScriptedServer.Request;
import dev.agenthealth.testkit.ScriptedServer.Script;

/** The responses of scripted agents. */
final class AgentScripts {

    static final String MESSAGE =
            """
                    {"kind":"message","role":"agent","messageId":"m","parts":[{"kind":"text","text":"Done."}]}\
                    """;

    private AgentScripts() {}

    /** Answers with a message of A2A 0.3. */
    static Script message() {
        return result(MESSAGE);
    }

    /** Answers with a task of A2A 0.3 in this state. */
    static Script task(String state) {
        return result("{\"kind\":\"task\",\"id\":\"t\",\"contextId\":\"c\",\"status\":{\"state\":\"" + state + "\"}}");
    }

    /** Answers with this result. */
    static Script result(String result, String... headers) {
        return (request, out) -> Script.body(
                        "{\"jsonrpc\":\"2.0\",\"id\":\"" + id(request) + "\",\"result\":" + result + "}", headers)
                .play(request, out);
    }

    /** Answers with an error of JSON-RPC. */
    static Script rpcError(String message) {
        return rpcError(-32_603, message);
    }

    /** An answer with this JSON-RPC error. */
    static Script rpcError(int code, String message) {
        return (request, out) -> Script.body("{\"jsonrpc\":\"2.0\",\"id\":\"" + id(request) + "\",\"error\":{\"code\":"
                        + code + ",\"message\":\"" + message + "\"}}")
                .play(request, out);
    }

    /** The id of the JSON-RPC request. */
    static String id(Request request) {
        return Json.stored(request.body()).path("id").asText();
    }
}
