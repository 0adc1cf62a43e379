package dev.agenthealth.model.registry.telemetry;

import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.registry.outcome.Evaluation;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A log record that may be the event {@value #NAME} of OpenTelemetry: the evaluation of an execution. Its explanation is never read.
 *
 * @param record the log record in the form of a span, with the name of its event and its time as the end
 */
public record EvaluationEvent(Span record) {

    /** The name of the event. */
    public static final String NAME = "gen_ai.evaluation.result";

    /** Labels of good results. A known label decides, as the range of scores differs from evaluator to evaluator. */
    private static final Set<String> GOOD = Set.of("pass", "passed", "correct", "relevant", "true", "yes");

    private static final Set<String> BAD =
            Set.of("fail", "failed", "incorrect", "not_relevant", "irrelevant", "false", "no");

    private static final SpanKey ANY_SPAN = new SpanKey("", "0000000000000001");

    /** Returns the reason for which the record cannot be used for any agent; empty if it can be used. */
    public Optional<EvaluationRejection> rejection() {
        if (!name().equals(NAME)) {
            return Optional.of(EvaluationRejection.OTHER_EVENT);
        }
        if (!hasTrace()) {
            return Optional.of(EvaluationRejection.NO_TRACE);
        }
        if (record.endNanos() == 0) {
            return Optional.of(EvaluationRejection.NO_TIME);
        }
        String evaluated = record.get(SpanAttribute.EVALUATION_NAME);
        if (evaluated.isEmpty()
                || evaluated.length() > Evaluation.MAX_NAME
                || evaluated.chars().anyMatch(Character::isISOControl)) {
            return Optional.of(EvaluationRejection.INVALID_NAME);
        }
        if (record.has(SpanAttribute.ERROR_TYPE)) {
            return Optional.of(EvaluationRejection.NO_RESULT);
        }
        return evaluation().isNone() ? Optional.of(EvaluationRejection.NO_QUALITY) : Optional.empty();
    }

    private String name() {
        return record.name().isEmpty() ? record.get(SpanAttribute.EVENT_NAME) : record.name();
    }

    private boolean hasTrace() {
        String span = record.key().spanId();
        return new SpanKey(record.key().traceId(), span.isEmpty() ? ANY_SPAN.spanId() : span).isValid();
    }

    /** Returns the evaluation; {@link Evaluation#NONE} without a known label and without a score from 0 to 1. */
    public Evaluation evaluation() {
        String label = record.get(SpanAttribute.EVALUATION_LABEL).trim().toLowerCase(Locale.ROOT);
        String name = record.get(SpanAttribute.EVALUATION_NAME);
        if (GOOD.contains(label)) {
            return new Evaluation(name, 1);
        }
        return BAD.contains(label)
                ? new Evaluation(name, 0)
                : score().map(score -> new Evaluation(name, score)).orElse(Evaluation.NONE);
    }

    private Optional<Double> score() {
        try {
            return Optional.of(Double.valueOf(record.get(SpanAttribute.EVALUATION_SCORE)))
                    .filter(score -> score >= 0 && score <= 1);
        } catch (NumberFormatException e) {
            // An evaluator may report any text; the record is then not used.
            return Optional.empty();
        }
    }

    /**
     * Returns the key by which the evaluation counts once: its trace, and the evaluated span or response with the name of the evaluation.
     *
     * <p>The key is in no set of real spans, because its second part is no valid id.
     */
    public SpanKey key() {
        return new SpanKey(
                record.key().traceId(),
                String.join(
                        "\n",
                        List.of(
                                record.key().spanId(),
                                record.get(SpanAttribute.RESPONSE_ID),
                                record.get(SpanAttribute.EVALUATION_NAME))));
    }

    /** Returns the trace of the evaluated execution. */
    public String traceId() {
        return record.key().traceId();
    }

    /** Returns the evaluated span, which is the execution or a part of it; empty if it is unknown. */
    public String spanId() {
        return record.key().spanId();
    }

    /** Returns when the execution was evaluated, by the clock of the process. */
    public Instant at() {
        return record.endedAt();
    }

    /** Returns the id of the agent on the record itself; empty without a valid one. */
    public String ownAgentId() {
        return valid(record.get(SpanAttribute.AGENT_ID));
    }

    /** Returns the id of the agent on the resource of the record; empty without a valid one. */
    public String agentIdOfResource() {
        return valid(record.resource().getOrDefault(SpanAttribute.AGENT_ID, ""));
    }

    /** Returns the name of the agent; its service may be empty. */
    public AgentName agent() {
        return new AgentName(record.service(), record.get(SpanAttribute.AGENT_NAME));
    }

    private static String valid(String id) {
        return Ids.isValid(id) ? id : "";
    }
}
