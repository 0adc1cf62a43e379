package dev.agenthealth.emulator.lambda;

/** A function threw something instead of answering; the cause is what it threw. */
public final class FunctionFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    FunctionFailedException(String functionName, Throwable cause) {
        super(functionName + " failed", cause);
    }
}
