package dev.agenthealth.functions.api.worker;

import com.amazonaws.services.lambda.runtime.Context;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Decides whether an invocation has time to start another item of work. */
public final class TimeLeft {

    /** The time reserved for one item, which is longer than any item takes with all its retries. */
    private static final Duration MAX_ITEM = Duration.ofSeconds(12);

    /** The maximum duration of a shard, which ends before the invocation that waits for it. */
    private static final Duration MAX_SHARD = Duration.ofSeconds(60);

    private TimeLeft() {}

    /** Returns whether the invocation with this context has time left. Without a context, as in tests, it always has. */
    public static BooleanSupplier in(Context context) {
        return () -> context == null || context.getRemainingTimeInMillis() > MAX_ITEM.toMillis();
    }

    /** Returns whether an invocation for a shard, which begins now, has time left. */
    public static BooleanSupplier inShard(Context context, Clock clock) {
        return within(MAX_SHARD.minus(MAX_ITEM), clock, in(context));
    }

    /** Returns whether a duration that begins now has not passed, and {@code other} has time left. */
    public static BooleanSupplier within(Duration duration, Clock clock, BooleanSupplier other) {
        Instant end = clock.instant().plus(duration);
        return () -> other.getAsBoolean() && clock.instant().isBefore(end);
    }
}
