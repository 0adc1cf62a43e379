package dev.agenthealth.emulator.lambda;

/** A function threw an exception, which is the cause, instead of answering. */
public final class FunctionFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public FunctionFailedException(String functionName, Throwable cause) {
        super(functionName + " failed", cause);
    }
}
