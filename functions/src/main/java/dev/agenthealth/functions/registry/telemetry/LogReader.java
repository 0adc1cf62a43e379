package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.model.registry.telemetry.Span;
import java.io.IOException;
import java.util.List;

/**
 * Reads the log records of a request in either encoding, each in the form of a span. Bodies of records and unknown attributes, such as explanations of
 * evaluations, are skipped.
 */
final class LogReader {

    private final SpanList records = new SpanList();
    private final AttributeReader attributes = new AttributeReader(records);

    private LogReader() {}

    static List<Span> read(OtlpMessage request) throws IOException {
        LogReader reader = new LogReader();
        request.fields(OtlpField.Of.LOGS_REQUEST, field -> reader.resourceLogs(request.message()));
        return reader.records.all();
    }

    private void resourceLogs(OtlpMessage message) throws IOException {
        SpanList.OfResource resource = records.resource();
        message.fields(OtlpField.Of.RESOURCE_LOGS, field -> {
            OtlpMessage part = message.message();
            if (field == OtlpField.RESOURCE_OF_LOGS) {
                part.fields(OtlpField.Of.RESOURCE, each -> attributes.read(part.message(), resource.attributes));
            } else {
                SpanList.OfScope scope = resource.scope();
                part.fields(OtlpField.Of.SCOPE_LOGS, each -> record(part.message(), scope.span()));
            }
        });
        records.add(resource);
    }

    private void record(OtlpMessage message, SpanDraft record) throws IOException {
        message.fields(OtlpField.Of.LOG_RECORD, field -> {
            switch (field) {
                case LOG_TIME -> record.endNanos = message.number();
                case OBSERVED_TIME -> record.startNanos = message.number();
                case LOG_TRACE_ID -> record.traceId = message.id();
                case LOG_SPAN_ID -> record.spanId = message.id();
                case EVENT_NAME -> record.name = message.text();
                default -> attributes.read(message.message(), record.attributes);
            }
        });
        if (record.endNanos == 0) {
            record.endNanos = record.startNanos;
        }
    }
}
