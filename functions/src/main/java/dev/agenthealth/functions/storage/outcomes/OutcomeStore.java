package dev.agenthealth.functions.storage.outcomes;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.registry.version.HourSums;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Counts outcomes (Agent Health State §4.4; Agent Health Model, Evaluation Window). A batch counts once in every slice that it touches,
 * with any number of retries and concurrent requests. A retry completes a partly counted batch. Thread-safe.
 */
public final class OutcomeStore {

    /** The time for which a slice is kept after its last use in a window. */
    private static final Duration SLICE_MARGIN = Duration.ofHours(1);

    /** The time for which an arrival is kept after two windows. While the slice of a batch counts, the batch is never mistaken for a new batch. */
    private static final Duration ARRIVAL_MARGIN = Duration.ofDays(1);

    private static final Attribute<Instant> ARRIVED_AT = new Attribute<>("at", MOMENT);
    private static final Attribute<String> CONTENT = new Attribute<>("c", TEXT);

    private final Database database;
    private final SliceStore slices;

    public OutcomeStore(Database database) {
        this.database = database;
        this.slices = new SliceStore(database);
    }

    /**
     * Counts a batch unless it is already counted, and makes the agent's health due. A batch that reuses an id for other content is not
     * counted.
     *
     * @param profile the current profile of the agent
     * @return whether an outcome was counted; {@code false} if all of them had been counted before
     * @throws StorageBusyException if the storage stays busy; a part of the batch may be counted nevertheless
     */
    public boolean count(OutcomeBatch batch, AgentProfile profile) {
        return find(batch, profile).map(Counting::count).orElse(false);
    }

    /** Counts a batch of a subject without restarts of its measurement. */
    public boolean count(OutcomeBatch batch, Expectations expected) {
        return find(batch, expected, expected.window(), "").map(Counting::count).orElse(false);
    }

    /**
     * Reads the stored state of a batch, so that the batch can be counted.
     *
     * @param profile the current profile of the agent
     * @return empty if the id was used for other content, in a slice of its outcomes or in a batch without times
     */
    public Optional<Counting> find(OutcomeBatch batch, AgentProfile profile) {
        return find(batch, profile.basis().expectations(), profile.basis().window(), profile.comparedVersion());
    }

    private Optional<Counting> find(
            OutcomeBatch batch, Expectations expected, MeasurementWindow window, String version) {
        Instant now = database.now();
        Optional<Counting> found = find(batch, now, expected, window, version);
        if (!batch.dependsOnArrival()) {
            return found;
        }
        // The slices are read before the arrival is stored: if a slice refuses the batch, no arrival is stored.
        Map<String, AttributeValue> first = found.isPresent() ? putArrival(batch, now, window) : arrival(batch, now);
        if (first.isEmpty()) {
            return found;
        }
        if (batch.hash().matching(CONTENT.of(first)) == BatchMatch.OTHER_CONTENT) {
            return Optional.empty();
        }
        Instant arrivedAt = ARRIVED_AT.of(first);
        return found.isPresent() && window.sliceAt(arrivedAt).equals(window.sliceAt(now))
                ? found
                : find(batch, arrivedAt, expected, window, version);
    }

    private Optional<Counting> find(
            OutcomeBatch batch, Instant arrival, Expectations expected, MeasurementWindow window, String version) {
        SortedMap<Slice, OutcomeCounts> counts = batch.bySlice(window, arrival, expected);
        Map<Slice, Map<Long, HourSums>> usage = batch.usageBySlice(window, arrival, expected.limits(), version);
        Map<Slice, SliceStore.Place> places = new HashMap<>();
        for (Slice slice : counts.keySet()) {
            SliceStore.Place place = slices.find(batch.agentId(), slice, batch.hash(), expected);
            if (place.match() == BatchMatch.OTHER_CONTENT) {
                return Optional.empty();
            }
            places.put(slice, place);
        }
        return Optional.of(() -> counts.entrySet().stream()
                .map(entry -> slices.add(
                        batch.agentId(),
                        entry.getKey(),
                        new SliceStore.Added(
                                entry.getValue(),
                                expected.revision(),
                                expiry(entry.getKey(), window),
                                usage.getOrDefault(entry.getKey(), Map.of()),
                                expected.limits()),
                        batch.hash(),
                        places.get(entry.getKey())))
                .reduce(false, Boolean::logicalOr));
    }

    /** A batch that can be counted. */
    @FunctionalInterface
    public interface Counting {

        /** Counts the batch if it is not counted yet. Returns the same result as {@link OutcomeStore#count(OutcomeBatch, AgentProfile)}. */
        boolean count();
    }

    /**
     * Returns the moments whose slices already hold the batch. An hour after a slice left both windows, it is no longer found.
     *
     * @param profile the current profile of the agent
     */
    public Set<Instant> counted(OutcomeBatch batch, Collection<Instant> moments, AgentProfile profile) {
        MeasurementWindow window = profile.basis().window();
        Expectations expected = profile.basis().expectations();
        Map<Slice, List<Instant>> bySlice = moments.stream().collect(Collectors.groupingBy(window::sliceAt));
        return bySlice.entrySet().stream()
                .filter(entry -> expiry(entry.getKey(), window).isAfter(database.now()))
                .filter(entry -> slices.find(batch.agentId(), entry.getKey(), batch.hash(), expected)
                                .match()
                        == BatchMatch.COUNTED)
                .flatMap(entry -> entry.getValue().stream())
                .collect(Collectors.toSet());
    }

    /**
     * Stores when the batch arrived, so that a retry counts into the same slices.
     *
     * @return the previously stored arrival; empty if there was none
     */
    private Map<String, AttributeValue> putArrival(OutcomeBatch batch, Instant now, MeasurementWindow window) {
        Map<String, AttributeValue> item = Attributes.item(arrivalKey(batch), expiry(now, window, ARRIVAL_MARGIN));
        ARRIVED_AT.put(item, now);
        CONTENT.put(item, batch.hash().content());
        return database.registry()
                .putUnlessPresent(item, Condition.absentOrExpired(now))
                .orElse(Map.of());
    }

    /** Returns the stored arrival of the batch's id; empty if there is none. */
    private Map<String, AttributeValue> arrival(OutcomeBatch batch, Instant now) {
        return database.registry()
                .find(arrivalKey(batch))
                .filter(item -> !Attributes.isExpired(item, now))
                .orElse(Map.of());
    }

    private static Map<String, AttributeValue> arrivalKey(OutcomeBatch batch) {
        return ItemKind.BATCH_ARRIVAL.key(batch.agentId(), batch.hash().id());
    }

    /** Returns the time after which a slice is no longer read. */
    static Instant expiry(Slice slice, MeasurementWindow window) {
        return expiry(slice.end(), window, SLICE_MARGIN);
    }

    private static Instant expiry(Instant from, MeasurementWindow window, Duration margin) {
        return from.plus(window.length().multipliedBy(2)).plus(margin);
    }
}
