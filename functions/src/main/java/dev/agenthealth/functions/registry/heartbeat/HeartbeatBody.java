package dev.agenthealth.functions.registry.heartbeat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.FieldErrors;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.JsonMembers;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * Reads the body of a request with heartbeats. Accepts every JSON object: a member that other requests refuse, such as a member with deep
 * nesting, becomes a value that no field accepts.
 */
final class HeartbeatBody {

    private HeartbeatBody() {}

    /**
     * Returns the fields of one heartbeat; empty if there is no body.
     *
     * @throws ApiError 400 if there is a body that is not a JSON object
     */
    static Optional<Fields> one(ApiRequest request) {
        return Optional.of(request.body())
                .filter(body -> !body.isBlank())
                .map(body -> object(body, ""))
                .map(body -> Fields.ofTree(body, new FieldErrors()).withEmptyTexts());
    }

    /**
     * Returns the fields of a batch. An element that is not an object becomes a heartbeat without fields, so that only this heartbeat is
     * refused.
     *
     * @param list the name of the member with the heartbeats
     * @throws ApiError 400 if the body is not a JSON object
     */
    static Fields batch(ApiRequest request, String list) {
        String body = request.body();
        if (body.isBlank()) {
            return request.fields();
        }
        ObjectNode object = object(body, list);
        if (object.path(list) instanceof ArrayNode elements
                && StreamSupport.stream(elements.spliterator(), false).anyMatch(JsonNode::isObject)) {
            for (int i = 0; i < elements.size(); i++) {
                if (!elements.get(i).isObject()) {
                    elements.set(i, Json.object());
                }
            }
        }
        return Fields.ofTree(object, new FieldErrors()).withEmptyTexts();
    }

    private static ObjectNode object(String body, String list) {
        try {
            if (Json.received(body) instanceof ObjectNode object) {
                return object;
            }
        } catch (UnreadableJsonException refusal) {
            return members(body, list, refusal);
        }
        throw ApiError.malformed("The request body must be a JSON object.");
    }

    private static ObjectNode members(String body, String list, UnreadableJsonException refusal) {
        try {
            return JsonMembers.received(body, list);
        } catch (UnreadableJsonException e) {
            // The first refusal has the position of the error.
            throw ApiError.malformed("The request body " + refusal.getMessage() + ".");
        }
    }
}
