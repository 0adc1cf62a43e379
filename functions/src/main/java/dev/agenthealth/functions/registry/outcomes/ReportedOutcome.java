package dev.agenthealth.functions.registry.outcomes;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.upstream.UpstreamCall;
import java.util.Optional;

/**
 * A reported outcome.
 *
 * @param fields receives the errors of the outcome
 * @param outcome the outcome
 * @param receiptId the receipt of the invocation with this outcome; empty if the report names no receipt
 * @param upstream the call of a model provider; empty if the report names none
 */
record ReportedOutcome(Fields fields, Outcome outcome, String receiptId, Optional<UpstreamCall> upstream) {

    boolean namesReceipt() {
        return !receiptId.isEmpty();
    }
}
