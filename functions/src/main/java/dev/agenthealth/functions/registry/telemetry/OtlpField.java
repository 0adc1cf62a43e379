package dev.agenthealth.functions.registry.telemetry;

import static dev.agenthealth.functions.registry.telemetry.ProtobufMessage.BYTES;
import static dev.agenthealth.functions.registry.telemetry.ProtobufMessage.FIXED64;
import static dev.agenthealth.functions.registry.telemetry.ProtobufMessage.VARINT;

import java.util.Optional;
import java.util.function.Predicate;

/** The fields of {@code ExportTraceServiceRequest} and {@code ExportLogsServiceRequest} (OTLP 1.x) that are read, in the order of their messages. */
enum OtlpField {
    RESOURCE_SPANS(Of.REQUEST, 1, "resourceSpans", BYTES, true),
    RESOURCE(Of.RESOURCE_SPANS, 1, "resource", BYTES, false),
    SCOPE_SPANS(Of.RESOURCE_SPANS, 2, "scopeSpans", BYTES, true),
    RESOURCE_ATTRIBUTE(Of.RESOURCE, 1, "attributes", BYTES, true),
    SCOPE(Of.SCOPE_SPANS, 1, "scope", BYTES, false),
    SPAN(Of.SCOPE_SPANS, 2, "spans", BYTES, true),
    SCOPE_NAME(Of.SCOPE, 1, "name", BYTES, false),
    TRACE_ID(Of.SPAN, 1, "traceId", BYTES, false),
    SPAN_ID(Of.SPAN, 2, "spanId", BYTES, false),
    PARENT_ID(Of.SPAN, 4, "parentSpanId", BYTES, false),
    NAME(Of.SPAN, 5, "name", BYTES, false),
    START(Of.SPAN, 7, "startTimeUnixNano", FIXED64, false),
    END(Of.SPAN, 8, "endTimeUnixNano", FIXED64, false),
    ATTRIBUTE(Of.SPAN, 9, "attributes", BYTES, true),
    STATUS(Of.SPAN, 15, "status", BYTES, false),
    STATUS_CODE(Of.STATUS, 3, "code", VARINT, false),
    RESOURCE_LOGS(Of.LOGS_REQUEST, 1, "resourceLogs", BYTES, true),
    RESOURCE_OF_LOGS(Of.RESOURCE_LOGS, 1, "resource", BYTES, false),
    SCOPE_LOGS(Of.RESOURCE_LOGS, 2, "scopeLogs", BYTES, true),
    RECORD(Of.SCOPE_LOGS, 2, "logRecords", BYTES, true),
    LOG_TIME(Of.LOG_RECORD, 1, "timeUnixNano", FIXED64, false),
    LOG_ATTRIBUTE(Of.LOG_RECORD, 6, "attributes", BYTES, true),
    LOG_TRACE_ID(Of.LOG_RECORD, 9, "traceId", BYTES, false),
    LOG_SPAN_ID(Of.LOG_RECORD, 10, "spanId", BYTES, false),
    OBSERVED_TIME(Of.LOG_RECORD, 11, "observedTimeUnixNano", FIXED64, false),
    EVENT_NAME(Of.LOG_RECORD, 12, "eventName", BYTES, false),
    KEY(Of.ATTRIBUTE, 1, "key", BYTES, false),
    VALUE(Of.ATTRIBUTE, 2, "value", BYTES, false),
    STRING_VALUE(Of.VALUE, 1, "stringValue", BYTES, false),
    INT_VALUE(Of.VALUE, 3, "intValue", VARINT, false),
    DOUBLE_VALUE(Of.VALUE, 4, "doubleValue", FIXED64, false);

    /** A message of the protocol. */
    enum Of {
        REQUEST,
        RESOURCE_SPANS,
        RESOURCE,
        SCOPE_SPANS,
        SCOPE,
        SPAN,
        STATUS,
        LOGS_REQUEST,
        RESOURCE_LOGS,
        SCOPE_LOGS,
        LOG_RECORD,
        ATTRIBUTE,
        VALUE
    }

    private static final OtlpField[] VALUES = values();

    private final Of message;
    private final int number;
    private final String jsonName;
    private final int wireType;
    private final boolean repeated;

    OtlpField(Of message, int number, String jsonName, int wireType, boolean repeated) {
        this.message = message;
        this.number = number;
        this.jsonName = jsonName;
        this.wireType = wireType;
        this.repeated = repeated;
    }

    /** Returns the field of a message with this JSON name; empty if the field is not read. */
    static Optional<OtlpField> named(Of message, String name) {
        return find(field -> field.message == message && field.jsonName.equals(name));
    }

    /** Returns the field of a message with this number and wire type in protobuf; empty if the field is not read. */
    static Optional<OtlpField> numbered(Of message, int number, int wireType) {
        return find(field -> field.message == message && field.number == number && field.wireType == wireType);
    }

    private static Optional<OtlpField> find(Predicate<OtlpField> wanted) {
        for (OtlpField field : VALUES) {
            if (wanted.test(field)) {
                return Optional.of(field);
            }
        }
        return Optional.empty();
    }

    /** Returns whether a message may repeat the field, which is an array in JSON. */
    boolean isRepeated() {
        return repeated;
    }
}
