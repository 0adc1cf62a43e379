package dev.agenthealth.functions.registry.telemetry;

import java.io.IOException;

/** A message of OTLP in one of its encodings, read in one pass: a value is read or skipped, and kept nowhere. Not thread-safe. */
interface OtlpMessage {

    /** Reads the value of a field by one of the methods of the message. */
    interface FieldReader {
        void read(OtlpField field) throws IOException;
    }

    /** Reads the fields in the order in which they were sent; unknown ones are skipped, whatever their size. */
    void fields(OtlpField.Of message, FieldReader reader) throws IOException;

    /** The message in the value. */
    OtlpMessage message() throws IOException;

    /** The beginning of a text, at most {@link SpanDraft#MAX_TEXT} characters. */
    String text() throws IOException;

    /** The hexadecimal digits of an id; of one that is longer than any id only the beginning. */
    String id() throws IOException;

    /** A number of up to 64 bits. */
    long number() throws IOException;
}
