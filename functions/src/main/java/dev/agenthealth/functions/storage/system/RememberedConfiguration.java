package dev.agenthealth.functions.storage.system;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.BiFunction;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A part of the runtime configuration for who needs it with every request: read when it is asked for the first time, and again when that is a
 * minute ago. So a change is heard within a minute, for half a read unit a minute. Thread-safe.
 */
public final class RememberedConfiguration<T> {

    private static final Duration MEMORY = Duration.ofSeconds(60);

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final Clock clock;
    private final BiFunction<Map<String, AttributeValue>, T, T> part;
    private final T seed;
    private T remembered;
    private Instant until = Instant.MIN;

    /**
     * @param part takes the part out of the item, which is empty where nobody has filled it yet; the seed is what it lacks
     */
    public RememberedConfiguration(
            DynamoDbClient dynamoDb,
            Tables tables,
            Retries retries,
            Clock clock,
            BiFunction<Map<String, AttributeValue>, T, T> part,
            T seed) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.clock = clock;
        this.part = part;
        this.seed = seed;
        this.remembered = seed;
    }

    /** What has been in force within the last minute. */
    public synchronized T current() {
        Instant now = clock.instant();
        if (!now.isBefore(until)) {
            remembered = part.apply(item(), seed);
            until = now.plus(MEMORY);
        }
        return remembered;
    }

    private Map<String, AttributeValue> item() {
        return retries.call(
                        "read of the configuration",
                        () -> dynamoDb.getItem(
                                r -> r.tableName(tables.registry()).key(RegistryKeys.configuration())))
                .item();
    }
}
