package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.model.registry.telemetry.Span;
import java.io.IOException;
import java.util.List;

/** Reads the spans of a request in either encoding. */
final class SpanReader {

    private final SpanList spans = new SpanList();
    private final AttributeReader attributes = new AttributeReader(spans);

    private SpanReader() {}

    static List<Span> read(OtlpMessage request) throws IOException {
        SpanReader reader = new SpanReader();
        request.fields(OtlpField.Of.REQUEST, field -> reader.resourceSpans(request.message()));
        return reader.spans.all();
    }

    private void resourceSpans(OtlpMessage message) throws IOException {
        SpanList.OfResource resource = spans.resource();
        message.fields(OtlpField.Of.RESOURCE_SPANS, field -> {
            OtlpMessage part = message.message();
            if (field == OtlpField.RESOURCE) {
                part.fields(OtlpField.Of.RESOURCE, each -> attributes.read(part.message(), resource.attributes));
            } else {
                scopeSpans(part, resource.scope());
            }
        });
        spans.add(resource);
    }

    private void scopeSpans(OtlpMessage message, SpanList.OfScope scope) throws IOException {
        message.fields(OtlpField.Of.SCOPE_SPANS, field -> {
            OtlpMessage part = message.message();
            if (field == OtlpField.SCOPE) {
                part.fields(OtlpField.Of.SCOPE, each -> scope.name = part.text());
            } else {
                span(part, scope.span());
            }
        });
    }

    private void span(OtlpMessage message, SpanDraft span) throws IOException {
        message.fields(OtlpField.Of.SPAN, field -> {
            switch (field) {
                case TRACE_ID -> span.traceId = message.id();
                case SPAN_ID -> span.spanId = message.id();
                case PARENT_ID -> span.parentId = message.id();
                case NAME -> span.name = message.text();
                case START -> span.startNanos = message.number();
                case END -> span.endNanos = message.number();
                case ATTRIBUTE -> attributes.read(message.message(), span.attributes);
                default -> {
                    OtlpMessage status = message.message();
                    status.fields(OtlpField.Of.STATUS, code -> span.status = (int) status.number());
                }
            }
        });
    }
}
