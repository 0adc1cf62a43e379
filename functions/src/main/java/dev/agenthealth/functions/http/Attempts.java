package dev.agenthealth.functions.http;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
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
        return untilPresent(maxAttempts, true, () -> true, ignored -> attempt.get());
    }

    /**
     * The result of the first attempt that has one. Every attempt but the first gets a state that is read anew.
     *
     * @throws Problem 503 after {@code maxAttempts} attempts without a result
     */
    public static <S, T> T untilPresent(
            int maxAttempts, S first, Supplier<S> reread, Function<S, Optional<T>> attempt) {
        S state = first;
        for (int i = 0; i < maxAttempts; i++) {
            Optional<T> result = attempt.apply(state);
            if (result.isPresent()) {
                return result.get();
            }
            state = reread.get();
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
