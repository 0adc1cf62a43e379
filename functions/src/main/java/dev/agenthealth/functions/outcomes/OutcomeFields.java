package dev.agenthealth.functions.outcomes;

import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.model.outcome.ErrorType;
import dev.agenthealth.model.outcome.Outcome;
import dev.agenthealth.model.outcome.OutcomeResult;
import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reads batches of outcomes. Every error is recorded with its field and index. */
final class OutcomeFields {

    private static final String BATCH_ID = "batch_id";
    private static final String OUTCOMES = "outcomes";
    private static final String RESULT = "result";
    private static final String ERROR_TYPE = "error_type";
    private static final String LATENCY = "latency_ms";
    private static final String OCCURRED_AT = "occurred_at";
    private static final String SLA_BREACHED = "sla_breached";

    private static final int MAX_BATCH_ID = 128;

    private OutcomeFields() {}

    /** The id of the batch; empty where it is missing, which is an error. */
    static String batchId(Fields body) {
        body.require(BATCH_ID);
        return body.text(BATCH_ID, MAX_BATCH_ID);
    }

    /** The outcomes of the batch, not yet parsed. */
    static List<Fields> elements(Fields body) {
        return body.objects(OUTCOMES, Outcome.MAX_BATCH);
    }

    /** Records an error where the batch is empty. */
    static void requireOutcomes(Fields body, List<Fields> elements) {
        body.require(OUTCOMES);
        if (elements.isEmpty() && body.errorCount() == 0) {
            body.refuse(OUTCOMES, "must hold at least one outcome");
        }
    }

    /**
     * One outcome of an agent that is measured over this window.
     *
     * @return with {@link OutcomeBatch#ON_ARRIVAL} where {@code occurred_at} is absent
     */
    static Outcome outcome(Fields fields, MeasurementWindow window, Instant now) {
        fields.require(RESULT);
        Optional<OutcomeResult> result = fields.oneOf(RESULT, OutcomeResult.values(), OutcomeResult::word);
        Outcome outcome = new Outcome(
                result.orElse(OutcomeResult.SUCCESS),
                fields.oneOf(ERROR_TYPE, ErrorType.values(), ErrorType::word).orElse(ErrorType.OTHER),
                latency(fields),
                occurredAt(fields, window, now),
                fields.flag(SLA_BREACHED, false));
        result.ifPresent(known -> refuseWhatDoesNotBelong(fields, known));
        fields.refuseUnknown();
        return outcome;
    }

    private static void refuseWhatDoesNotBelong(Fields fields, OutcomeResult result) {
        if (result != OutcomeResult.FAILURE && fields.has(ERROR_TYPE)) {
            fields.refuse(ERROR_TYPE, "belongs to a failure only");
        }
        if (result == OutcomeResult.TRIGGER_FAILURE) {
            for (String field : List.of(LATENCY, SLA_BREACHED)) {
                if (fields.has(field)) {
                    fields.refuse(field, "does not belong to a trigger failure, as nothing was executed");
                }
            }
        }
    }

    private static double latency(Fields fields) {
        OptionalDouble latency = fields.number(LATENCY);
        if (latency.isEmpty()) {
            return Outcome.NO_LATENCY;
        }
        if (latency.getAsDouble() < 0 || latency.getAsDouble() > Outcome.MAX_LATENCY_MS) {
            fields.refuse(LATENCY, "must be from 0 to " + (long) Outcome.MAX_LATENCY_MS);
            return Outcome.NO_LATENCY;
        }
        return latency.getAsDouble();
    }

    private static Instant occurredAt(Fields fields, MeasurementWindow window, Instant now) {
        Optional<Instant> moment = fields.timestamp(OCCURRED_AT);
        if (moment.isEmpty()) {
            return OutcomeBatch.ON_ARRIVAL;
        }
        if (moment.get().isBefore(window.earliest(now))) {
            fields.refuse(
                    OCCURRED_AT,
                    "must not be before " + window.earliest(now) + ": an outcome counts for two windows of "
                            + window.length().toSeconds() + " seconds");
        }
        if (moment.get().isAfter(window.latest(now))) {
            fields.refuse(
                    OCCURRED_AT,
                    "must not be after " + window.latest(now) + ": a clock may be "
                            + MeasurementWindow.MAX_AHEAD.toMinutes() + " minutes ahead of the registry's");
        }
        return moment.get();
    }
}
