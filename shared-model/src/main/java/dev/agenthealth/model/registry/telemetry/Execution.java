package dev.agenthealth.model.registry.telemetry;

import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A span that stands for one execution of an agent.
 *
 * @param span the span
 * @param name the name of the agent in the span
 * @param upstream whether a call of a model provider failed in the same trace, in a way that other agents may share
 */
public record Execution(Span span, AgentName name, boolean upstream) {

    private static final double NANOS_PER_MILLI = 1_000_000;
    private static final int STATUS_DIGITS = 3;

    /** Creates an execution without a failing call of a model provider. */
    public Execution(Span span, AgentName name) {
        this(span, name, false);
    }

    /** Returns the execution with a failing call of a model provider in its trace, or without one. */
    public Execution upstream(boolean failed) {
        return new Execution(span, name, failed);
    }

    /** Returns the execution that a span stands for; empty if the span is no execution. */
    public static Optional<Execution> of(Span span) {
        return SpanConvention.agentOf(span).map(agent -> new Execution(span, new AgentName(span.service(), agent)));
    }

    /** Returns the id of the agent in the span or its resource; empty if neither has one. The id has precedence over any mapping of the name. */
    public String agentId() {
        return span.agentId();
    }

    /** Returns the reason for which the span cannot be counted for any agent; empty if it can be counted. */
    public Optional<SpanRejection> rejection() {
        if (!span.key().isValid()) {
            return Optional.of(SpanRejection.INVALID_ID);
        }
        if (span.endNanos() == 0) {
            return Optional.of(SpanRejection.NO_END);
        }
        if (Long.compareUnsigned(span.endNanos(), span.startNanos()) < 0) {
            return Optional.of(SpanRejection.NEGATIVE_DURATION);
        }
        if (!(durationMs() <= Outcome.MAX_LATENCY_MS)) {
            return Optional.of(SpanRejection.TOO_LONG);
        }
        if (!agentId().isEmpty()) {
            return Ids.isValid(agentId()) ? Optional.empty() : Optional.of(SpanRejection.INVALID_AGENT_ID);
        }
        return name.isValid() ? Optional.empty() : Optional.of(SpanRejection.INVALID_NAME);
    }

    /** Returns the end of the execution, by the clock of its process. */
    public Instant endedAt() {
        return span.endedAt();
    }

    /**
     * Returns the outcome: result and latency.
     *
     * @throws IllegalArgumentException if the execution has a {@link #rejection} because of its duration
     */
    public Outcome outcome() {
        return new Outcome(
                span.failed() ? OutcomeResult.FAILURE : OutcomeResult.SUCCESS,
                upstream
                        ? ErrorType.UPSTREAM
                        : errorType(span.get(SpanAttribute.ERROR_TYPE).toLowerCase(Locale.ROOT)),
                durationMs(),
                endedAt(),
                false);
    }

    private double durationMs() {
        long nanos = span.endNanos() - span.startNanos();
        return nanos < 0 ? Double.POSITIVE_INFINITY : nanos / NANOS_PER_MILLI;
    }

    /** Returns the type of an error by its HTTP status or by the name of an exception. */
    private static ErrorType errorType(String type) {
        if (type.equals("408") || type.equals("504") || hasAny(type, "timeout", "timed_out", "timedout", "deadline")) {
            return ErrorType.TIMEOUT;
        }
        if (type.length() == STATUS_DIGITS && type.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return switch (type.charAt(0)) {
                case '4' -> ErrorType.CLIENT_ERROR;
                case '5' -> ErrorType.SERVER_ERROR;
                default -> ErrorType.OTHER;
            };
        }
        return hasAny(type, "validationerror", "outputparser", "parseerror", "decodeerror", "malformed")
                ? ErrorType.MALFORMED
                : ErrorType.OTHER;
    }

    private static boolean hasAny(String type, String... parts) {
        return Stream.of(parts).anyMatch(type::contains);
    }
}
