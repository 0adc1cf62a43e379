package dev.agenthealth.functions.registry.outcomes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;

/**
 * The response to a stored batch.
 *
 * @param accepted the number of outcomes in the batch, counted now or before
 * @param countedByGateway the number of these outcomes that do not count, because the gateway counts the invocation
 * @param duplicate whether all other outcomes were counted before
 */
public record OutcomeReceipt(int accepted, int countedByGateway, boolean duplicate) {

    /** The response to an empty batch. */
    static final OutcomeReceipt OF_NOTHING = new OutcomeReceipt(0, 0, false);

    public ObjectNode json() {
        ObjectNode json = Json.object();
        json.put("accepted", accepted);
        json.put("duplicate", duplicate);
        if (countedByGateway > 0) {
            json.put("counted_by_gateway", countedByGateway);
        }
        return json;
    }
}
