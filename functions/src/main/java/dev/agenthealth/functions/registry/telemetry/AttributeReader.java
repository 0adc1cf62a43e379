package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.model.registry.telemetry.SpanAttribute;
import java.io.IOException;
import java.util.Map;

/** Reads the attributes of spans, log records and resources. */
final class AttributeReader {

    private final SpanList spans;

    /** @param spans counts the attributes */
    AttributeReader(SpanList spans) {
        this.spans = spans;
    }

    /**
     * Stores the text of an attribute, if its key is read. The value may come before its key; a value of which only a hash is read is then left out.
     */
    void read(OtlpMessage message, Map<SpanAttribute, String> into) throws IOException {
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
