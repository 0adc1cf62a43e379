package dev.agenthealth.model.registry.telemetry;

import dev.agenthealth.model.registry.lifecycle.Repetition;
import java.time.Instant;

/**
 * The calls of one execution of an agent: the spans of a trace since the last execution of the agent in this trace ended.
 *
 * <p>Only spans that ended after the last counted span count. So a batch that arrives twice counts once, and a late span is left out.
 *
 * @param trace a hash of the id of the trace
 * @param endNanos the end of the last counted span, in nanoseconds since 1970, unsigned
 * @param spanId the id of the last counted span
 * @param tools the calls of tools
 * @param models the calls of models
 */
public record ExecutionCalls(long trace, long endNanos, String spanId, CallCycle tools, CallCycle models) {

    static ExecutionCalls of(long trace) {
        return new ExecutionCalls(trace, 0, "", CallCycle.NONE, CallCycle.NONE);
    }

    /** Returns whether a span is newer than the last counted span. */
    boolean isBefore(Span span) {
        int order = Long.compareUnsigned(endNanos, span.endNanos());
        return order < 0 || order == 0 && spanId.compareTo(span.key().spanId()) < 0;
    }

    ExecutionCalls plus(SpanCall call) {
        Span span = call.span();
        String tool = Repetition.shown(call.name());
        return new ExecutionCalls(
                trace,
                span.endNanos(),
                span.key().spanId(),
                call.isOfTool() ? tools.plus(call.signature(), tool, span.endedAt()) : tools,
                call.isOfTool() ? models : models.plus(call.signature(), tool, span.endedAt()));
    }

    /** Returns the execution after its end: the calls are forgotten. */
    ExecutionCalls ended(Span span) {
        return new ExecutionCalls(trace, span.endNanos(), span.key().spanId(), CallCycle.NONE, CallCycle.NONE);
    }

    /** Returns whether the execution ended, so that no call of it counts. */
    boolean hasEnded() {
        return tools.equals(CallCycle.NONE) && models.equals(CallCycle.NONE);
    }

    /** Returns the end of the last counted span. */
    public Instant lastAt() {
        return Span.moment(endNanos);
    }

    /** Returns the repetition in this execution: of tools or of models, whichever is larger. */
    public Repetition repetition() {
        CallCycle cycle = tools.repeats() >= models.repeats() ? tools : models;
        return cycle.repeats() == 0
                ? Repetition.NONE
                : new Repetition(cycle.repeats(), cycle.name(), cycle.since(), lastAt());
    }
}
