package dev.agenthealth.emulator.sqs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;

/**
 * The answer of a queue operation.
 *
 * @param status 200 or 400
 * @param json the result or the error
 */
record QueueAnswer(int status, ObjectNode json) {

    static QueueAnswer done(ObjectNode result) {
        return new QueueAnswer(200, result);
    }

    /** @param error as SQS names it */
    static QueueAnswer refused(String error, String message) {
        return new QueueAnswer(
                400, Json.object().put("__type", "com.amazonaws.sqs#" + error).put("message", message));
    }
}
