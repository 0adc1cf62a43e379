package dev.agenthealth.functions.telemetry;

import static dev.agenthealth.functions.telemetry.ProtobufReader.BYTES;
import static dev.agenthealth.functions.telemetry.ProtobufReader.FIXED64;
import static dev.agenthealth.functions.telemetry.ProtobufReader.VARINT;

import dev.agenthealth.model.telemetry.Span;
import dev.agenthealth.model.telemetry.SpanAttribute;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code ExportTraceServiceRequest} in protobuf (OTLP 1.x). Unknown fields are skipped. */
final class ProtobufSpans {

    private static final int RESOURCE_SPANS = 1;

    private static final int RESOURCE = 1;
    private static final int SCOPE_SPANS = 2;
    private static final int ATTRIBUTES_OF_RESOURCE = 1;

    private static final int SCOPE = 1;
    private static final int SPANS = 2;
    private static final int NAME_OF_SCOPE = 1;

    private static final int TRACE_ID = 1;
    private static final int SPAN_ID = 2;
    private static final int PARENT_ID = 4;
    private static final int NAME = 5;
    private static final int START = 7;
    private static final int END = 8;
    private static final int ATTRIBUTES = 9;
    private static final int STATUS = 15;
    private static final int CODE_OF_STATUS = 3;

    private static final int KEY = 1;
    private static final int VALUE = 2;
    private static final int STRING_OF_VALUE = 1;

    private final SpanList spans = new SpanList();

    private ProtobufSpans() {}

    static List<Span> read(byte[] body) throws UnreadableSpansException {
        ProtobufSpans spans = new ProtobufSpans();
        ProtobufReader request = new ProtobufReader(body);
        while (request.hasNext()) {
            if (request.nextField() == RESOURCE_SPANS && request.is(BYTES)) {
                spans.resourceSpans(request.message());
            } else {
                request.skip();
            }
        }
        return spans.spans.all();
    }

    private void resourceSpans(ProtobufReader message) throws UnreadableSpansException {
        SpanList.OfResource resource = spans.resource();
        while (message.hasNext()) {
            int field = message.nextField();
            if (field == RESOURCE && message.is(BYTES)) {
                attributesOf(message.message(), ATTRIBUTES_OF_RESOURCE, resource.attributes);
            } else if (field == SCOPE_SPANS && message.is(BYTES)) {
                scopeSpans(message.message(), resource.scope());
            } else {
                message.skip();
            }
        }
        spans.add(resource);
    }

    private void attributesOf(ProtobufReader message, int number, Map<SpanAttribute, String> into)
            throws UnreadableSpansException {
        while (message.hasNext()) {
            if (message.nextField() == number && message.is(BYTES)) {
                attribute(message.message(), into);
            } else {
                message.skip();
            }
        }
    }

    private void scopeSpans(ProtobufReader message, SpanList.OfScope scope) throws UnreadableSpansException {
        while (message.hasNext()) {
            int field = message.nextField();
            if (field == SCOPE && message.is(BYTES)) {
                scope.name = text(message.message(), NAME_OF_SCOPE);
            } else if (field == SPANS && message.is(BYTES)) {
                span(message.message(), scope.span());
            } else {
                message.skip();
            }
        }
    }

    private void span(ProtobufReader message, SpanDraft span) throws UnreadableSpansException {
        while (message.hasNext()) {
            int field = message.nextField();
            if (message.is(BYTES)) {
                switch (field) {
                    case TRACE_ID -> span.traceId = message.hex(SpanDraft.MAX_ID_BYTES);
                    case SPAN_ID -> span.spanId = message.hex(SpanDraft.MAX_ID_BYTES);
                    case PARENT_ID -> span.parentId = message.hex(SpanDraft.MAX_ID_BYTES);
                    case NAME -> span.name = SpanDraft.cut(message.text(SpanDraft.MAX_TEXT_BYTES));
                    case ATTRIBUTES -> attribute(message.message(), span.attributes);
                    case STATUS -> span.status = status(message.message());
                    default -> message.skip();
                }
            } else if (field == START && message.is(FIXED64)) {
                span.startNanos = message.fixed64();
            } else if (field == END && message.is(FIXED64)) {
                span.endNanos = message.fixed64();
            } else {
                message.skip();
            }
        }
    }

    private static int status(ProtobufReader message) throws UnreadableSpansException {
        int code = Span.STATUS_UNSET;
        while (message.hasNext()) {
            if (message.nextField() == CODE_OF_STATUS && message.is(VARINT)) {
                code = (int) message.varint();
            } else {
                message.skip();
            }
        }
        return code;
    }

    /** Keeps a text that is read somewhere. The value may stand before its key. */
    private void attribute(ProtobufReader message, Map<SpanAttribute, String> into) throws UnreadableSpansException {
        spans.countAttribute();
        Optional<SpanAttribute> key = Optional.empty();
        Optional<ProtobufReader> value = Optional.empty();
        while (message.hasNext()) {
            int field = message.nextField();
            if (field == KEY && message.is(BYTES)) {
                key = SpanAttribute.ofKey(message.text(SpanDraft.MAX_TEXT_BYTES));
            } else if (field == VALUE && message.is(BYTES)) {
                value = Optional.of(message.message());
            } else {
                message.skip();
            }
        }
        if (key.isPresent() && value.isPresent()) {
            String text = text(value.get(), STRING_OF_VALUE);
            if (!text.isEmpty()) {
                into.put(key.get(), text);
            }
        }
    }

    private static String text(ProtobufReader message, int number) throws UnreadableSpansException {
        String text = "";
        while (message.hasNext()) {
            if (message.nextField() == number && message.is(BYTES)) {
                text = SpanDraft.cut(message.text(SpanDraft.MAX_TEXT_BYTES));
            } else {
                message.skip();
            }
        }
        return text;
    }
}
