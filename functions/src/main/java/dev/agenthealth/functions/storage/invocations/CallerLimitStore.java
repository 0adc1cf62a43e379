package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.UpdateResult;
import dev.agenthealth.model.gateway.CallerLimit;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Stores the used part of each caller's limit of invocations. It is one number per caller, changed by one conditional write per invocation,
 * so the limit is exact with any number of concurrent functions. Thread-safe.
 */
public final class CallerLimitStore {

    /** The theoretical arrival time, in epoch microseconds, at which the caller's allowance is full again. */
    private static final Attribute<Long> FULL_AT = new Attribute<>("tat", AttributeType.NUMBER);

    /** The time for which the number is kept, well above the time after which an allowance is full again. */
    private static final Duration RETENTION = Duration.ofDays(1);

    private final Database database;

    public CallerLimitStore(Database database) {
        this.database = database;
    }

    /**
     * Takes one invocation from a caller's limit.
     *
     * @return the time that the caller has to wait; zero if the invocation is admitted
     */
    public Duration take(String keyId, CallerLimit limit) {
        long now = database.now().toEpochMilli() * 1_000;
        return OptimisticUpdates.untilPresent(() -> {
            OptionalLong fullAt = startFrom(keyId, limit, now);
            if (fullAt.isPresent() && fullAt.getAsLong() <= limit.latest(now)) {
                fullAt = advance(keyId, limit, now);
            }
            if (fullAt.isEmpty()) {
                return Optional.of(Duration.ZERO);
            }
            return fullAt.getAsLong() > limit.latest(now)
                    ? Optional.of(limit.wait(fullAt.getAsLong(), now))
                    : Optional.empty();
        });
    }

    /** Counts from now on, if the allowance is full or the stored number is implausible. */
    private OptionalLong startFrom(String keyId, CallerLimit limit, long now) {
        return write(update(keyId)
                .set(FULL_AT, now + limit.spacing())
                .when(FULL_AT.isAbsent().or(FULL_AT.isAtMost(now)).or(FULL_AT.isMoreThan(limit.farthest(now)))));
    }

    /** Counts one more invocation, if the allowance is neither full nor used up. */
    private OptionalLong advance(String keyId, CallerLimit limit, long now) {
        return write(update(keyId)
                .add(FULL_AT.name(), FULL_AT.stored(limit.spacing()))
                .when(FULL_AT.isMoreThan(now))
                .when(FULL_AT.isAtMost(limit.latest(now))));
    }

    private Update update(String keyId) {
        return Update.upsert(ItemKind.CALLER_LIMIT.key(keyId))
                .set(Attributes.EXPIRES, seconds(database.now().plus(RETENTION)));
    }

    /** Returns empty if the condition held, else the stored number. */
    private OptionalLong write(Update update) {
        UpdateResult result = database.registry().updateAndGet(update);
        return result.applied() ? OptionalLong.empty() : OptionalLong.of(FULL_AT.of(result.item()));
    }
}
