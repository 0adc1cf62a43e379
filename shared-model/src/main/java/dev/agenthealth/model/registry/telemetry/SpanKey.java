package dev.agenthealth.model.registry.telemetry;

/**
 * The ids of a span.
 *
 * @param traceId 32 lower-case hexadecimal digits, if valid
 * @param spanId 16 lower-case hexadecimal digits, if valid
 */
public record SpanKey(String traceId, String spanId) {

    private static final int TRACE_DIGITS = 32;
    private static final int SPAN_DIGITS = 16;

    /** Returns whether both ids are valid: of the right length, hexadecimal, and not only zeros. */
    public boolean isValid() {
        return isId(traceId, TRACE_DIGITS) && isId(spanId, SPAN_DIGITS);
    }

    /** Returns the key of another span of the same trace. */
    SpanKey ofSameTrace(String otherSpanId) {
        return new SpanKey(traceId, otherSpanId);
    }

    private static boolean isId(String id, int digits) {
        boolean nonZero = false;
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'f')) {
                return false;
            }
            nonZero |= c != '0';
        }
        return nonZero && id.length() == digits;
    }
}
