package dev.agenthealth.functions.registry.outcomes;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.registry.outcome.Outcome;

/**
 * A reported outcome.
 *
 * @param fields receives the errors of the outcome
 * @param outcome the outcome
 * @param receiptId the receipt of the invocation with this outcome; empty if the report names no receipt
 */
record ReportedOutcome(Fields fields, Outcome outcome, String receiptId) {

    boolean namesReceipt() {
        return !receiptId.isEmpty();
    }
}
