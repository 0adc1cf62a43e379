package dev.agenthealth.emulator.lambda;

/** Thrown if a function threw an exception instead of answering. The function's exception is the cause. */
public final class FunctionFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public FunctionFailedException(String functionName, Throwable cause) {
        super(functionName + " failed", cause);
    }
}
