package dev.agenthealth.functions.storage.outcomes;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.StorageBusyException;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.profile.Expectations;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Counts outcomes (Agent Health State §4.4; Agent Health Model, Evaluation Window): each batch once in every slice that it touches, with any
 * number of retries and concurrent requests. A retry completes a batch that was counted in part. Thread-safe.
 */
public final class OutcomeStore {

    /** How long a slice is kept after its last use in a window. */
    private static final Duration SLICE_MARGIN = Duration.ofHours(1);

    /** How long an arrival is kept after two windows: the batch is never taken for a new one while its slice counts. */
    private static final Duration ARRIVAL_MARGIN = Duration.ofDays(1);

    private static final String ARRIVED_AT = "at";

    private final Database database;
    private final SliceStore slices;

    public OutcomeStore(Database database) {
        this.database = database;
        this.slices = new SliceStore(database);
    }

    /**
     * Counts a batch unless it is counted already, and makes the agent's health due.
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
        Instant arrival = batch.dependsOnArrival() ? firstArrival(batch, window) : database.now();
        boolean counted = false;
        for (Map.Entry<Slice, OutcomeCounts> entry :
                batch.bySlice(window, arrival, expected).entrySet()) {
            Instant expiry = expiry(entry.getKey().end(), window, SLICE_MARGIN);
            counted |= slices.add(batch.agentId(), entry.getKey(), entry.getValue(), hash, expiry);
        }
        return counted;
    }

    /** When the batch first arrived. The first attempt stores it, so that a retry counts into the same slices. */
    private Instant firstArrival(OutcomeBatch batch, MeasurementWindow window) {
        Instant now = database.now();
        String hash = HexFormat.of().formatHex(batch.hash());
        Map<String, AttributeValue> item =
                Attributes.item(ItemKind.BATCH_ARRIVAL.key(batch.agentId(), hash), expiry(now, window, ARRIVAL_MARGIN));
        item.put(ARRIVED_AT, moment(now));
        return database.registry()
                .putUnlessPresent(item, Condition.absentOrExpired(now))
                .map(first -> moment(first, ARRIVED_AT, now))
                .orElse(now);
    }

    private static Instant expiry(Instant from, MeasurementWindow window, Duration margin) {
        return from.plus(window.length().multipliedBy(2)).plus(margin);
    }
}
