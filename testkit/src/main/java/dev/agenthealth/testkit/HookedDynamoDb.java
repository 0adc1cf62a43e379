package dev.agenthealth.testkit;

import java.util.function.Consumer;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * A real client that passes each request to a hook before it sends it. The hook may inspect the request, wait, or send its own requests. As
 * thread-safe as the hook.
 */
public final class HookedDynamoDb extends ForwardingDynamoDb {

    private final Consumer<DynamoDbRequest> before;

    public HookedDynamoDb(DynamoDbClient delegate, Consumer<DynamoDbRequest> before) {
        super(delegate);
        this.before = before;
    }

    @Override
    <T extends DynamoDbRequest, R> R forward(T request, Function<T, R> operation) {
        before.accept(request);
        return operation.apply(request);
    }
}
