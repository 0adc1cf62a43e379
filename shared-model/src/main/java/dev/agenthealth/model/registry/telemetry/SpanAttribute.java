package dev.agenthealth.model.registry.telemetry;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The attributes of a span or its resource that the registry reads. It skips all others, of any size. */
public enum SpanAttribute {
    /** The id of the agent in this registry, on a span or on the resource. */
    AGENT_ID("agent_health.agent_id"),
    /** {@code true} if spans of the agent with {@link #AGENT_ID} count as its progress. */
    PROGRESS("agent_health.progress"),
    SERVICE_NAME("service.name"),
    SERVICE_VERSION("service.version"),
    ERROR_TYPE("error.type"),
    OPERATION("gen_ai.operation.name"),
    AGENT_NAME("gen_ai.agent.name"),
    AGENT_VERSION("gen_ai.agent.version"),
    WORKFLOW_NAME("gen_ai.workflow.name"),
    MODEL("gen_ai.request.model"),
    RESPONSE_MODEL("gen_ai.response.model"),
    PROVIDER("gen_ai.provider.name"),
    /** The provider in older versions of the conventions. */
    SYSTEM("gen_ai.system"),
    INPUT_TOKENS("gen_ai.usage.input_tokens"),
    OUTPUT_TOKENS("gen_ai.usage.output_tokens"),
    CACHE_READ_TOKENS("gen_ai.usage.cache_read.input_tokens"),
    /** The input in older versions of the conventions. */
    PROMPT_TOKENS("gen_ai.usage.prompt_tokens"),
    /** The output in older versions of the conventions. */
    COMPLETION_TOKENS("gen_ai.usage.completion_tokens"),
    /** The cached input as OpenLLMetry and Strands write it. */
    OLDER_CACHE_READ_TOKENS("gen_ai.usage.cache_read_input_tokens"),
    OPEN_INFERENCE_MODEL("llm.model_name"),
    OPEN_INFERENCE_PROVIDER("llm.provider"),
    OPEN_INFERENCE_SYSTEM("llm.system"),
    OPEN_INFERENCE_INPUT_TOKENS("llm.token_count.prompt"),
    OPEN_INFERENCE_OUTPUT_TOKENS("llm.token_count.completion"),
    OPEN_INFERENCE_CACHE_READ_TOKENS("llm.token_count.prompt_details.cache_read"),
    HANDOFF_FROM("gen_ai.agent.source"),
    EVALUATION_NAME("gen_ai.evaluation.name"),
    EVALUATION_SCORE("gen_ai.evaluation.score.value"),
    EVALUATION_LABEL("gen_ai.evaluation.score.label"),
    RESPONSE_ID("gen_ai.response.id"),
    /** The name of an event in older versions of the protocol, which had no field for it. */
    EVENT_NAME("event.name"),
    OPEN_INFERENCE_KIND("openinference.span.kind"),
    OPEN_INFERENCE_AGENT("agent.name"),
    OPEN_INFERENCE_METADATA("metadata"),
    TRACELOOP_KIND("traceloop.span.kind"),
    TRACELOOP_ENTITY("traceloop.entity.name"),
    TRACELOOP_WORKFLOW("traceloop.workflow.name"),
    AI_SDK_OPERATION("ai.operationId"),
    AI_SDK_PROVIDER("ai.model.provider"),
    AI_SDK_MODEL("ai.model.id"),
    AI_SDK_CACHE_READ_TOKENS("ai.usage.cachedInputTokens"),
    /** The status of the answer of a model provider. */
    HTTP_STATUS("http.response.status_code"),
    AI_SDK_FUNCTION("ai.telemetry.functionId"),
    LANGSMITH_KIND("langsmith.span.kind"),
    LANGSMITH_PARENT("langsmith.span.parent_id"),
    GENKIT_SUBTYPE("genkit:metadata:subtype"),
    GENKIT_NAME("genkit:name"),
    VOLTAGENT_TYPE("entity.type"),
    VOLTAGENT_NAME("entity.name"),
    VOLTAGENT_STATE("agent.state"),
    TOOL_NAME("gen_ai.tool.name"),
    TOOL_ARGUMENTS("gen_ai.tool.call.arguments", true),
    TOOL_RESULT("gen_ai.tool.call.result", true),
    INPUT_MESSAGES("gen_ai.input.messages", true),
    OPEN_INFERENCE_TOOL("tool.name"),
    OPEN_INFERENCE_INPUT("input.value", true),
    OPEN_INFERENCE_OUTPUT("output.value", true),
    TRACELOOP_INPUT("traceloop.entity.input", true),
    TRACELOOP_OUTPUT("traceloop.entity.output", true),
    AI_SDK_TOOL("ai.toolCall.name"),
    AI_SDK_ARGUMENTS("ai.toolCall.args", true),
    AI_SDK_RESULT("ai.toolCall.result", true);

    /** The maximum number of characters of a value. A longer value is invalid if it is used. */
    public static final int MAX_LENGTH = 256;

    private static final Map<String, SpanAttribute> BY_KEY =
            Arrays.stream(values()).collect(Collectors.toMap(SpanAttribute::key, Function.identity()));

    private final String key;
    private final boolean hashed;

    SpanAttribute(String key) {
        this(key, false);
    }

    SpanAttribute(String key, boolean hashed) {
        this.key = key;
        this.hashed = hashed;
    }

    /** Returns whether only a hash of the value is read, because the value may be a prompt, an argument or a result. */
    public boolean isHashed() {
        return hashed;
    }

    /** Returns the OpenTelemetry key. */
    public String key() {
        return key;
    }

    /** Returns the attribute with a key; empty if the registry does not read it. */
    public static Optional<SpanAttribute> ofKey(String key) {
        return Optional.ofNullable(BY_KEY.get(key));
    }
}
