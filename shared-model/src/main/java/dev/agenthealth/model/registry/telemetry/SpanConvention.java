package dev.agenthealth.model.registry.telemetry;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A convention of an instrumentation: the spans that stand for one execution of an agent. The first convention that a span follows decides, as many
 * spans also carry attributes of a later one. Ids of agents in spans are ignored: many ids are random, or new for each run.
 */
public enum SpanConvention {
    /**
     * OpenInference: the kind of the span decides; for LangChain for JavaScript, its metadata decides. Spans of CrewAI and smolagents end with the
     * name of a method.
     */
    OPEN_INFERENCE(
            span -> span.has(SpanAttribute.OPEN_INFERENCE_KIND),
            span -> is(span, SpanAttribute.OPEN_INFERENCE_KIND, "AGENT") || isGraph(span) || isRunOfLlamaIndex(span)
                    ? named(span, SpanAttribute.OPEN_INFERENCE_AGENT, SpanAttribute.AGENT_NAME)
                            .or(() -> Optional.of(without("._execute_core", without(".run", span.name()))))
                    : Optional.empty()),

    /** OpenLLMetry: agents, and the workflow of a run without agents. Tasks and tools of an agent also have the operation {@code invoke_agent}. */
    OPEN_LLMETRY(span -> span.has(SpanAttribute.TRACELOOP_KIND), SpanConvention::traceloop),

    /** CrewAI by OpenLLMetry: the span of a crew has no kind and names no agent. Its agents have their own spans. */
    OPEN_LLMETRY_CREW(
            span -> span.scope().startsWith("opentelemetry.instrumentation.crewai"), span -> Optional.empty()),

    /** LangSmith: the root of a run. Parts of a run have a parent run or another kind. The name of the trace may be the name of a part. */
    LANGSMITH(
            span -> span.has(SpanAttribute.LANGSMITH_KIND),
            span -> is(span, SpanAttribute.LANGSMITH_KIND, "chain") && !span.has(SpanAttribute.LANGSMITH_PARENT)
                    ? Optional.of(span.name())
                    : Optional.empty()),

    /** AI SDK of Vercel up to version 6: a whole call of a model with its tools. It is an execution only if the caller names it. */
    AI_SDK(
            span -> span.has(SpanAttribute.AI_SDK_OPERATION),
            span -> isWholeCall(span) ? named(span, SpanAttribute.AI_SDK_FUNCTION) : Optional.empty()),

    /** Genkit: flows. An action of another kind is part of a flow. */
    GENKIT(
            span -> span.has(SpanAttribute.GENKIT_SUBTYPE),
            span -> is(span, SpanAttribute.GENKIT_SUBTYPE, "flow")
                    ? named(span, SpanAttribute.GENKIT_NAME).or(() -> Optional.of(span.name()))
                    : Optional.empty()),

    /** VoltAgent: spans with a state of the agent. Spans of model calls also name the agent, but have no such state. */
    VOLTAGENT(
            span -> span.scope().equals("@voltagent/core") && span.has(SpanAttribute.VOLTAGENT_TYPE),
            span -> is(span, SpanAttribute.VOLTAGENT_TYPE, "agent") && span.has(SpanAttribute.VOLTAGENT_STATE)
                    ? named(span, SpanAttribute.VOLTAGENT_NAME).or(() -> Optional.of(span.name()))
                    : Optional.empty()),

    /** The semantic conventions of OpenTelemetry: the operation decides. */
    GEN_AI(span -> span.has(SpanAttribute.OPERATION), SpanConvention::operation);

    private static final Set<String> AI_SDK_CALLS =
            Set.of("ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject");

    private final Predicate<Span> follows;
    private final Function<Span, Optional<String>> agent;

    SpanConvention(Predicate<Span> follows, Function<Span, Optional<String>> agent) {
        this.follows = follows;
        this.agent = agent;
    }

    /**
     * Returns the name of the agent, or of the workflow in its place, if a span stands for one execution. The name may be an empty text.
     *
     * @return nothing if the span is no execution
     */
    static Optional<String> agentOf(Span span) {
        for (SpanConvention convention : values()) {
            if (convention.follows.test(span)) {
                return convention.agent.apply(span);
            }
        }
        return Optional.empty();
    }

    /** Returns whether a span belongs to the work of an agent: an execution, or a part of it such as a call of a model or a tool. */
    static boolean isOfAgent(Span span) {
        return Arrays.stream(values()).anyMatch(convention -> convention.follows.test(span));
    }

    /** Returns the name of the agent that a part of an execution belongs to; empty if the span names none. */
    static String agentOfPart(Span span) {
        return named(span, SpanAttribute.AGENT_NAME, SpanAttribute.OPEN_INFERENCE_AGENT)
                .orElse("");
    }

    /** Returns whether a span is a run of LangGraph, and not a step of a run. The metadata is JSON that may be cut. */
    private static boolean isGraph(Span span) {
        String metadata = span.get(SpanAttribute.OPEN_INFERENCE_METADATA);
        return (metadata.contains("\"langgraph\"") || metadata.contains("\"langchain_create_agent\""))
                && !metadata.contains("\"langgraph_step\"");
    }

    /**
     * Returns whether a span is a run of LlamaIndex. It has no span of the kind AGENT: runs of an agent or workflow are chains, and so are their
     * steps.
     */
    private static boolean isRunOfLlamaIndex(Span span) {
        return span.scope().equals("openinference.instrumentation.llama_index")
                && (span.name().endsWith("Agent.run") || span.name().endsWith("AgentWorkflow.run"));
    }

    private static boolean isWholeCall(Span span) {
        return AI_SDK_CALLS.contains(span.get(SpanAttribute.AI_SDK_OPERATION));
    }

    private static Optional<String> traceloop(Span span) {
        // This instrumentation for JavaScript marks each part of a chain as a workflow without a parent.
        if (span.scope().equals("@traceloop/instrumentation-langchain")
                && span.get(SpanAttribute.TRACELOOP_WORKFLOW).startsWith("Runnable")) {
            return Optional.empty();
        }
        for (String kind : new String[] {"agent", "workflow"}) {
            if (is(span, SpanAttribute.TRACELOOP_KIND, kind)) {
                return named(
                                span,
                                SpanAttribute.AGENT_NAME,
                                SpanAttribute.TRACELOOP_ENTITY,
                                SpanAttribute.TRACELOOP_WORKFLOW)
                        .or(() -> Optional.of(without("." + kind, span.name())));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> operation(Span span) {
        return switch (span.get(SpanAttribute.OPERATION)) {
            case "invoke_agent" ->
                // OpenLIT creates a span for each handoff, with the name of the agent that takes over.
                span.has(SpanAttribute.HANDOFF_FROM)
                        ? Optional.empty()
                        : named(span, SpanAttribute.AGENT_NAME).or(() -> Optional.of(after(span)));
            case "invoke_workflow" -> named(span, SpanAttribute.WORKFLOW_NAME).or(() -> Optional.of(after(span)));
            default -> Optional.empty();
        };
    }

    private static boolean is(Span span, SpanAttribute attribute, String word) {
        return span.get(attribute).equalsIgnoreCase(word);
    }

    private static Optional<String> named(Span span, SpanAttribute... attributes) {
        for (SpanAttribute attribute : attributes) {
            if (span.has(attribute)) {
                return Optional.of(span.get(attribute));
            }
        }
        return Optional.empty();
    }

    /** Returns the part of the span's name after the operation and a space; empty if that part is the model, as the AI SDK writes it. */
    private static String after(Span span) {
        String operation = span.get(SpanAttribute.OPERATION) + " ";
        String name = span.name().startsWith(operation) ? span.name().substring(operation.length()) : "";
        return name.equals(span.get(SpanAttribute.MODEL)) ? "" : name;
    }

    private static String without(String end, String name) {
        return name.endsWith(end) ? name.substring(0, name.length() - end.length()) : name;
    }
}
