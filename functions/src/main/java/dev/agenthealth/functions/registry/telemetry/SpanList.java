package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.model.registry.telemetry.Span;
import dev.agenthealth.model.registry.telemetry.SpanAttribute;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The spans of a request during reading. Each element counts as soon as it is read, because two bytes are enough for an empty element. Not
 * thread-safe.
 */
final class SpanList {

    /** The maximum number of spans of a request, and also of scopes and of resources. */
    static final int MAX_SPANS = 20_000;

    /** The maximum number of attributes of all spans and resources of a request, including attributes that are not read. */
    static final int MAX_ATTRIBUTES = 500_000;

    private final List<Span> spans = new ArrayList<>();
    private int drafts;
    private int scopes;
    private int resources;
    private int attributes;

    /** The spans of one resource: its scopes with their spans, and its attributes, which may come last. */
    final class OfResource {

        final Map<SpanAttribute, String> attributes = new EnumMap<>(SpanAttribute.class);
        private final List<OfScope> ofResource = new ArrayList<>();

        /**
         * Adds a new scope.
         *
         * @throws ApiError 413 if the request has too many
         */
        OfScope scope() {
            scopes = next(scopes);
            OfScope scope = new OfScope();
            ofResource.add(scope);
            return scope;
        }
    }

    /** The spans of one instrumentation scope. */
    final class OfScope {

        String name = "";
        private final List<SpanDraft> ofScope = new ArrayList<>();

        /**
         * Adds a new span.
         *
         * @throws ApiError 413 if the request has too many
         */
        SpanDraft span() {
            drafts = next(drafts);
            SpanDraft span = new SpanDraft();
            ofScope.add(span);
            return span;
        }
    }

    /**
     * Adds a new resource.
     *
     * @throws ApiError 413 if the request has too many
     */
    OfResource resource() {
        resources = next(resources);
        return new OfResource();
    }

    /**
     * Counts an attribute.
     *
     * @throws ApiError 413 if the request has too many
     */
    void countAttribute() {
        if (++attributes > MAX_ATTRIBUTES) {
            throw ApiError.tooLarge("A request may have at most " + MAX_ATTRIBUTES + " attributes.");
        }
    }

    /** Adds the spans of a resource after the whole resource was read. */
    void add(OfResource resource) {
        for (OfScope scope : resource.ofResource) {
            scope.ofScope.forEach(span -> spans.add(span.of(scope.name, resource.attributes)));
        }
    }

    List<Span> all() {
        return spans;
    }

    private static int next(int count) {
        if (count == MAX_SPANS) {
            throw ApiError.tooLarge("A request may have at most " + MAX_SPANS + " spans, scopes and resources.");
        }
        return count + 1;
    }
}
