package dev.agenthealth.dynamodb.value;

import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** The exceptions of the SDK, as its own client throws them. */
public final class DynamoDbErrors {

    private static final int BAD_REQUEST = 400;

    private DynamoDbErrors() {}

    /** A request that DynamoDB refuses as invalid. */
    public static DynamoDbException invalid(String message) {
        return (DynamoDbException)
                as("ValidationException", message, DynamoDbException.builder()).build();
    }

    /** A request that DynamoDB accepts and this engine does not implement. */
    public static UnsupportedOperationException unsupported(String what) {
        return new UnsupportedOperationException("the embedded DynamoDB does not support " + what);
    }

    /** The builder, with the details that every error of the service has. */
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
