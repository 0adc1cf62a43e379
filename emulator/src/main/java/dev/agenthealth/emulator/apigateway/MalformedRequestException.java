package dev.agenthealth.emulator.apigateway;

/** The request target is malformed; it is answered with status 400. */
final class MalformedRequestException extends Exception {

    private static final long serialVersionUID = 1L;

    MalformedRequestException(String message, Throwable cause) {
        super(message, cause);
    }

    MalformedRequestException(String message) {
        super(message);
    }
}
