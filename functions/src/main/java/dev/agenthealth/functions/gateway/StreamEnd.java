package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.model.gateway.CallResult;

/** Records the course and the end of a stream. The defaults are for a stream that is no invocation. */
interface StreamEnd {

    /** Records the task that the agent works on. */
    default void began(JsonNode part) {}

    /** Records the new state of the task. */
    void changed(JsonNode part);

    default void ended(CallResult result) {}

    /** Records that the caller or the gateway ended the stream, which says nothing about the agent. */
    default void interrupted() {}

    /** Returns the id of the receipt; empty for a stream that is no invocation. */
    default String receiptId() {
        return "";
    }
}
