package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.model.registry.telemetry.Span;
import dev.agenthealth.model.registry.telemetry.SpanAttribute;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Reads the spans of a request in either encoding. */
final class SpanReader {

    private final SpanList spans = new SpanList();

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
                part.fields(OtlpField.Of.RESOURCE, each -> attribute(part.message(), resource.attributes));
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
                case ATTRIBUTE -> attribute(message.message(), span.attributes);
                default -> {
                    OtlpMessage status = message.message();
                    status.fields(OtlpField.Of.STATUS, code -> span.status = (int) status.number());
                }
            }
        });
    }

    /**
     * Stores the text of an attribute, if its key is read. The value may come before its key; a value of which only a hash is read is then left out.
     */
    private void attribute(OtlpMessage message, Map<SpanAttribute, String> into) throws IOException {
        spans.countAttribute();
        String[] keyAndValue = {"", ""};
        message.fields(OtlpField.Of.ATTRIBUTE, field -> {
            if (field == OtlpField.KEY) {
                keyAndValue[0] = message.text();
            } else {
                OtlpMessage value = message.message();
                if (isHashed(keyAndValue[0])) {
                    into.put(SpanAttribute.ofKey(keyAndValue[0]).orElseThrow(), value.hash());
                } else {
                    value.fields(
                            OtlpField.Of.VALUE,
                            type -> keyAndValue[1] = type == OtlpField.STRING_VALUE ? value.text() : value.numeral());
                }
            }
        });
        if (!keyAndValue[1].isEmpty() && !isHashed(keyAndValue[0])) {
            SpanAttribute.ofKey(keyAndValue[0]).ifPresent(attribute -> into.put(attribute, keyAndValue[1]));
        }
    }

    private static boolean isHashed(String key) {
        return SpanAttribute.ofKey(key).filter(SpanAttribute::isHashed).isPresent();
    }
}
