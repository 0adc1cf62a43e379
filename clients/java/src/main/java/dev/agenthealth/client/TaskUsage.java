package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The tokens and calls of one task, added up over its calls. The model with the most tokens names the sum. Thread-safe. */
final class TaskUsage {

    /** Models beyond this number only add their tokens. */
    private static final int MAX_MODELS = 100;

    private enum Counter {
        INPUT_TOKENS("input_tokens"),
        OUTPUT_TOKENS("output_tokens"),
        CACHE_READ_TOKENS("cache_read_tokens"),
        MODEL_CALLS("model_calls"),
        TOOL_CALLS("tool_calls");

        private final String field;

        Counter(String field) {
            this.field = field;
        }
    }

    private record Model(String name, String provider) {}

    private final Map<Counter, Long> sums = new EnumMap<>(Counter.class);
    private final Map<Model, Long> tokensByModel = new HashMap<>();

    /** Returns the sum, which stays far below the range of a long. {@link Usage} lowers it to the registry's maximum. */
    private static long plus(long sum, long added) {
        return Math.min(Long.MAX_VALUE / 2, sum + added);
    }

    synchronized void addModelCall() {
        sums.merge(Counter.MODEL_CALLS, 1L, TaskUsage::plus);
    }

    synchronized void addToolCall() {
        sums.merge(Counter.TOOL_CALLS, 1L, TaskUsage::plus);
    }

    synchronized void add(Usage usage) {
        JsonNode added = usage.json();
        for (Counter counter : Counter.values()) {
            sums.merge(counter, added.path(counter.field).asLong(), TaskUsage::plus);
        }
        Model model =
                new Model(added.path("model").asText(), added.path("provider").asText());
        if (tokensByModel.containsKey(model) || tokensByModel.size() < MAX_MODELS) {
            long tokens = added.path("input_tokens").asLong()
                    + added.path("output_tokens").asLong();
            tokensByModel.merge(model, tokens, TaskUsage::plus);
        }
    }

    /** Returns the sum; empty if nothing was added. */
    synchronized Optional<Usage> sum() {
        if (sums.values().stream().allMatch(number -> number == 0)) {
            return Optional.empty();
        }
        Usage sum = new Usage(of(Counter.INPUT_TOKENS), of(Counter.OUTPUT_TOKENS))
                .cached(of(Counter.CACHE_READ_TOKENS))
                .calls(of(Counter.MODEL_CALLS), of(Counter.TOOL_CALLS));
        return Optional.of(tokensByModel.entrySet().stream()
                .max(Comparator.comparingLong(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .map(model -> sum.model(model.name(), model.provider()))
                .orElse(sum));
    }

    private long of(Counter counter) {
        return sums.getOrDefault(counter, 0L);
    }
}
