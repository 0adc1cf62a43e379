package dev.agenthealth.functions.telemetry;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.agenthealth.model.telemetry.Span;
import dev.agenthealth.model.telemetry.SpanAttribute;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Reads {@code ExportTraceServiceRequest} in the JSON of OTLP: ids in hexadecimal digits, 64-bit numbers as texts or numbers. Unknown fields are
 * skipped without being kept in memory, whatever their size.
 */
final class JsonSpans {

    /** Values of attributes may nest; those that are read do not. */
    private static final int MAX_NESTING = 200;

    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_NESTING)
                    .maxStringLength(TelemetryBody.MAX_BYTES)
                    .build())
            .build();

    private final JsonParser parser;
    private final SpanList spans = new SpanList();

    private JsonSpans(JsonParser parser) {
        this.parser = parser;
    }

    static List<Span> read(byte[] body) throws UnreadableSpansException {
        try (JsonParser parser = FACTORY.createParser(body)) {
            parser.nextToken();
            JsonSpans request = new JsonSpans(parser);
            request.request();
            if (parser.nextToken() != null) {
                throw new UnreadableSpansException("The request body has text after its JSON object.");
            }
            return request.spans.all();
        } catch (JsonProcessingException e) {
            throw new UnreadableSpansException("The request body is not valid JSON.");
        } catch (NumberFormatException e) {
            throw new UnreadableSpansException("The request body has a number that is not one of the protocol.");
        } catch (IOException e) {
            throw new UncheckedIOException("bytes in memory can always be read", e);
        }
    }

    /** Reads the value of a field. */
    private interface Field {
        void read(String name) throws IOException, UnreadableSpansException;
    }

    /** Reads an element of an array. */
    private interface Element {
        void read() throws IOException, UnreadableSpansException;
    }

    private void request() throws IOException, UnreadableSpansException {
        object(name -> {
            if (name.equals("resourceSpans")) {
                array(this::resourceSpans);
            } else {
                parser.skipChildren();
            }
        });
    }

    private void resourceSpans() throws IOException, UnreadableSpansException {
        SpanList.OfResource resource = spans.resource();
        object(name -> {
            switch (name) {
                case "resource" -> object(field -> attributesOrSkip(field, resource.attributes));
                case "scopeSpans" -> array(() -> scopeSpans(resource.scope()));
                default -> parser.skipChildren();
            }
        });
        spans.add(resource);
    }

    private void scopeSpans(SpanList.OfScope scope) throws IOException, UnreadableSpansException {
        object(name -> {
            switch (name) {
                case "scope" ->
                    object(field -> {
                        if (field.equals("name")) {
                            scope.name = text();
                        } else {
                            parser.skipChildren();
                        }
                    });
                case "spans" -> array(() -> span(scope.span()));
                default -> parser.skipChildren();
            }
        });
    }

    private void span(SpanDraft span) throws IOException, UnreadableSpansException {
        object(name -> {
            switch (name) {
                case "traceId" -> span.traceId = text();
                case "spanId" -> span.spanId = text();
                case "parentSpanId" -> span.parentId = text();
                case "name" -> span.name = text();
                case "startTimeUnixNano" -> span.startNanos = number();
                case "endTimeUnixNano" -> span.endNanos = number();
                case "status" ->
                    object(field -> {
                        if (field.equals("code")) {
                            span.status = (int) number();
                        } else {
                            parser.skipChildren();
                        }
                    });
                default -> attributesOrSkip(name, span.attributes);
            }
        });
    }

    private void attributesOrSkip(String field, Map<SpanAttribute, String> into)
            throws IOException, UnreadableSpansException {
        if (field.equals("attributes")) {
            array(() -> attribute(into));
        } else {
            parser.skipChildren();
        }
    }

    /** Keeps a text that is read somewhere. The value may stand before its key. */
    private void attribute(Map<SpanAttribute, String> into) throws IOException, UnreadableSpansException {
        spans.countAttribute();
        String[] keyAndValue = {"", ""};
        object(name -> {
            switch (name) {
                case "key" -> keyAndValue[0] = text();
                case "value" ->
                    object(type -> {
                        if (type.equals("stringValue")) {
                            keyAndValue[1] = text();
                        } else {
                            parser.skipChildren();
                        }
                    });
                default -> parser.skipChildren();
            }
        });
        if (!keyAndValue[1].isEmpty()) {
            SpanAttribute.ofKey(keyAndValue[0]).ifPresent(attribute -> into.put(attribute, keyAndValue[1]));
        }
    }

    private void object(Field field) throws IOException, UnreadableSpansException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        require(JsonToken.START_OBJECT);
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            field.read(name);
        }
    }

    private void array(Element element) throws IOException, UnreadableSpansException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        require(JsonToken.START_ARRAY);
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            element.read();
        }
    }

    private String text() throws IOException, UnreadableSpansException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return "";
        }
        require(JsonToken.VALUE_STRING);
        return SpanDraft.cut(parser.getText());
    }

    private long number() throws IOException, UnreadableSpansException {
        return switch (parser.currentToken()) {
            case VALUE_NULL -> 0;
            case VALUE_STRING, VALUE_NUMBER_INT -> Long.parseUnsignedLong(parser.getText());
            default ->
                throw new UnreadableSpansException("The request body has another value where OTLP has a number.");
        };
    }

    private void require(JsonToken token) throws UnreadableSpansException {
        if (parser.currentToken() != token) {
            throw new UnreadableSpansException("The request body is not a request in the JSON of OTLP.");
        }
    }
}
