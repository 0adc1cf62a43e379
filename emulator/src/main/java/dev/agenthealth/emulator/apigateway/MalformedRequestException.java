package dev.agenthealth.emulator.apigateway;

/** The request line cannot be understood; the sender gets status 400. */
final class MalformedRequestException extends Exception {

    private static final long serialVersionUID = 1L;

    MalformedRequestException(String message, Throwable cause) {
        super(message, cause);
    }

    MalformedRequestException(String message) {
        super(message);
    }
}
