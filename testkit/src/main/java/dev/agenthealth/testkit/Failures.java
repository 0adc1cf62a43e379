package dev.agenthealth.testkit;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/** Creates the exceptions of requests that DynamoDB could not process, and that may succeed on a retry. */
final class Failures {

    private Failures() {}

    /** Returns the exception of a single write during a transaction on the same item. */
    static SdkException conflict() {
        return TransactionConflictException.builder()
                .message("Transaction is ongoing for the item")
                .awsErrorDetails(details("TransactionConflictException"))
                .statusCode(400)
                .build();
    }

    /**
     * Returns the exception of a transaction of {@code items} writes.
     *
     * @param refused the index of the refused write
     * @param reason the reason of the refusal
     */
    static SdkException cancelled(int items, int refused, String reason) {
        IntFunction<CancellationReason> of = i -> CancellationReason.builder()
                .code(i == refused ? reason : "None")
                .build();
        List<CancellationReason> reasons =
                IntStream.range(0, items).mapToObj(of).toList();
        return TransactionCanceledException.builder()
                .message("Transaction cancelled")
                .awsErrorDetails(details("TransactionCanceledException"))
                .cancellationReasons(reasons)
                .statusCode(400)
                .build();
    }

    /** Returns the exception of a request beyond the throughput of a partition or an index. */
    static SdkException exceeded() {
        return ProvisionedThroughputExceededException.builder()
                .message("The level of configured provisioned throughput for the table was exceeded")
                .awsErrorDetails(details("ProvisionedThroughputExceededException"))
                .statusCode(400)
                .build();
    }

    /** Returns the exception of a request beyond a limit of the account or of the table. */
    static SdkException throttled() {
        return ThrottlingException.builder()
                .message("Throughput exceeds the current capacity of your table or index")
                .awsErrorDetails(details("ThrottlingException"))
                .statusCode(400)
                .build();
    }

    /** Returns the exception of a lost response; the request may have been applied. */
    static SdkException lost() {
        return ApiCallTimeoutException.create(2_500);
    }

    /** Returns the exception of an internal error; the request may have been applied. */
    static SdkException internal() {
        return InternalServerErrorException.builder()
                .message("Internal server error")
                .awsErrorDetails(details("InternalServerError"))
                .statusCode(500)
                .build();
    }

    private static AwsErrorDetails details(String code) {
        return AwsErrorDetails.builder().errorCode(code).serviceName("DynamoDb").build();
    }
}
