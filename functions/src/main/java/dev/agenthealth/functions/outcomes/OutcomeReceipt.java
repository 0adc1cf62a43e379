package dev.agenthealth.functions.outcomes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;

/**
 * What a reporter is told about a batch that is safely stored.
 *
 * @param accepted how many outcomes the batch holds, be they counted now or before
 * @param duplicate whether all of them had been counted before
 */
public record OutcomeReceipt(int accepted, boolean duplicate) {

    /** What is told where there was nothing to count. */
    static final OutcomeReceipt OF_NOTHING = new OutcomeReceipt(0, false);

    public ObjectNode json() {
        ObjectNode json = Json.object();
        json.put("accepted", accepted);
        json.put("duplicate", duplicate);
        return json;
    }
}
