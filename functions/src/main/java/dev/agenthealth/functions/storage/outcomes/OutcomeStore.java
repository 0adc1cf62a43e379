package dev.agenthealth.functions.storage.outcomes;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch.Placement;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.profile.Expectations;
import dev.agenthealth.model.window.FormerWidth;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import dev.agenthealth.model.window.WidthHistory;
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
    private static final String WIDTH = "w";

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
     * @param profile what the agent declares now
     * @return whether anything was counted; {@code false} where all of it had been counted before
     * @throws StorageBusyException where the storage is busy for longer than the patience there is; the batch may then be counted in part
     */
    public boolean count(OutcomeBatch batch, AgentProfile profile) {
        return count(batch, new Expectations(profile.expectations()), profile.widths());
    }

    /** Counts a batch of somebody whose window was never changed. */
    public boolean count(OutcomeBatch batch, Expectations expected) {
        return count(batch, expected, WidthHistory.of(expected.window()));
    }

    private boolean count(OutcomeBatch batch, Expectations expected, WidthHistory widths) {
        SdkBytes hash = SdkBytes.fromByteArray(batch.hash());
        Placement placement = placement(batch, hash, expected.window(), widths);
        boolean counted = false;
        for (Map.Entry<Slice, OutcomeCounts> entry :
                batch.bySlice(placement, expected).entrySet()) {
            Instant expiry = expiry(entry.getKey().end(), expected.window(), SLICE_MARGIN);
            counted |= parts.add(batch.agentId(), entry.getKey(), entry.getValue(), hash, expiry);
        }
        return counted;
    }

    /**
     * Into which slices the batch goes. It is written down by the first try where a later one could not tell: where outcomes name no moment, and
     * where slices of another width are there.
     */
    private Placement placement(OutcomeBatch batch, SdkBytes hash, MeasurementWindow window, WidthHistory widths) {
        Instant now = clock.instant();
        if (widths.isSteady(now) && !batch.dependsOnArrival()) {
            return new Placement(now, widths.inForce(now));
        }
        Placement wanted = new Placement(now, width(batch, hash, now, widths));
        Map<String, AttributeValue> first = note(batch, hash, wanted, window);
        Instant arrival = moment(first, ARRIVED_AT, now);
        long width = number(first, WIDTH, 0);
        // The version before wrote no width down.
        return new Placement(arrival, width > 0 ? (int) width : width(batch, hash, arrival, widths));
    }

    /**
     * The width of the slices that hold the batch already, wholly or in part, and otherwise the one in force. Whoever counts without knowing of
     * a change has ended by the time at which the change comes into force.
     */
    private int width(OutcomeBatch batch, SdkBytes hash, Instant arrival, WidthHistory widths) {
        Instant now = clock.instant();
        return widths.others(now).stream()
                .filter(former -> batch.slices(new Placement(arrival, former.width())).stream()
                        .anyMatch(slice -> former.mayHold(slice, now) && parts.hold(batch.agentId(), slice, hash)))
                .findFirst()
                .map(FormerWidth::width)
                .orElseGet(() -> widths.inForce(now));
    }

    /** Writes down where a batch goes, unless another try did; what is written down. */
    private Map<String, AttributeValue> note(
            OutcomeBatch batch, SdkBytes hash, Placement placement, MeasurementWindow window) {
        Instant now = placement.arrival();
        Map<String, AttributeValue> item =
                new HashMap<>(RegistryKeys.batch(batch.agentId(), HexFormat.of().formatHex(hash.asByteArray())));
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put(ARRIVED_AT, n(now.toEpochMilli()));
        item.put(WIDTH, n(placement.width()));
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
            return item;
        } catch (ConditionalCheckFailedException e) {
            return e.item();
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
