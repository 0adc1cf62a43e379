package dev.agenthealth.functions.storage.dynamo;

import dev.agenthealth.functions.observation.StorageMeter;
import dev.agenthealth.functions.wiring.Pause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.LimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/**
 * Repeats what failed for a passing reason, which the client itself never does: a plain write that meets a transaction
 * ({@code TransactionConflictException}), a transaction that meets another, throttling, a lost connection, a time-out whose outcome is unknown.
 *
 * <p>Everything repeated here is safe to repeat: conditional, or under one client request token. Waits grow with full jitter;
 * after {@link #PATIENCE} the caller gets a {@link StorageBusyException}, which becomes 503 with {@code Retry-After}. Where the time of the
 * whole work is over, of which the meter knows, nothing is begun any more: however often a request comes too late and looks again, it is
 * answered before its function is stopped. Thread-safe.
 */
public final class Retries {

    /** How long one operation is repeated. */
    public static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final long FIRST_WAIT_MILLIS = 20;
    private static final long MAX_WAIT_MILLIS = 400;

    /** Reasons for which a cancelled transaction may succeed as it is. */
    private static final Set<String> PASSING_REASONS =
            Set.of("TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded", "None");

    private static final Set<String> THROTTLED_REASONS = Set.of("ThrottlingError", "ProvisionedThroughputExceeded");

    private final Clock clock;
    private final Pause pause;
    private final StorageMeter meter;

    public Retries(Clock clock, Pause pause) {
        this(clock, pause, new StorageMeter());
    }

    /**
     * @param meter is told of every try that was throttled, and knows until when there may be any
     */
    public Retries(Clock clock, Pause pause, StorageMeter meter) {
        this.clock = clock;
        this.pause = pause;
        this.meter = meter;
    }

    /**
     * The result of {@code operation}, repeated while it fails for a passing reason.
     *
     * @throws StorageBusyException when patience, or the time of the work that this belongs to, is at its end
     */
    public <T> T call(String name, Supplier<T> operation) {
        Instant until = end(clock.instant(), name);
        for (long wait = FIRST_WAIT_MILLIS; ; wait = Math.min(2 * wait, MAX_WAIT_MILLIS)) {
            try {
                return operation.get();
            } catch (SdkException e) {
                if (isThrottled(e)) {
                    meter.throttled();
                }
                if (!isPassing(e)) {
                    throw e;
                }
                // Not of a generator that was made before: in a snapshot, all instances would have the same and wait
                // alike.
                Duration jittered = Duration.ofMillis(new SecureRandom().nextLong(1, wait + 1));
                if (clock.instant().plus(jittered).isAfter(until)
                        || Thread.currentThread().isInterrupted()) {
                    throw new StorageBusyException(name, e);
                }
                pause.of(jittered);
            }
        }
    }

    private Instant end(Instant now, String name) {
        Instant endOfWork = meter.until();
        if (now.isAfter(endOfWork)) {
            throw new StorageBusyException(name);
        }
        Instant endOfPatience = now.plus(PATIENCE);
        return endOfPatience.isBefore(endOfWork) ? endOfPatience : endOfWork;
    }

    private static boolean isThrottled(SdkException e) {
        if (e instanceof TransactionCanceledException cancelled) {
            return cancelled.cancellationReasons().stream().anyMatch(r -> THROTTLED_REASONS.contains(r.code()));
        }
        return e instanceof ProvisionedThroughputExceededException
                || e instanceof ThrottlingException
                || e instanceof RequestLimitExceededException
                || e instanceof DynamoDbException dynamo && dynamo.isThrottlingException();
    }

    private static boolean isPassing(SdkException e) {
        if (e instanceof TransactionCanceledException cancelled) {
            return cancelled.cancellationReasons().stream().allMatch(r -> PASSING_REASONS.contains(r.code()));
        }
        return isThrottled(e)
                || e instanceof TransactionConflictException
                || e instanceof TransactionInProgressException
                || e instanceof LimitExceededException
                || e instanceof InternalServerErrorException
                || e instanceof ApiCallTimeoutException
                || e instanceof ApiCallAttemptTimeoutException
                || e instanceof DynamoDbException dynamo
                        && (dynamo.statusCode() >= 500 || dynamo.isClockSkewException())
                || e instanceof SdkClientException client && (client.retryable() || isOfTheConnection(client));
    }

    /** A connection that did not come about or was lost, such as one that was open when a snapshot was taken. */
    private static boolean isOfTheConnection(SdkClientException e) {
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException || cause instanceof UncheckedIOException) {
                return true;
            }
        }
        return false;
    }
}
