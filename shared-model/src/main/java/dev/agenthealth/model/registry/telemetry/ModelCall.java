package dev.agenthealth.model.registry.telemetry;

import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.registry.upstream.UpstreamCall;
import dev.agenthealth.model.registry.upstream.UpstreamError;
import dev.agenthealth.model.registry.upstream.UpstreamName;
import java.util.Optional;
import java.util.Set;

/**
 * A call of a model provider in a span.
 *
 * @param span the span
 * @param agent the agent in the span, as in {@link SpanStep}
 * @param call the call
 */
public record ModelCall(Span span, AgentName agent, UpstreamCall call) {

    private static final Set<String> OPERATIONS = Set.of("chat", "text_completion", "generate_content", "embeddings");

    private static final Set<String> KINDS = Set.of("LLM", "EMBEDDING");

    private static final Set<String> AI_SDK_OPERATIONS = Set.of(
            "ai.generateText.doGenerate",
            "ai.streamText.doStream",
            "ai.generateObject.doGenerate",
            "ai.streamObject.doStream",
            "ai.embed.doEmbed");

    /** Returns the call that a span stands for; empty for another span, and for a span without a provider. */
    public static Optional<ModelCall> of(Span span) {
        if (span.endNanos() == 0 || !span.key().isValid() || !isModel(span)) {
            return Optional.empty();
        }
        String provider = UpstreamName.ofProvider(first(
                span,
                SpanAttribute.PROVIDER,
                SpanAttribute.SYSTEM,
                SpanAttribute.OPEN_INFERENCE_PROVIDER,
                SpanAttribute.OPEN_INFERENCE_SYSTEM,
                SpanAttribute.AI_SDK_PROVIDER));
        if (provider.isEmpty()) {
            return Optional.empty();
        }
        String model = UpstreamName.ofModel(
                first(span, SpanAttribute.MODEL, SpanAttribute.OPEN_INFERENCE_MODEL, SpanAttribute.AI_SDK_MODEL));
        return Optional.of(new ModelCall(
                span,
                new AgentName(span.service(), SpanConvention.agentOfPart(span)),
                new UpstreamCall(provider, model, error(span), span.endedAt())));
    }

    private static boolean isModel(Span span) {
        return OPERATIONS.contains(span.get(SpanAttribute.OPERATION))
                || KINDS.stream().anyMatch(span.get(SpanAttribute.OPEN_INFERENCE_KIND)::equalsIgnoreCase)
                || AI_SDK_OPERATIONS.contains(span.get(SpanAttribute.AI_SDK_OPERATION));
    }

    private static Optional<UpstreamError> error(Span span) {
        return span.failed()
                ? UpstreamError.ofType(span.get(SpanAttribute.HTTP_STATUS))
                        .or(() -> UpstreamError.ofType(span.get(SpanAttribute.ERROR_TYPE)))
                : Optional.empty();
    }

    /** Returns the id of the agent in the span or its resource; empty if neither has one. */
    public String agentId() {
        return span.agentId();
    }

    /** Returns whether the span itself can name its agent, by an id or by the names of service and agent. */
    public boolean namesAgent() {
        return agentId().isEmpty() ? agent.isValid() : Ids.isValid(agentId());
    }

    private static String first(Span span, SpanAttribute... attributes) {
        for (SpanAttribute attribute : attributes) {
            if (span.has(attribute)) {
                return span.get(attribute);
            }
        }
        return "";
    }
}
