package dev.agenthealth.model.registry.telemetry;

import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.identity.Sha256;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A call of a tool or a model in a span. Calls with the same signature are repetitions of each other. The signature is a hash, because arguments,
 * results and prompts are never stored.
 *
 * @param span the span
 * @param agent the agent in the span, as in {@link SpanStep}
 * @param name the name of the tool; empty for a model
 * @param isOfTool whether the call is of a tool
 * @param signature the hash of tool, arguments and result, of tool and type of error, or of model and prompt; {@link #UNKNOWN} if the span records
 *     none of these. The hash also has the id of the trace, so that equal calls of different executions differ
 */
public record SpanCall(Span span, AgentName agent, String name, boolean isOfTool, long signature) {

    /** The signature of a call that is no repetition of any other. */
    public static final long UNKNOWN = 0;

    private static final Set<String> MODEL_OPERATIONS = Set.of("chat", "text_completion", "generate_content");

    /** Returns the end of the call, by the clock of its process. */
    public Instant endedAt() {
        return span.endedAt();
    }

    /** Returns the call that a span stands for; empty for another span, and for a model call without a recorded prompt. */
    public static Optional<SpanCall> of(Span span) {
        if (span.endNanos() == 0 || !span.key().isValid()) {
            return Optional.empty();
        }
        return ofTool(span)
                .or(() -> ofModel(span))
                .filter(call -> call.agentId().isEmpty() ? call.agent.isValid() : Ids.isValid(call.agentId()));
    }

    private static Optional<SpanCall> ofTool(Span span) {
        if (!isTool(span)) {
            return Optional.empty();
        }
        String tool = first(
                span,
                SpanAttribute.TOOL_NAME,
                SpanAttribute.OPEN_INFERENCE_TOOL,
                SpanAttribute.AI_SDK_TOOL,
                SpanAttribute.TRACELOOP_ENTITY);
        String arguments = first(
                span,
                SpanAttribute.TOOL_ARGUMENTS,
                SpanAttribute.AI_SDK_ARGUMENTS,
                SpanAttribute.OPEN_INFERENCE_INPUT,
                SpanAttribute.TRACELOOP_INPUT);
        String result = first(
                span,
                SpanAttribute.TOOL_RESULT,
                SpanAttribute.AI_SDK_RESULT,
                SpanAttribute.OPEN_INFERENCE_OUTPUT,
                SpanAttribute.TRACELOOP_OUTPUT);
        long signature = UNKNOWN;
        if (!arguments.isEmpty()) {
            signature = hash(span, "arguments", tool, arguments, result);
        } else if (span.has(SpanAttribute.ERROR_TYPE)) {
            signature = hash(span, "error", tool, span.get(SpanAttribute.ERROR_TYPE), "");
        }
        return Optional.of(new SpanCall(span, agentOf(span), tool, true, signature));
    }

    /** Returns whether a span is a call of a tool. */
    static boolean isTool(Span span) {
        return span.get(SpanAttribute.OPERATION).equals("execute_tool")
                || span.get(SpanAttribute.OPEN_INFERENCE_KIND).equalsIgnoreCase("TOOL")
                || span.get(SpanAttribute.TRACELOOP_KIND).equals("tool")
                || span.get(SpanAttribute.AI_SDK_OPERATION).equals("ai.toolCall");
    }

    private static Optional<SpanCall> ofModel(Span span) {
        boolean isModel = MODEL_OPERATIONS.contains(span.get(SpanAttribute.OPERATION))
                || span.get(SpanAttribute.OPEN_INFERENCE_KIND).equalsIgnoreCase("LLM");
        String prompt = first(span, SpanAttribute.INPUT_MESSAGES, SpanAttribute.OPEN_INFERENCE_INPUT);
        return isModel && !prompt.isEmpty()
                ? Optional.of(new SpanCall(
                        span,
                        agentOf(span),
                        "",
                        false,
                        hash(span, "prompt", span.get(SpanAttribute.MODEL), prompt, "")))
                : Optional.empty();
    }

    /** Returns the id of the agent in the span or its resource; empty if neither has one. */
    public String agentId() {
        return span.agentId();
    }

    private static AgentName agentOf(Span span) {
        return new AgentName(span.service(), SpanConvention.agentOfPart(span));
    }

    private static String first(Span span, SpanAttribute... attributes) {
        for (SpanAttribute attribute : attributes) {
            if (span.has(attribute)) {
                return span.get(attribute);
            }
        }
        return "";
    }

    private static long hash(Span span, String kind, String subject, String content, String result) {
        long signature = CallHistory.number(Sha256.of(List.of(span.key().traceId(), kind, subject, content, result)));
        return signature == UNKNOWN ? 1 : signature;
    }
}
