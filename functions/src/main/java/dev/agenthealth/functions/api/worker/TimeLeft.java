package dev.agenthealth.functions.api.worker;

import com.amazonaws.services.lambda.runtime.Context;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Decides whether an invocation has time to start another item of work. */
public final class TimeLeft {

    /** Longer than any item takes with all its retries. */
    private static final Duration MAX_ITEM = Duration.ofSeconds(12);

    /** A shard ends before the invocation that waits for it. */
    private static final Duration MAX_SHARD = Duration.ofSeconds(60);

    private TimeLeft() {}

    /** In the invocation with this context; always where there is none, as in tests. */
    public static BooleanSupplier in(Context context) {
        return () -> context == null || context.getRemainingTimeInMillis() > MAX_ITEM.toMillis();
    }

    /** In an invocation for a shard, which begins now. */
    public static BooleanSupplier inShard(Context context, Clock clock) {
        return within(MAX_SHARD.minus(MAX_ITEM), clock, in(context));
    }

    /** Within a duration that begins now, and as long as the other one has time. */
    public static BooleanSupplier within(Duration duration, Clock clock, BooleanSupplier other) {
        Instant end = clock.instant().plus(duration);
        return () -> other.getAsBoolean() && clock.instant().isBefore(end);
    }
}
