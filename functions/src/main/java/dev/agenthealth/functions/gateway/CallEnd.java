package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.ReceiptState;
import java.time.Instant;

/** How the call of an agent ended. */
sealed interface CallEnd {

    /** What the receipt says of it. */
    ReceiptState.Finished state();

    /**
     * With an answer that counts as success.
     *
     * @param output what the agent answered
     */
    record Done(ReceiptState.Succeeded state, JsonNode output) implements CallEnd {}

    /** In any other way. */
    record NotDone(ReceiptState.Failed state) implements CallEnd {

        InvocationFailure failure() {
            return state.failure();
        }
    }

    static CallEnd done(Instant at, long latencyMs, JsonNode output) {
        return new Done(new ReceiptState.Succeeded(at, latencyMs), output);
    }

    static CallEnd notDone(Instant at, long latencyMs, InvocationFailure failure) {
        return new NotDone(new ReceiptState.Failed(at, latencyMs, failure));
    }
}
