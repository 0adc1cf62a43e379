package dev.agenthealth.testkit;

import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** A switch of {@link TestDynamoDb}: it sees each request before the database does, and each response after it. */
interface RequestInterceptor {

    /**
     * Handles one request.
     *
     * @param next sends a request on to the next switch, and finally to the database
     */
    <T extends DynamoDbRequest, R> R intercept(T request, Function<T, R> next);
}
