package dev.agenthealth.dynamodb.contract;

import java.time.Duration;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** An implementation of DynamoDB that the contract is tested on. */
interface Backend extends AutoCloseable {

    /** The name under which {@link KnownDifference} lists it. */
    String name();

    DynamoDbClient client();

    DynamoDbStreamsClient streams();

    /** Waits until a new table accepts requests. */
    default void awaitTable(String table) {}

    /** Removes expired items now; returns false where the implementation removes them in its own time. */
    default boolean expire() {
        return false;
    }

    /** Moves the implementation's clock forward; returns false where it has no clock of its own. */
    default boolean advance(Duration time) {
        return false;
    }

    /** The name of a new table. */
    default String unusedName(String prefix) {
        return prefix + "-" + UUID.randomUUID();
    }

    @Override
    void close();
}
