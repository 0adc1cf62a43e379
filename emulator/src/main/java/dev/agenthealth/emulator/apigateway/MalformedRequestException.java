package dev.agenthealth.emulator.apigateway;

/** Thrown if the request target is malformed; the answer is status 400. */
final class MalformedRequestException extends Exception {

    private static final long serialVersionUID = 1L;

    MalformedRequestException(String message, Throwable cause) {
        super(message, cause);
    }

    MalformedRequestException(String message) {
        super(message);
    }
}
