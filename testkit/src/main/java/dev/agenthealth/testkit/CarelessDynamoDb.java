package dev.agenthealth.testkit;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** A client that makes a mistake in each transaction, for tests of the checks that must find such mistakes. */
public final class CarelessDynamoDb extends ForwardingDynamoDb {

    private final UnaryOperator<TransactWriteItemsRequest> mistake;

    private CarelessDynamoDb(DynamoDbClient delegate, UnaryOperator<TransactWriteItemsRequest> mistake) {
        super(delegate);
        this.mistake = mistake;
    }

    /** Changes or removes the writes of transactions. */
    public static CarelessDynamoDb with(
            DynamoDbClient delegate, Function<TransactWriteItem, Optional<TransactWriteItem>> changed) {
        return new CarelessDynamoDb(delegate, request -> {
            List<TransactWriteItem> writes = request.transactItems().stream()
                    .flatMap(write -> changed.apply(write).stream())
                    .toList();
            return request.toBuilder().transactItems(writes).build();
        });
    }

    /** Sends transactions without their tokens. */
    public static CarelessDynamoDb withoutTokens(DynamoDbClient delegate) {
        return new CarelessDynamoDb(
                delegate,
                request -> request.toBuilder().clientRequestToken(null).build());
    }

    @Override
    <T extends DynamoDbRequest, R> R forward(T request, Function<T, R> operation) {
        if (request instanceof TransactWriteItemsRequest transaction) {
            @SuppressWarnings("unchecked")
            T careless = (T) mistake.apply(transaction);
            return operation.apply(careless);
        }
        return operation.apply(request);
    }
}
