package dev.agenthealth.functions.storage.dynamo;

import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.runtime.wiring.Pause;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
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
 * Retries requests that failed for a temporary reason that the client itself does not retry: a conflict with a transaction, throttling, a
 * lost connection, a time-out. Every retried request is safe to repeat: it is conditional, or has one client request token.
 *
 * <p>Waits grow with full jitter. After {@link #MAX_DURATION}, or at the deadline of the work, the caller gets a
 * {@link StorageBusyException}. It becomes 503 with {@code Retry-After}, so that a function responds before it is stopped. Thread-safe.
 */
public final class RequestRetries {

    /** The time for which one request is retried. */
    public static final Duration MAX_DURATION = Duration.ofSeconds(2);

    private static final long FIRST_WAIT_MILLIS = 20;
    private static final long MAX_WAIT_MILLIS = 400;

    /** The status "Insufficient Storage". The disk of a local run is full, and no retry helps. */
    private static final int DISK_FULL = 507;

    /** The reasons for which the same cancelled transaction may succeed later. */
    private static final Set<String> PASSING_REASONS =
            Set.of("TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded", "None");

    private static final Set<String> THROTTLED_REASONS = Set.of("ThrottlingError", "ProvisionedThroughputExceeded");

    private final Clock clock;
    private final Pause pause;
    private final StorageMeter meter;

    /** @param meter counts throttled attempts and holds the deadline of the work */
    RequestRetries(Clock clock, Pause pause, StorageMeter meter) {
        this.clock = clock;
        this.pause = pause;
        this.meter = meter;
    }

    /**
     * Returns the result of {@code operation}, which is retried while it fails for a temporary reason.
     *
     * @throws StorageBusyException at the end of the retries or of the work, or at once if the disk is full
     */
    <T> T call(String name, Supplier<T> operation) {
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
                // The generator is new for each wait: instances from one snapshot would share the state of an older
                // generator.
                Duration jittered = Duration.ofMillis(new SecureRandom().nextLong(1, wait + 1));
                if (isDiskFull(e)
                        || clock.instant().plus(jittered).isAfter(until)
                        || Thread.currentThread().isInterrupted()) {
                    throw new StorageBusyException(name, e);
                }
                pause.of(jittered);
            }
        }
    }

    private Instant end(Instant now, String name) {
        Instant endOfWork = meter.deadline();
        if (now.isAfter(endOfWork)) {
            throw new StorageBusyException(name + " was not begun in time");
        }
        Instant endOfRetries = now.plus(MAX_DURATION);
        return endOfRetries.isBefore(endOfWork) ? endOfRetries : endOfWork;
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

    private static boolean isDiskFull(SdkException e) {
        return e instanceof DynamoDbException dynamo && dynamo.statusCode() == DISK_FULL;
    }

    /** Returns whether a connection failed or was lost, such as a connection that was open when a snapshot was taken. */
    private static boolean isOfTheConnection(SdkClientException e) {
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException || cause instanceof UncheckedIOException) {
                return true;
            }
        }
        return false;
    }
}
