package dev.agenthealth.functions.storage.dynamo;

import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Repeats a change that is decided on what was read, and written if that is still so, while other writers are faster. {@link RequestRetries}, in contrast,
 * repeats single requests.
 */
public final class OptimisticUpdates {

    /** The maximum number of attempts. Of those that change an item at once, one succeeds in each round. */
    public static final int MAX = 16;

    private OptimisticUpdates() {}

    /**
     * Returns the result of the first attempt that has one. Each reads, decides and writes; it has no result where what it read has changed.
     *
     * @throws StorageBusyException after {@link #MAX} attempts without a result
     */
    public static <T> T untilPresent(Supplier<Optional<T>> attempt) {
        return untilPresent(true, () -> true, ignored -> attempt.get());
    }

    /**
     * Returns the result of the first attempt that has one, for callers that wait no longer than for one request.
     *
     * @throws StorageBusyException after {@link #MAX} attempts or {@link RequestRetries#MAX_DURATION} without a result
     */
    public static <T> T untilPresentInTime(Clock clock, Supplier<Optional<T>> attempt) {
        Instant until = clock.instant().plus(RequestRetries.MAX_DURATION);
        return untilPresent(() -> {
            if (clock.instant().isAfter(until)) {
                throw new StorageBusyException(
                        "other writers were faster for " + RequestRetries.MAX_DURATION.toSeconds() + " s");
            }
            return attempt.get();
        });
    }

    /**
     * Returns the result of the first attempt that has one. Every attempt but the first gets a state that is read anew.
     *
     * @throws StorageBusyException after {@link #MAX} attempts without a result
     */
    public static <S, T> T untilPresent(S first, Supplier<S> reread, Function<S, Optional<T>> attempt) {
        S state = first;
        for (int i = 0; i < MAX; i++) {
            Optional<T> result = attempt.apply(state);
            if (result.isPresent()) {
                return result.get();
            }
            state = reread.get();
        }
        throw new StorageBusyException("other writers were faster " + MAX + " times");
    }

    /**
     * OptimisticUpdates until one succeeds.
     *
     * @throws StorageBusyException after {@link #MAX} failed attempts
     */
    public static void untilDone(BooleanSupplier attempt) {
        untilPresent(() -> attempt.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }
}
