package dev.agenthealth.functions.registry.outcomes;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.upstream.UpstreamCall;
import dev.agenthealth.model.registry.upstream.UpstreamError;
import dev.agenthealth.model.registry.upstream.UpstreamName;
import java.time.Instant;
import java.util.Optional;

/** Reads the field {@code upstream} of an outcome: the model provider that the execution called, and its failure. Records errors on the fields. */
final class UpstreamFields {

    static final String UPSTREAM = "upstream";

    private static final String PROVIDER = "provider";
    private static final String MODEL = "model";
    private static final String ERROR = "error";

    private UpstreamFields() {}

    /** Returns the call of the provider; empty if the field is absent or invalid. */
    static Optional<UpstreamCall> read(Fields outcome, OutcomeResult result, Instant occurredAt) {
        if (!outcome.has(UPSTREAM)) {
            return Optional.empty();
        }
        if (result == OutcomeResult.TRIGGER_FAILURE) {
            outcome.refuse(UPSTREAM, "does not belong to a trigger failure, as nothing was executed");
        }
        Fields fields = outcome.object(UPSTREAM);
        fields.require(PROVIDER);
        String provider = UpstreamName.ofProvider(fields.text(PROVIDER, UpstreamName.MAX_LENGTH));
        String model = UpstreamName.ofModel(fields.textOrEmpty(MODEL, UpstreamName.MAX_LENGTH));
        Optional<UpstreamError> error = fields.oneOf(ERROR, UpstreamError.class);
        if (result == OutcomeResult.SUCCESS && error.isPresent()) {
            fields.refuse(ERROR, "belongs to a failure only");
        }
        fields.refuseUnknown();
        return provider.isEmpty()
                ? Optional.empty()
                : Optional.of(new UpstreamCall(provider, model, error, occurredAt));
    }
}
