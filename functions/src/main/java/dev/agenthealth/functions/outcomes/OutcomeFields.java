package dev.agenthealth.functions.outcomes;

import dev.agenthealth.functions.http.JsonFields;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.model.outcome.ErrorType;
import dev.agenthealth.model.outcome.Outcome;
import dev.agenthealth.model.outcome.OutcomeResult;
import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads batches of outcomes. Every mistake is noted with the field and the index at which it stands. */
final class OutcomeFields {

    private static final String BATCH_ID = "batch_id";
    private static final String OUTCOMES = "outcomes";
    private static final String RESULT = "result";
    private static final String ERROR_TYPE = "error_type";
    private static final String LATENCY = "latency_ms";
    private static final String OCCURRED_AT = "occurred_at";
    private static final String SLA_BREACHED = "sla_breached";

    private static final int MAX_BATCH_ID = 128;
    private static final int MAX_WORD = 64;

    private OutcomeFields() {}

    /** The id of the batch; empty where there is none, which is a mistake. */
    static String batchId(JsonFields body) {
        body.require(BATCH_ID);
        return body.text(BATCH_ID, MAX_BATCH_ID);
    }

    /** The outcomes of the batch, unread; empty where there is none. */
    static List<JsonFields> elements(JsonFields body) {
        return body.objects(OUTCOMES, Outcome.MAX_BATCH);
    }

    /** Notes a mistake where the batch has no outcome. */
    static void requireOutcomes(JsonFields body, List<JsonFields> elements) {
        body.require(OUTCOMES);
        if (elements.isEmpty() && body.mistakes() == 0) {
            body.refuse(OUTCOMES, "must hold at least one outcome");
        }
    }

    /**
     * One outcome of an agent that is measured over this window.
     *
     * @return with {@link OutcomeBatch#ON_ARRIVAL} where it says nothing about its moment
     */
    static Outcome outcome(JsonFields fields, MeasurementWindow window, Instant now) {
        fields.require(RESULT);
        Optional<OutcomeResult> result = word(fields, RESULT, OutcomeResult.values(), OutcomeResult::word);
        Outcome outcome = new Outcome(
                result.orElse(OutcomeResult.SUCCESS),
                word(fields, ERROR_TYPE, ErrorType.values(), ErrorType::word).orElse(ErrorType.OTHER),
                latency(fields),
                occurredAt(fields, window, now),
                fields.flag(SLA_BREACHED, false));
        result.ifPresent(known -> refuseWhatDoesNotBelong(fields, known));
        fields.refuseUnknown();
        return outcome;
    }

    private static void refuseWhatDoesNotBelong(JsonFields fields, OutcomeResult result) {
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

    private static double latency(JsonFields fields) {
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

    private static Instant occurredAt(JsonFields fields, MeasurementWindow window, Instant now) {
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

    /** The value whose word stands in a field; empty where it is absent, or no value's word, which is a mistake. */
    private static <T> Optional<T> word(JsonFields fields, String field, T[] values, Function<T, String> word) {
        String given = fields.text(field, MAX_WORD);
        Optional<T> meant = Arrays.stream(values)
                .filter(value -> word.apply(value).equals(given))
                .findFirst();
        if (meant.isEmpty() && fields.has(field)) {
            fields.refuse(
                    field, "must be one of " + Arrays.stream(values).map(word).collect(Collectors.joining(", ")));
        }
        return meant;
    }
}
