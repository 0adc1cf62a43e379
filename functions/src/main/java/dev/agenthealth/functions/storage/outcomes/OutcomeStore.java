package dev.agenthealth.functions.storage.outcomes;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.StorageBusyException;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.profile.Expectations;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
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
    private final Retries retries;
    private final SliceParts parts;
    private final Clock clock;

    public OutcomeStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.parts = new SliceParts(dynamoDb, tables, retries);
        this.clock = clock;
    }

    /**
     * Counts a batch where it is not counted yet. Each slice that it adds to has the agent's health computed.
     *
     * @param profile the agent's profile as it is now
     * @return whether anything was counted; {@code false} where all of it had been counted before
     * @throws StorageBusyException where the storage stays busy; the batch may then be counted in part
     */
    public boolean count(OutcomeBatch batch, AgentProfile profile) {
        return count(batch, new Expectations(profile.expectations()), profile.window());
    }

    /** Counts a batch of a subject whose measurement never restarts. */
    public boolean count(OutcomeBatch batch, Expectations expected) {
        return count(batch, expected, expected.window());
    }

    private boolean count(OutcomeBatch batch, Expectations expected, MeasurementWindow window) {
        SdkBytes hash = SdkBytes.fromByteArray(batch.hash());
        Instant arrival = batch.dependsOnArrival() ? firstArrival(batch, hash, window) : clock.instant();
        boolean counted = false;
        for (Map.Entry<Slice, OutcomeCounts> entry :
                batch.bySlice(window, arrival, expected).entrySet()) {
            Instant expiry = expiry(entry.getKey().end(), window, SLICE_MARGIN);
            counted |= parts.add(batch.agentId(), entry.getKey(), entry.getValue(), hash, expiry);
        }
        return counted;
    }

    /** When the batch first arrived. The first attempt stores it, so that a retry counts into the same slices. */
    private Instant firstArrival(OutcomeBatch batch, SdkBytes hash, MeasurementWindow window) {
        Instant now = clock.instant();
        Map<String, AttributeValue> item =
                new HashMap<>(RegistryKeys.batch(batch.agentId(), HexFormat.of().formatHex(hash.asByteArray())));
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
            retries.call("arrival of a batch", () -> dynamoDb.putItem(request));
            return moment(item, ARRIVED_AT, now);
        } catch (ConditionalCheckFailedException e) {
            return moment(e.item(), ARRIVED_AT, now);
        }
    }

    /** From when on a batch that arrived now would be taken for a new one. */
    private static Instant forgottenAt(Instant now, MeasurementWindow window) {
        return expiry(now, window, ARRIVAL_MARGIN);
    }

    private static Instant expiry(Instant from, MeasurementWindow window, Duration margin) {
        return from.plus(window.length().multipliedBy(2)).plus(margin);
    }
}
