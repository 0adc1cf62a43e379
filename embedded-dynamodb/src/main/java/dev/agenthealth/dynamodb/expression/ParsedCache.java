package dev.agenthealth.dynamodb.expression;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/** Parsed expressions by their texts. Thread-safe. */
final class ParsedCache<T> {

    private static final int MAX_TEXTS = 1_000;

    private final BiFunction<String, String, T> parser;
    private final Map<String, T> parsed = new ConcurrentHashMap<>();

    /** @param parser gets the text and the kind of the expression; the kind is for messages */
    ParsedCache(BiFunction<String, String, T> parser) {
        this.parser = parser;
    }

    T get(String text, String kind) {
        T cached = parsed.get(text);
        if (cached != null) {
            return cached;
        }
        T expression = parser.apply(text, kind);
        // Programs repeat a few texts. Clearing the cache is rare, and cheaper than an order of use.
        if (parsed.size() >= MAX_TEXTS) {
            parsed.clear();
        }
        parsed.put(text, expression);
        return expression;
    }
}
