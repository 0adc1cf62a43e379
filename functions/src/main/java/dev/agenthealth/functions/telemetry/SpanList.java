package dev.agenthealth.functions.telemetry;

import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.model.telemetry.Span;
import dev.agenthealth.model.telemetry.SpanAttribute;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The spans of a request while it is read. Their number is limited as they are read: two bytes make an empty span. Not thread-safe. */
final class SpanList {

    /** The maximum number of spans of a request, and of scopes. */
    static final int MAX_SPANS = 20_000;

    private final List<Span> spans = new ArrayList<>();
    private int drafts;
    private int scopes;

    /** What one resource sent: its scopes with their spans, and its attributes, which may come last. */
    final class OfResource {

        final Map<SpanAttribute, String> attributes = new EnumMap<>(SpanAttribute.class);
        private final List<OfScope> ofResource = new ArrayList<>();

        /**
         * A new scope.
         *
         * @throws Problem 413 where the request has too many
         */
        OfScope scope() {
            scopes = next(scopes);
            OfScope scope = new OfScope();
            ofResource.add(scope);
            return scope;
        }
    }

    /** What one instrumentation sent. */
    final class OfScope {

        String name = "";
        private final List<SpanDraft> ofScope = new ArrayList<>();

        /**
         * A new span.
         *
         * @throws Problem 413 where the request has too many
         */
        SpanDraft span() {
            drafts = next(drafts);
            SpanDraft span = new SpanDraft();
            ofScope.add(span);
            return span;
        }
    }

    OfResource resource() {
        return new OfResource();
    }

    /** Adds the spans of a resource that is read. */
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
            throw Problem.tooLarge("A request may have at most " + MAX_SPANS + " spans.");
        }
        return count + 1;
    }
}
