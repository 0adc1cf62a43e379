package dev.agenthealth.functions.storage.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/** Which requests are retried, and for how long. */
@Tag("R16-10")
class RequestRetriesTest {

    private final MutableClock clock = MutableClock.atExampleTime();
    private final List<Duration> pauses = new ArrayList<>();
    private final RequestRetries retries = new RequestRetries(
            clock,
            pause -> {
                pauses.add(pause);
                clock.advance(pause);
            },
            new StorageMeter());

    static Stream<SdkException> passing() {
        return Stream.of(
                TransactionConflictException.builder().build(),
                TransactionInProgressException.builder().build(),
                ProvisionedThroughputExceededException.builder().build(),
                ThrottlingException.builder().build(),
                RequestLimitExceededException.builder().build(),
                InternalServerErrorException.builder().build(),
                ApiCallTimeoutException.create(1),
                ApiCallAttemptTimeoutException.create(1),
                RetryableException.builder().message("connection reset").build(),
                SdkClientException.create("connection lost", new IOException("unexpected end of file")),
                SdkClientException.create("not reached", new RuntimeException(new ConnectException("refused"))),
                dynamoDb(400, "RequestTimeTooSkewed"),
                dynamoDb(500, "InternalServerError"),
                dynamoDb(503, "ServiceUnavailable"),
                dynamoDb(400, "ThrottlingException"),
                cancelled("TransactionConflict", "None"),
                cancelled("None", "ThrottlingError"),
                cancelled("ProvisionedThroughputExceeded"));
    }

    static Stream<SdkException> lasting() {
        return Stream.of(
                ConditionalCheckFailedException.builder().build(),
                ResourceNotFoundException.builder().build(),
                SdkClientException.create("no credentials"),
                dynamoDb(400, "ValidationException"),
                dynamoDb(400, "AccessDeniedException"),
                cancelled("ConditionalCheckFailed", "None"),
                cancelled("ConditionalCheckFailed", "TransactionConflict"),
                cancelled("ValidationError", "None"));
    }

    @Test
    void a_full_disk_of_a_local_run_is_not_waited_for() {
        assertThatThrownBy(() -> retries.call("test", () -> {
                    throw dynamoDb(507, "InternalServerError");
                }))
                .isInstanceOf(StorageBusyException.class);
        assertThat(pauses).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("passing")
    void transient_failures_are_retried(SdkException failure) {
        AtomicInteger calls = new AtomicInteger();
        String result = retries.call("test", () -> {
            if (calls.incrementAndGet() <= 3) {
                throw failure;
            }
            return "done";
        });
        assertThat(result).isEqualTo("done");
        assertThat(calls).hasValue(4);
        assertThat(pauses).hasSize(3);
    }

    @Test
    void no_attempt_starts_after_the_deadline_of_the_work() {
        StorageMeter meter = new StorageMeter();
        RequestRetries limited = new RequestRetries(clock, clock::advance, meter);
        Instant end = clock.instant().plusMillis(500);
        AtomicInteger calls = new AtomicInteger();
        Supplier<String> busy = () -> limited.call("test", () -> {
            calls.incrementAndGet();
            throw TransactionConflictException.builder().build();
        });
        assertThatThrownBy(() -> meter.during(new StorageMeter.Tally(end), busy))
                .isInstanceOf(StorageBusyException.class)
                .hasCauseInstanceOf(TransactionConflictException.class);
        assertThat(clock.instant()).isBetween(end.minusMillis(400), end);
        int tries = calls.get();
        assertThat(tries).isGreaterThan(1);
        clock.advance(Duration.between(clock.instant(), end).plusMillis(1));
        assertThatThrownBy(() -> meter.during(new StorageMeter.Tally(end), busy))
                .isInstanceOf(StorageBusyException.class);
        assertThat(calls).as("not started").hasValue(tries);
        assertThat(meter.during(new StorageMeter.Tally(end.plusMillis(1)), () -> limited.call("test", () -> "done")))
                .isEqualTo("done");
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void permanent_failures_are_not_retried(SdkException failure) {
        AtomicInteger calls = new AtomicInteger();
        assertThatThrownBy(() -> retries.call("test", () -> {
                    calls.incrementAndGet();
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(calls).hasValue(1);
        assertThat(pauses).isEmpty();
    }

    @Test
    void retries_end_after_two_seconds_with_the_cause() {
        Instant start = clock.instant();
        SdkException failure = TransactionConflictException.builder().build();
        assertThatThrownBy(() -> retries.call("test", () -> {
                    throw failure;
                }))
                .isInstanceOf(StorageBusyException.class)
                .hasCause(failure)
                .hasMessageContaining("test");
        assertThat(Duration.between(start, clock.instant())).isBetween(Duration.ofMillis(1_600), Duration.ofSeconds(2));
    }

    @Test
    void slow_attempts_count_for_the_time_limit() {
        AtomicInteger calls = new AtomicInteger();
        assertThatThrownBy(() -> retries.call("test", () -> {
                    calls.incrementAndGet();
                    clock.advance(Duration.ofMillis(2_500));
                    throw ApiCallTimeoutException.create(2_500);
                }))
                .isInstanceOf(StorageBusyException.class);
        assertThat(calls).hasValue(1);
    }

    @Test
    void pauses_grow_up_to_a_limit_and_are_never_zero() {
        for (int i = 0; i < 50; i++) {
            pauses.clear();
            AtomicInteger calls = new AtomicInteger();
            retries.call("test", () -> {
                if (calls.incrementAndGet() <= 5) {
                    throw TransactionConflictException.builder().build();
                }
                return "done";
            });
            int most = 20;
            for (Duration pause : pauses) {
                assertThat(pause).isBetween(Duration.ofMillis(1), Duration.ofMillis(most));
                most = Math.min(2 * most, 400);
            }
        }
    }

    @Test
    void an_interrupt_ends_the_retries() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> retries.call("test", () -> {
                        throw TransactionConflictException.builder().build();
                    }))
                    .isInstanceOf(StorageBusyException.class);
            assertThat(pauses).isEmpty();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static SdkException dynamoDb(int status, String code) {
        return DynamoDbException.builder()
                .statusCode(status)
                .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
                .build();
    }

    private static SdkException cancelled(String... reasons) {
        return TransactionCanceledException.builder()
                .cancellationReasons(Arrays.stream(reasons)
                        .map(code -> CancellationReason.builder().code(code).build())
                        .toList())
                .build();
    }
}
