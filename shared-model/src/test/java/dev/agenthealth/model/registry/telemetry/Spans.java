package dev.agenthealth.model.registry.telemetry;

import java.util.EnumMap;
import java.util.Map;

/** Spans for tests. */
final class Spans {

    static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    static final long START = 1_770_000_000_000_000_000L;

    private Spans() {}

    static String id(int number) {
        return String.format("%016x", number);
    }

    static SpanKey key(int number) {
        return new SpanKey(TRACE, id(number));
    }

    /** A span of 250 ms with these attributes, each a name and a value. */
    static Span span(int number, int parent, Object... attributes) {
        Map<SpanAttribute, String> map = new EnumMap<>(SpanAttribute.class);
        for (int i = 0; i < attributes.length; i += 2) {
            map.put((SpanAttribute) attributes[i], (String) attributes[i + 1]);
        }
        return new Span(
                key(number),
                parent == 0 ? "" : id(parent),
                "invoke_agent Planner",
                "",
                START,
                START + 250_000_000,
                Span.STATUS_UNSET,
                map,
                Map.of(SpanAttribute.SERVICE_NAME, "shop"));
    }

    static Span timed(Span span, long start, long end, int status) {
        return new Span(
                span.key(),
                span.parentId(),
                span.name(),
                span.scope(),
                start,
                end,
                status,
                span.attributes(),
                span.resource());
    }
}
