package dev.agenthealth.functions.storage;

import static dev.agenthealth.functions.storage.Values.moment;
import static dev.agenthealth.functions.storage.Values.n;

import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.profile.Expectations;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * Counts outcomes (Agent Health State §4.4; Agent Health Model, Evaluation Window): each batch once in every slice that it touches, however
 * often and from however many places at once it is sent. A batch that was left half counted is finished when it is sent again. Thread-safe.
 */
public final class OutcomeStore {

    /** So long after its last use in a window a slice stays. */
    private static final Duration SLICE_MARGIN = Duration.ofHours(1);

    /** So long after the slices of its batch an arrival stays: the same batch is never taken for a new one while its slice counts. */
    private static final Duration ARRIVAL_MARGIN = Duration.ofDays(1);

    private static final String ARRIVED_AT = "at";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retrying retrying;
    private final SliceParts parts;
    private final Clock clock;

    OutcomeStore(DynamoDbClient dynamoDb, Tables tables, Retrying retrying, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retrying = retrying;
        this.parts = new SliceParts(dynamoDb, tables, retrying);
        this.clock = clock;
    }

    /**
     * Counts a batch where it is not counted yet. Each slice that it adds to has the agent's health computed.
     *
     * @param expected what the agent declares now
     * @return whether anything was counted; {@code false} where all of it had been counted before
     * @throws StorageBusyException where the storage is busy for longer than the patience there is; the batch may then be counted in part
     */
    public boolean count(OutcomeBatch batch, Expectations expected) {
        MeasurementWindow window = expected.window();
        byte[] hash = batch.hash();
        Instant arrival = batch.dependsOnArrival() ? arrival(batch.agentId(), hash, window) : clock.instant();
        SortedMap<Slice, OutcomeCounts> slices = batch.bySlice(arrival, expected);
        boolean counted = false;
        for (Map.Entry<Slice, OutcomeCounts> entry : slices.entrySet()) {
            Instant expiry = expiry(entry.getKey().end(), window, SLICE_MARGIN);
            counted |=
                    parts.add(batch.agentId(), entry.getKey(), entry.getValue(), SdkBytes.fromByteArray(hash), expiry);
        }
        return counted;
    }

    /** When a batch first arrived, so that its outcomes belong into the same slice whenever it is sent again. */
    private Instant arrival(String agentId, byte[] hash, MeasurementWindow window) {
        Instant now = clock.instant();
        Map<String, AttributeValue> item =
                new HashMap<>(RegistryKeys.batch(agentId, HexFormat.of().formatHex(hash)));
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put(ARRIVED_AT, n(now.toEpochMilli()));
        item.put(RegistryKeys.EXPIRES, n(forgottenAt(now, window).getEpochSecond()));
        PutItemRequest request = PutItemRequest.builder()
                .tableName(tables.registry())
                .item(item)
                .conditionExpression("attribute_not_exists(#pk) OR #ttl <= :now")
                .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK, "#ttl", RegistryKeys.EXPIRES))
                .expressionAttributeValues(Map.of(":now", n(now.getEpochSecond())))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
        try {
            retrying.call("arrival of a batch", () -> dynamoDb.putItem(request));
            return now;
        } catch (ConditionalCheckFailedException e) {
            return moment(e.item(), ARRIVED_AT, now);
        }
    }

    /** From when on a batch that arrived now would be taken for a new one. */
    static Instant forgottenAt(Instant now, MeasurementWindow window) {
        return expiry(now, window, ARRIVAL_MARGIN);
    }

    private static Instant expiry(Instant from, MeasurementWindow window, Duration margin) {
        return from.plus(window.length().multipliedBy(2)).plus(margin);
    }
}
