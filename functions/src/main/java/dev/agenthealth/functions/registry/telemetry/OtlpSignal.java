package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.model.registry.telemetry.Span;
import java.io.IOException;
import java.util.List;

/** The signals of OTLP that the registry takes. */
enum OtlpSignal {
    TRACES("rejectedSpans") {
        @Override
        List<Span> read(OtlpMessage request) throws IOException {
            return SpanReader.read(request);
        }
    },
    LOGS("rejectedLogRecords") {
        @Override
        List<Span> read(OtlpMessage request) throws IOException {
            return LogReader.read(request);
        }
    };

    private final String rejected;

    OtlpSignal(String rejected) {
        this.rejected = rejected;
    }

    /** Returns the JSON name of the number of rejected elements. */
    String rejected() {
        return rejected;
    }

    /**
     * Returns the spans of a request, or its log records in the form of spans, unchecked.
     *
     * @throws UnreadableSpansException if the message is not a request of this signal
     */
    abstract List<Span> read(OtlpMessage request) throws IOException;
}
