package dev.agenthealth.dynamodb.value;

import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** Creates the exceptions that the SDK's own client throws. */
public final class DynamoDbErrors {

    private static final int BAD_REQUEST = 400;

    private DynamoDbErrors() {}

    /** Returns the exception for a request that DynamoDB refuses as invalid. */
    public static DynamoDbException invalid(String message) {
        return (DynamoDbException)
                as("ValidationException", message, DynamoDbException.builder()).build();
    }

    /** Returns the exception for a request that DynamoDB accepts and this engine does not implement. */
    public static UnsupportedOperationException unsupported(String what) {
        return new UnsupportedOperationException("the embedded DynamoDB does not support " + what);
    }

    /** Adds the details of every service error to the builder and returns it. */
    public static <B extends AwsServiceException.Builder> B as(String code, String message, B builder) {
        builder.message(message)
                .statusCode(BAD_REQUEST)
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode(code)
                        .errorMessage(message)
                        .serviceName("DynamoDb")
                        .build());
        return builder;
    }
}
