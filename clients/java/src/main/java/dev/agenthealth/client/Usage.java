package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The tokens and calls of one execution, as far as they are known. Immutable: each method returns a changed copy. */
public final class Usage {

    private static final long MAX = 1_000_000_000_000L;
    private static final int MAX_NAME = 100;

    private final ObjectNode json;

    private Usage(ObjectNode json) {
        this.json = json;
    }

    /**
     * Creates the usage with tokens that models read and wrote. A number below 0 counts as 0.
     *
     * @param inputTokens the input, with the tokens from a cache
     */
    public Usage(long inputTokens, long outputTokens) {
        this(Json.object().put("input_tokens", bounded(inputTokens)).put("output_tokens", bounded(outputTokens)));
    }

    /** Sets the part of the input that came from a cache. */
    public Usage cached(long tokens) {
        return new Usage(json.deepCopy().put("cache_read_tokens", bounded(tokens)));
    }

    /** Sets the numbers of calls. */
    public Usage calls(long ofModels, long ofTools) {
        return new Usage(json.deepCopy().put("model_calls", bounded(ofModels)).put("tool_calls", bounded(ofTools)));
    }

    /** Sets the model and its provider. Only the first 100 characters count. */
    public Usage model(String model, String provider) {
        return new Usage(json.deepCopy().put("model", cut(model)).put("provider", cut(provider)));
    }

    private static long bounded(long number) {
        return Math.max(0, Math.min(MAX, number));
    }

    private static String cut(String name) {
        int end = Math.min(MAX_NAME, name.length());
        boolean splits = end < name.length() && Character.isHighSurrogate(name.charAt(end - 1));
        return name.substring(0, splits ? end - 1 : end);
    }

    ObjectNode json() {
        return json.deepCopy();
    }
}
