package dev.agenthealth.functions.registry.telemetry;

import java.io.IOException;

/** The body is not a request in OTLP. The message is for the caller. */
final class UnreadableSpansException extends IOException {

    private static final long serialVersionUID = 1L;

    UnreadableSpansException(String message) {
        super(message);
    }
}
