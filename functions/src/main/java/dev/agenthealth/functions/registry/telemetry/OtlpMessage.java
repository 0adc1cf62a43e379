package dev.agenthealth.functions.registry.telemetry;

import java.io.IOException;

/** A message of OTLP in one of its encodings. It is read in one pass: each value is read or skipped, and not stored. Not thread-safe. */
interface OtlpMessage {

    /** Reads the value of a field with one of the methods of the message. */
    interface FieldReader {
        void read(OtlpField field) throws IOException;
    }

    /** Reads the fields in the order in which they were sent. Skips unknown fields of any size. */
    void fields(OtlpField.Of message, FieldReader reader) throws IOException;

    /** Returns the message in the value. */
    OtlpMessage message() throws IOException;

    /** Returns the beginning of a text, at most {@link SpanDraft#MAX_TEXT} characters. */
    String text() throws IOException;

    /** Returns a hash of a whole value of any type, as hexadecimal digits. The value is not kept. */
    String hash() throws IOException;

    /** Returns the hexadecimal digits of an id. If the id is longer than any valid id, returns only its beginning. */
    String id() throws IOException;

    /** Returns the text of a number of an attribute; empty for a value of another type. */
    String numeral() throws IOException;

    /** Returns a number of up to 64 bits. */
    long number() throws IOException;
}
