package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.model.gateway.CallResult;

/** Records the end of a stream. */
interface StreamEnd {

    /** The end of a stream that is no invocation. It records nothing. */
    StreamEnd NOT_KEPT = new StreamEnd() {

        @Override
        public void began(JsonNode part) {}

        @Override
        public void ended(CallResult result) {}

        @Override
        public void interrupted() {}

        @Override
        public String receiptId() {
            return "";
        }
    };

    /** Records the task that the agent works on. */
    void began(JsonNode part);

    void ended(CallResult result);

    /** Records that the caller or the gateway ended the stream, which says nothing about the agent. */
    void interrupted();

    String receiptId();
}
