package dev.agenthealth.model.registry.telemetry;

import dev.agenthealth.model.identity.Ids;
import java.time.Instant;
import java.util.Optional;

/**
 * A span that shows that an agent works: an execution, or a part of one, which ends while the execution runs.
 *
 * @param agentId the agent where the span or its resource says it; empty where neither does
 * @param name how it names the agent
 * @param endedAt when it ended, by the clock of its process
 */
public record SpanStep(String agentId, AgentName name, Instant endedAt) {

    private static final String YES = "true";

    /** The step that a span means; empty where it means none, or says neither its end nor its agent. */
    public static Optional<SpanStep> of(Span span) {
        if (!SpanConvention.isOfAgent(span) || span.endNanos() == 0) {
            return Optional.empty();
        }
        String agent = SpanConvention.agentOf(span).orElseGet(() -> SpanConvention.agentOfPart(span));
        SpanStep step = new SpanStep(span.agentId(), new AgentName(span.service(), agent), span.endedAt());
        boolean named = step.agentId.isEmpty()
                ? step.name.isValid()
                : Ids.isValid(step.agentId)
                        && span.attribute(SpanAttribute.PROGRESS).equals(YES);
        return Optional.of(step).filter(any -> named);
    }
}
