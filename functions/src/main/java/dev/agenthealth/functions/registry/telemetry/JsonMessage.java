package dev.agenthealth.functions.registry.telemetry;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.agenthealth.model.identity.Sha256;
import dev.agenthealth.model.registry.telemetry.Span;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A message in the JSON encoding of OTLP: ids are hexadecimal digits, 64-bit numbers are texts or numbers, and null is a value without
 * content.
 */
record JsonMessage(JsonParser parser) implements OtlpMessage {

    /** The maximum nesting. Values of attributes may be nested; the values that are read are not. */
    private static final int MAX_NESTING = 200;

    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_NESTING)
                    .maxStringLength(TelemetryBody.MAX_BYTES)
                    .build())
            .build();

    /** Returns the elements of a request. */
    static List<Span> read(OtlpSignal signal, byte[] body) throws IOException {
        try (JsonParser parser = FACTORY.createParser(body)) {
            parser.nextToken();
            List<Span> spans = signal.read(new JsonMessage(parser));
            if (parser.nextToken() != null) {
                throw new UnreadableSpansException("The request body has text after its JSON object.");
            }
            return spans;
        } catch (JsonProcessingException | CharConversionException e) {
            throw new UnreadableSpansException("The request body is not valid JSON.");
        } catch (NumberFormatException e) {
            throw new UnreadableSpansException("The request body has a number that is not one of the protocol.");
        }
    }

    @Override
    public void fields(OtlpField.Of message, FieldReader reader) throws IOException {
        if (isAbsent(JsonToken.START_OBJECT)) {
            return;
        }
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            Optional<OtlpField> field = OtlpField.named(message, parser.currentName());
            parser.nextToken();
            if (field.isEmpty()) {
                parser.skipChildren();
            } else if (!field.get().isRepeated()) {
                reader.read(field.get());
            } else if (!isAbsent(JsonToken.START_ARRAY)) {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    reader.read(field.get());
                }
            }
        }
    }

    @Override
    public OtlpMessage message() {
        return this;
    }

    @Override
    public String text() throws IOException {
        return isAbsent(JsonToken.VALUE_STRING) ? "" : SpanDraft.cut(parser.getText());
    }

    /** {@inheritDoc} Values that are nested in each other are read as a sequence of tokens. */
    @Override
    public String hash() throws IOException {
        MessageDigest digest = Sha256.digest();
        int depth = 0;
        do {
            JsonToken token = parser.currentToken();
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            digest.update((byte) token.id());
            digest.update(parser.getText().getBytes(StandardCharsets.UTF_8));
        } while (depth > 0 && parser.nextToken() != null);
        return HexFormat.of().formatHex(digest.digest());
    }

    @Override
    public String id() throws IOException {
        return text();
    }

    @Override
    public String numeral() throws IOException {
        if (parser.currentToken().isStructStart()) {
            parser.skipChildren();
            return "";
        }
        return SpanDraft.cut(parser.getText());
    }

    @Override
    public long number() throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_NULL -> 0;
            case VALUE_STRING, VALUE_NUMBER_INT -> Long.parseUnsignedLong(parser.getText());
            default ->
                throw new UnreadableSpansException("The request body has another value where OTLP has a number.");
        };
    }

    /**
     * Returns whether the value is null.
     *
     * @throws UnreadableSpansException if the value is neither null nor the expected type
     */
    private boolean isAbsent(JsonToken expected) throws UnreadableSpansException {
        JsonToken token = parser.currentToken();
        if (token != expected && token != JsonToken.VALUE_NULL) {
            throw new UnreadableSpansException("The request body is not a request in the JSON of OTLP.");
        }
        return token != expected;
    }
}
