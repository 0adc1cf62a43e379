package dev.agenthealth.emulator.support;

import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/** Makes the exceptions that the SDK throws when a service refuses a request. */
public final class ServiceErrors {

    private ServiceErrors() {}

    /**
     * The exception of a refused request.
     *
     * @param builder of the class that the SDK throws for this code
     * @param service as the SDK names it, for example {@code Sqs}
     * @param status of the response
     * @param code as the SDK reports it
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
