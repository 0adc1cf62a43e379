package dev.agenthealth.functions.telemetry;

/** A body that is no request in OTLP. The message is for the caller. */
final class UnreadableSpansException extends Exception {

    private static final long serialVersionUID = 1L;

    UnreadableSpansException(String message) {
        super(message, null, false, false);
    }
}
