package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.nio.charset.StandardCharsets;

/** The form of results and errors in a caller's binding. */
public sealed interface A2aForm {

    /** Returns the body of a successful response. */
    JsonNode result(JsonNode result);

    /** Returns the body of a response with an error. */
    JsonNode error(A2aError error);

    /** Returns the HTTP status of a response with an error. */
    int status(A2aError error);

    /** Returns a server-sent event with a part of a result. */
    default byte[] part(JsonNode part) {
        return event("", result(part));
    }

    /** Returns the server-sent event that ends a stream with an error. */
    byte[] end(A2aError error);

    private static byte[] event(String name, JsonNode json) {
        return (name + "data: " + Json.text(json) + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * JSON-RPC.
     *
     * @param id the id of the request; a missing node if unknown
     */
    record JsonRpc(JsonNode id) implements A2aForm {

        /** The HTTP status of a refusal, by which proxies and meters recognise it. All other errors are answered with 200, as A2A demands. */
        private static final int FORBIDDEN = 403;

        @Override
        public JsonNode result(JsonNode result) {
            return response().set("result", result);
        }

        @Override
        public JsonNode error(A2aError error) {
            return response().set("error", error.rpc());
        }

        @Override
        public int status(A2aError error) {
            return error.status() == FORBIDDEN ? FORBIDDEN : 200;
        }

        @Override
        public byte[] end(A2aError error) {
            return event("", error(error));
        }

        private ObjectNode response() {
            ObjectNode json = Json.object().put("jsonrpc", "2.0");
            json.set("id", id.isMissingNode() ? NullNode.getInstance() : id);
            return json;
        }
    }

    /** The form of HTTP+JSON of version 1.0: bare results, and errors of Google's APIs (AIP-193) with the HTTP status. */
    record Http() implements A2aForm {

        @Override
        public JsonNode result(JsonNode result) {
            return result;
        }

        @Override
        public JsonNode error(A2aError error) {
            return Json.object().set("error", error.http());
        }

        @Override
        public int status(A2aError error) {
            return error.status();
        }

        @Override
        public byte[] end(A2aError error) {
            return event("event: error\n", error(error));
        }
    }
}
