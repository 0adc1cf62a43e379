package dev.agenthealth.functions.http;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Repeats a change that fails when another writer was faster. */
public final class Attempts {

    private Attempts() {}

    /**
     * The result of the first attempt that has one.
     *
     * @throws Problem 503 after {@code maxAttempts} attempts without a result
     */
    public static <T> T untilPresent(int maxAttempts, Supplier<Optional<T>> attempt) {
        for (int i = 0; i < maxAttempts; i++) {
            Optional<T> result = attempt.get();
            if (result.isPresent()) {
                return result.get();
            }
        }
        throw Problem.busy();
    }

    /**
     * Attempts until one succeeds.
     *
     * @throws Problem 503 after {@code maxAttempts} failed attempts
     */
    public static void untilDone(int maxAttempts, BooleanSupplier attempt) {
        untilPresent(maxAttempts, () -> attempt.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }
}
