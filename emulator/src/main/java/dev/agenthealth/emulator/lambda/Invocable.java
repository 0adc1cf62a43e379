package dev.agenthealth.emulator.lambda;

/** A function that takes and returns JSON. Thread-safe. */
@FunctionalInterface
public interface Invocable {

    /**
     * Invokes the function.
     *
     * @param payload JSON in UTF-8
     * @return JSON in UTF-8
     * @throws FunctionFailedException if the function failed instead of answering; any other exception is a fault of the emulator
     */
    byte[] invoke(byte[] payload);
}
