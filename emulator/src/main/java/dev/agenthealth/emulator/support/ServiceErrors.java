package dev.agenthealth.emulator.support;

import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/** Creates the exceptions that the SDK throws if a service refuses a request. */
public final class ServiceErrors {

    private ServiceErrors() {}

    /**
     * Returns the exception of a refused request.
     *
     * @param builder builds the class that the SDK throws for this code
     * @param service the SDK's name of the service, for example {@code Sqs}
     * @param status the status of the response
     * @param code the SDK's code of the error
     */
    public static AwsServiceException of(
            AwsServiceException.Builder builder, String service, int status, String code, String message) {
        return builder.statusCode(status)
                .message(message)
                .awsErrorDetails(AwsErrorDetails.builder()
                        .serviceName(service)
                        .errorCode(code)
                        .errorMessage(message)
                        .build())
                .build();
    }
}
