package dev.agenthealth.functions.registry.outcomes;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.lifecycle.ClientTimestamp;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Evaluation;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.upstream.UpstreamCall;
import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reads batches of outcomes. Records every error with its field and index. */
final class OutcomeFields {

    private static final String BATCH_ID = "batch_id";
    private static final String OUTCOMES = "outcomes";
    private static final String RESULT = "result";
    private static final String ERROR_TYPE = "error_type";
    private static final String LATENCY = "latency_ms";
    private static final String OCCURRED_AT = "occurred_at";
    private static final String SLA_BREACHED = "sla_breached";
    private static final String USAGE = "usage";
    private static final String QUALITY = "quality";
    private static final String EVALUATION = "evaluation";
    private static final String RECEIPT_ID = "receipt_id";

    private static final String CLIENT_TIMESTAMP = "client_timestamp";

    private static final int MAX_BATCH_ID = 128;

    /**
     * The maximum difference of the sender's clock. With a greater difference the clock is wrong, and outcomes would count at another time.
     */
    private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofDays(1);

    private OutcomeFields() {}

    /** Returns the id of the batch; empty if it is missing, which is recorded as an error. */
    static String batchId(Fields body) {
        body.require(BATCH_ID);
        return body.text(BATCH_ID, MAX_BATCH_ID);
    }

    /** Returns the outcomes of the batch, not yet parsed. */
    static List<Fields> elements(Fields body) {
        return body.objects(OUTCOMES, Outcome.MAX_BATCH);
    }

    /** Records an error if the batch is empty. */
    static void requireOutcomes(Fields body) {
        body.require(OUTCOMES);
        if (body.any(OUTCOMES).isEmpty()) {
            body.refuse(OUTCOMES, "must hold at least one outcome");
        }
    }

    /** Returns one outcome. Its time is {@link OutcomeBatch#ON_ARRIVAL} if {@code occurred_at} is absent. */
    static ReportedOutcome outcome(Fields fields) {
        fields.require(RESULT);
        Optional<OutcomeResult> result = fields.oneOf(RESULT, OutcomeResult.class);
        Outcome reported = new Outcome(
                result.orElse(OutcomeResult.SUCCESS),
                fields.oneOf(ERROR_TYPE, ErrorType.class).orElse(ErrorType.OTHER),
                latency(fields),
                fields.timestamp(OCCURRED_AT).orElse(OutcomeBatch.ON_ARRIVAL),
                fields.flag(SLA_BREACHED, false),
                UsageFields.read(fields.object(USAGE)),
                evaluation(fields));
        Optional<UpstreamCall> upstream =
                UpstreamFields.read(fields, result.orElse(OutcomeResult.FAILURE), reported.occurredAt());
        Outcome outcome =
                upstream.filter(UpstreamCall::isFailure).isPresent() ? reported.with(ErrorType.UPSTREAM) : reported;
        String receiptId = fields.id(RECEIPT_ID);
        result.ifPresent(known -> refuseWhatDoesNotBelong(fields, known));
        fields.refuseUnknown();
        return new ReportedOutcome(fields, outcome, receiptId, upstream);
    }

    private static void refuseWhatDoesNotBelong(Fields fields, OutcomeResult result) {
        if (result != OutcomeResult.FAILURE && fields.has(ERROR_TYPE)) {
            fields.refuse(ERROR_TYPE, "belongs to a failure only");
        }
        if (result == OutcomeResult.TRIGGER_FAILURE) {
            for (String field : List.of(LATENCY, SLA_BREACHED, USAGE, QUALITY, EVALUATION)) {
                if (fields.has(field)) {
                    fields.refuse(field, "does not belong to a trigger failure, as nothing was executed");
                }
            }
        }
    }

    private static Evaluation evaluation(Fields fields) {
        OptionalDouble quality = fields.number(QUALITY);
        String name = fields.textOrEmpty(EVALUATION, Evaluation.MAX_NAME);
        if (quality.isEmpty()) {
            if (fields.has(EVALUATION)) {
                fields.refuse(EVALUATION, "belongs to an outcome with a quality only");
            }
            return Evaluation.NONE;
        }
        if (!(quality.getAsDouble() >= 0 && quality.getAsDouble() <= 1)) {
            fields.refuse(QUALITY, "must be from 0 to 1");
            return Evaluation.NONE;
        }
        return new Evaluation(name, quality.getAsDouble());
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

    /**
     * Returns the clocks that may accept outcomes: the registry's clock, and the sender's clock if it is known and differs by less than a
     * day. Outcomes are therefore not lost if the registry's clock was set back or is wrong.
     */
    static List<Instant> clocks(Instant now, Optional<Instant> sender) {
        return sender.filter(time -> Duration.between(time, now).abs().compareTo(MAX_CLOCK_DIFFERENCE) < 0)
                .map(time -> List.of(now, time))
                .orElse(List.of(now));
    }

    /** Returns the sender's time in a heartbeat, in any format that the registry understands. */
    static Optional<Instant> timeOfHeartbeat(Fields body) {
        return ClientTimestamp.read(body.any(CLIENT_TIMESTAMP).asText());
    }

    /** Returns the sender's time in a report. It must have the format of {@code occurred_at}; another format is an error. */
    static Optional<Instant> timeOfReport(Fields body) {
        return body.timestamp(CLIENT_TIMESTAMP);
    }

    /** Returns whether one of the clocks accepts outcomes of this time. Outcomes without a time are always accepted. */
    static boolean isAccepted(Instant moment, MeasurementWindow window, List<Instant> clocks) {
        return moment.equals(OutcomeBatch.ON_ARRIVAL)
                || clocks.stream()
                        .anyMatch(now -> !moment.isBefore(window.earliest(now)) && !moment.isAfter(window.latest(now)));
    }

    /** Records an error for an outcome whose time is not accepted. */
    static void refuseMoment(Fields fields, Instant moment, MeasurementWindow window, List<Instant> clocks) {
        Instant first = clocks.stream().min(Instant::compareTo).orElseThrow();
        Instant last = clocks.stream().max(Instant::compareTo).orElseThrow();
        fields.refuse(
                OCCURRED_AT,
                moment.isBefore(window.earliest(first))
                        ? "must not be before " + Timestamps.text(window.earliest(first))
                                + ": an outcome counts for two windows of " + window.seconds() + " seconds"
                        : "must not be after " + Timestamps.text(window.latest(last)) + ": it may be "
                                + MeasurementWindow.MAX_AHEAD.toMinutes()
                                + " minutes ahead of the registry's clock, or of the client_timestamp that is sent with it");
    }

    /** Records an error for an outcome with the receipt of another agent. */
    static void refuseReceipt(Fields fields) {
        fields.refuse(RECEIPT_ID, "is the receipt of an invocation of another agent");
    }

    /** Records an error for a batch with too many receipts. */
    static void refuseReceipts(Fields body, int maximum) {
        body.refuse(OUTCOMES, "must name at most " + maximum + " receipts");
    }
}
