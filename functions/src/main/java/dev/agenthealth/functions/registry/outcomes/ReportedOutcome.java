package dev.agenthealth.functions.registry.outcomes;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.registry.outcome.Outcome;

/**
 * An outcome as it was reported.
 *
 * @param fields where its errors are recorded
 * @param outcome the outcome
 * @param receiptId the receipt of the invocation that it is the outcome of; empty where it names none
 */
record ReportedOutcome(Fields fields, Outcome outcome, String receiptId) {

    boolean namesReceipt() {
        return !receiptId.isEmpty();
    }
}
