package dev.agenthealth.testkit;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Changes each transaction, for tests of the checks that must find such mistakes. */
final class ChangedTransactions implements RequestInterceptor {

    private final UnaryOperator<TransactWriteItemsRequest> mistake;

    private ChangedTransactions(UnaryOperator<TransactWriteItemsRequest> mistake) {
        this.mistake = mistake;
    }

    /** Changes or removes the writes of transactions. */
    static ChangedTransactions with(Function<TransactWriteItem, Optional<TransactWriteItem>> changed) {
        return new ChangedTransactions(request -> {
            List<TransactWriteItem> writes = request.transactItems().stream()
                    .flatMap(write -> changed.apply(write).stream())
                    .toList();
            return request.toBuilder().transactItems(writes).build();
        });
    }

    /** Sends transactions without their tokens. */
    static ChangedTransactions withoutTokens() {
        return new ChangedTransactions(
                request -> request.toBuilder().clientRequestToken(null).build());
    }

    @Override
    public <T extends DynamoDbRequest, R> R intercept(T request, Function<T, R> operation) {
        if (request instanceof TransactWriteItemsRequest transaction) {
            @SuppressWarnings("unchecked")
            T changed = (T) mistake.apply(transaction);
            return operation.apply(changed);
        }
        return operation.apply(request);
    }
}
