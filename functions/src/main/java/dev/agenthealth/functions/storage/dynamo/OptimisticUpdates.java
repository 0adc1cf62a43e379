package dev.agenthealth.functions.storage.dynamo;

import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Retries a change while other writers are faster (optimistic concurrency). Each attempt reads, decides, and writes only if the data is
 * still as it was read. {@link RequestRetries}, in contrast, retries single requests.
 */
public final class OptimisticUpdates {

    /** The maximum number of attempts. In each round, one of the concurrent writers of an item succeeds. */
    public static final int MAX = 16;

    private OptimisticUpdates() {}

    /**
     * Returns the result of the first attempt with a result. Each attempt reads, decides and writes. It has no result if the data changed
     * after it was read.
     *
     * @throws StorageBusyException after {@link #MAX} attempts without a result
     */
    public static <T> T untilPresent(Supplier<Optional<T>> attempt) {
        return untilPresent(true, () -> true, ignored -> attempt.get());
    }

    /**
     * Returns the result of the first attempt with a result, for callers that wait no longer than for one request.
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
     * Returns the result of the first attempt with a result. The first attempt gets {@code first}, every later attempt gets a state that
     * was read again.
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
     * Repeats an attempt until it returns {@code true}.
     *
     * @throws StorageBusyException after {@link #MAX} failed attempts
     */
    public static void untilDone(BooleanSupplier attempt) {
        untilPresent(() -> attempt.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }
}
