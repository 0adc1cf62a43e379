package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.model.registry.telemetry.Span;
import dev.agenthealth.model.registry.telemetry.SpanAttribute;
import dev.agenthealth.model.registry.telemetry.SpanKey;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** A span during reading. Its fields arrive in any order, and its scope and resource may follow it. Not thread-safe. */
final class SpanDraft {

    /** The maximum number of characters of a text that are read: enough to see that a text is too long. */
    static final int MAX_TEXT = SpanAttribute.MAX_LENGTH + 1;

    /** The maximum number of bytes of such a text in UTF-8. */
    static final int MAX_TEXT_BYTES = 4 * MAX_TEXT;

    /** The maximum number of bytes of an id that are read: one more than a valid id has. */
    static final int MAX_ID_BYTES = 17;

    final Map<SpanAttribute, String> attributes = new EnumMap<>(SpanAttribute.class);
    String traceId = "";
    String spanId = "";
    String parentId = "";
    String name = "";
    long startNanos;
    long endNanos;
    int status = Span.STATUS_UNSET;

    /** Returns the beginning of a text, up to the maximum length. */
    static String cut(String text) {
        return text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text;
    }

    Span of(String scope, Map<SpanAttribute, String> resource) {
        return new Span(
                new SpanKey(lower(traceId), lower(spanId)),
                lower(parentId),
                name,
                scope,
                startNanos,
                endNanos,
                status,
                attributes,
                resource);
    }

    private static String lower(String id) {
        return id.toLowerCase(Locale.ROOT);
    }
}
