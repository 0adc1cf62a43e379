package dev.agenthealth.functions.outcomes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;

/**
 * The response to a stored batch.
 *
 * @param accepted the number of outcomes in the batch, whether counted now or before
 * @param duplicate whether all of them had been counted before
 */
public record OutcomeReceipt(int accepted, boolean duplicate) {

    /** The response to an empty batch. */
    static final OutcomeReceipt OF_NOTHING = new OutcomeReceipt(0, false);

    public ObjectNode json() {
        ObjectNode json = Json.object();
        json.put("accepted", accepted);
        json.put("duplicate", duplicate);
        return json;
    }
}
