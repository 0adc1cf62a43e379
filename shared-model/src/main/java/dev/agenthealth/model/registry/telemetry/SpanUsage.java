package dev.agenthealth.model.registry.telemetry;

import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.registry.usage.ModelName;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageCounter;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tokens and calls in a span. Libraries write tokens on the span of a model call, on the span of the agent, or on both. So the usage of calls and of
 * executions is kept apart, and the larger one counts.
 *
 * @param span the span
 * @param usage its tokens and calls
 */
public record SpanUsage(Span span, Usage usage) {

    private static final List<SpanAttribute> INPUT =
            List.of(SpanAttribute.INPUT_TOKENS, SpanAttribute.PROMPT_TOKENS, SpanAttribute.OPEN_INFERENCE_INPUT_TOKENS);
    private static final List<SpanAttribute> OUTPUT = List.of(
            SpanAttribute.OUTPUT_TOKENS, SpanAttribute.COMPLETION_TOKENS, SpanAttribute.OPEN_INFERENCE_OUTPUT_TOKENS);
    private static final List<SpanAttribute> CACHED = List.of(
            SpanAttribute.CACHE_READ_TOKENS,
            SpanAttribute.OLDER_CACHE_READ_TOKENS,
            SpanAttribute.OPEN_INFERENCE_CACHE_READ_TOKENS);

    /** Returns the name of the agent in the span, as in {@link SpanStep}. */
    public AgentName agent() {
        return new AgentName(span.service(), SpanConvention.agentOfPart(span));
    }

    /** Returns the id of the agent in the span or its resource; empty if neither has one. */
    public String agentId() {
        return Ids.isValid(span.agentId()) ? span.agentId() : "";
    }

    /** Returns the end of the span, by the clock of its process. */
    public Instant endedAt() {
        return span.endedAt();
    }

    /** Returns the tokens that a span of an execution has, as one execution; no tokens if it has none. */
    public static Usage ofExecution(Execution execution) {
        Map<UsageCounter, Long> numbers = tokens(execution.span());
        numbers.put(UsageCounter.EXECUTIONS, 1L);
        return Usage.reported(model(execution.span()), numbers);
    }

    /**
     * Returns the calls of models and tools among spans. A span with tokens is a call of a model, unless it is an execution or another span with tokens
     * lies below it.
     */
    public static List<SpanUsage> calls(Collection<Span> spans, SpanTree tree) {
        Set<SpanKey> withTokens = new HashSet<>();
        for (Span span : spans) {
            if (isReadable(span) && !SpanCall.isTool(span) && !tokens(span).isEmpty()) {
                withTokens.add(span.key());
            }
        }
        Set<SpanKey> outer = new HashSet<>();
        withTokens.forEach(key -> tree.nearest(key, withTokens).ifPresent(outer::add));
        List<SpanUsage> calls = new ArrayList<>();
        for (Span span : spans) {
            if (!isReadable(span)) {
                continue;
            }
            if (SpanCall.isTool(span)) {
                calls.add(new SpanUsage(span, Usage.of(ModelName.UNKNOWN, Map.of(UsageCounter.TOOL_CALLS, 1L))));
            } else if (withTokens.contains(span.key())
                    && !outer.contains(span.key())
                    && Execution.of(span).isEmpty()) {
                Map<UsageCounter, Long> numbers = tokens(span);
                numbers.put(UsageCounter.MODEL_CALLS, 1L);
                calls.add(new SpanUsage(span, Usage.reported(model(span), numbers)));
            }
        }
        return calls;
    }

    /** Returns the served models by the requested name, of calls that name both. The last call of a name counts. */
    public static Map<String, String> served(Collection<SpanUsage> calls) {
        Map<String, String> served = new HashMap<>();
        calls.stream().sorted(Comparator.comparing(SpanUsage::endedAt)).forEach(call -> {
            String requested =
                    ModelName.of(call.span.get(SpanAttribute.MODEL), "").model();
            String response = ModelName.of(call.span.get(SpanAttribute.RESPONSE_MODEL), "")
                    .model();
            if (!requested.isEmpty() && !response.isEmpty() && !call.span.failed()) {
                served.put(requested, response);
            }
        });
        return served;
    }

    private static boolean isReadable(Span span) {
        return span.endNanos() != 0 && span.key().isValid();
    }

    private static Map<UsageCounter, Long> tokens(Span span) {
        Map<UsageCounter, Long> numbers = new EnumMap<>(UsageCounter.class);
        put(numbers, UsageCounter.INPUT_TOKENS, span, INPUT);
        put(numbers, UsageCounter.OUTPUT_TOKENS, span, OUTPUT);
        put(numbers, UsageCounter.CACHE_READ_TOKENS, span, CACHED);
        // The AI SDK also writes it, without the input, on spans around calls.
        if (numbers.containsKey(UsageCounter.INPUT_TOKENS) && !numbers.containsKey(UsageCounter.CACHE_READ_TOKENS)) {
            put(numbers, UsageCounter.CACHE_READ_TOKENS, span, List.of(SpanAttribute.AI_SDK_CACHE_READ_TOKENS));
        }
        return numbers;
    }

    private static void put(
            Map<UsageCounter, Long> numbers, UsageCounter counter, Span span, List<SpanAttribute> attributes) {
        attributes.stream()
                .flatMap(attribute -> number(span.get(attribute)).stream())
                .filter(number -> number > 0)
                .findFirst()
                .ifPresent(number -> numbers.put(counter, number));
    }

    /** Returns a number of tokens; empty for a text that is no number, and for a number outside of its bounds. */
    private static Optional<Long> number(String text) {
        if (text.isEmpty() || text.length() > 24) {
            return Optional.empty();
        }
        try {
            BigDecimal number = new BigDecimal(text);
            boolean inBounds = number.signum() >= 0
                    && number.precision() - number.scale() <= 13
                    && number.compareTo(BigDecimal.valueOf(UsageCounter.MAX)) <= 0;
            return inBounds ? Optional.of(number.longValue()) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static ModelName model(Span span) {
        return ModelName.of(
                first(span, SpanAttribute.RESPONSE_MODEL, SpanAttribute.MODEL, SpanAttribute.OPEN_INFERENCE_MODEL),
                first(
                        span,
                        SpanAttribute.PROVIDER,
                        SpanAttribute.SYSTEM,
                        SpanAttribute.OPEN_INFERENCE_PROVIDER,
                        SpanAttribute.OPEN_INFERENCE_SYSTEM));
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
