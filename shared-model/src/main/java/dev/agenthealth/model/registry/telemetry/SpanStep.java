package dev.agenthealth.model.registry.telemetry;

import dev.agenthealth.model.identity.Ids;
import java.time.Instant;
import java.util.Optional;

/**
 * A span that shows that an agent works: an execution, or a part that ends while the execution runs.
 *
 * @param agentId the id of the agent in the span or its resource; empty if neither has one
 * @param name the name of the agent in the span
 * @param endedAt the end of the span, by the clock of its process
 * @param key the ids of the span
 */
public record SpanStep(String agentId, AgentName name, Instant endedAt, SpanKey key) {

    private static final String YES = "true";

    /** Returns the step that a span stands for; empty if it is no step, or has neither an end nor an agent. */
    public static Optional<SpanStep> of(Span span) {
        if (!SpanConvention.isOfAgent(span) || span.endNanos() == 0) {
            return Optional.empty();
        }
        String agent = SpanConvention.agentOf(span).orElseGet(() -> SpanConvention.agentOfPart(span));
        SpanStep step = new SpanStep(span.agentId(), new AgentName(span.service(), agent), span.endedAt(), span.key());
        boolean named = step.agentId.isEmpty()
                ? step.name.isValid()
                : Ids.isValid(step.agentId)
                        && span.attribute(SpanAttribute.PROGRESS).equals(YES);
        return Optional.of(step).filter(any -> named);
    }
}
