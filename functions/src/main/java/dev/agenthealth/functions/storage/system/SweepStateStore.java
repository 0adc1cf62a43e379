package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.functions.storage.events.EventItem;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.sweep.SweepState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * What passes of the sweep tell each other: one item. Sweeps at the same time are expected; each write is conditional, so that an
 * episode begins and ends once. Thread-safe.
 */
public final class SweepStateStore {

    private static final String STARTED = "started";
    private static final String AMNESTY = "amnesty";
    private static final String BLACKOUT = "blackout";
    private static final String MASS_SILENCE = "mass_silence";
    private static final String FLEET = "fleet";
    private static final String FIGURES_CONFIRMED = "figures_at";
    private static final String MARKED = "marked";
    private static final String DEATH_MINUTE = "death_minute";
    private static final String DEATHS = "deaths";

    private static final String AFTER_A_GAP = "(attribute_not_exists(#started) OR #started < :earliest)"
            + " AND (attribute_not_exists(#amnesty) OR #amnesty < :now)";

    /** So far may another sweep's minute be ahead; an account further in the future is a mistake and not honoured for ever. */
    private static final long MAX_MINUTES_AHEAD = 2;

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final Transactions transactions;
    private final Clock clock;

    public SweepStateStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.transactions = new Transactions(dynamoDb, retries);
        this.clock = clock;
    }

    /**
     * What the passes of one process learnt up to now.
     *
     * @param fleetSize monitored agents at the last count; 0 where none was counted yet
     * @param figuresConfirmedAt when the stored figures of the fleet were last found to be right; {@link Instant#MIN} where that is not known
     */
    public record Learnt(long fleetSize, Instant figuresConfirmedAt) {

        /** Nothing yet. */
        public static final Learnt NOTHING = new Learnt(0, Instant.MIN);
    }

    /**
     * Notes that a pass starts: the only write of a pass with nothing to do, and its only read of the state.
     *
     * <p>Where no pass started for longer than {@code longestPause}, or ever, the same write forgives all silence up to now: a pass
     * that ends right after it has not lost the amnesty.
     *
     * @param learnt what this instance's passes learnt, which is written along
     * @return the state that this pass goes by
     */
    public SweepState begin(Instant now, Duration longestPause, Learnt learnt) {
        Instant earliest = now.minus(longestPause);
        Optional<SweepState> inTime = start(now, earliest, learnt, "#started >= :earliest", false);
        if (inTime.isPresent()) {
            return inTime.get();
        }
        return start(now, earliest, learnt, AFTER_A_GAP, true)
                .map(state -> state.withAmnestyFrom(now))
                // Another sweep started meanwhile, or has forgiven more already.
                .or(() -> start(now, earliest, learnt, "", false))
                .orElseThrow(() -> new IllegalStateException("an unconditional write was refused"));
    }

    /** The state as it was before, or empty where the condition does not hold. */
    private Optional<SweepState> start(
            Instant now, Instant earliest, Learnt learnt, String condition, boolean forgive) {
        Map<String, AttributeValue> values = new HashMap<>(Map.of(":now", n(now.toEpochMilli())));
        Map<String, String> names = new HashMap<>(Map.of("#started", STARTED));
        String update = "SET #started = :now";
        if (learnt.fleetSize() > 0) {
            update += ", #fleet = :fleet";
            names.put("#fleet", FLEET);
            values.put(":fleet", n(learnt.fleetSize()));
        }
        if (learnt.figuresConfirmedAt().isAfter(Instant.MIN)) {
            update += ", #figures = :figures";
            names.put("#figures", FIGURES_CONFIRMED);
            values.put(":figures", n(learnt.figuresConfirmedAt().toEpochMilli()));
        }
        if (forgive) {
            update += ", #amnesty = :now";
            names.put("#amnesty", AMNESTY);
        }
        if (!condition.isEmpty()) {
            values.put(":earliest", n(earliest.toEpochMilli()));
        }
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.sweepState())
                .updateExpression(update)
                .conditionExpression(condition.isEmpty() ? null : condition)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValues(ReturnValue.ALL_OLD)
                .build();
        try {
            return Optional.of(read(retries.call("start of a pass", () -> dynamoDb.updateItem(request))
                    .attributes()));
        } catch (ConditionalCheckFailedException e) {
            return Optional.empty();
        }
    }

    /** Notes that a pass which began long ago is still, or was until now, sweeping: what follows is no gap. */
    public void stillSweeping(Instant now) {
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.sweepState())
                .updateExpression("SET #started = :now")
                .conditionExpression("#started < :now")
                .expressionAttributeNames(Map.of("#started", STARTED))
                .expressionAttributeValues(Map.of(":now", n(now.toEpochMilli())))
                .build();
        try {
            retries.call("end of a long pass", () -> dynamoDb.updateItem(request));
        } catch (ConditionalCheckFailedException e) {
            // Another pass started since, which says the same.
        }
    }

    /**
     * Notes that every agent is marked whose status changed up to the start of a pass; does nothing where that is known of a later one.
     */
    public void markedThrough(Instant passStart) {
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.sweepState())
                .updateExpression("SET #m = :m")
                .conditionExpression("attribute_not_exists(#m) OR #m < :m")
                .expressionAttributeNames(Map.of("#m", MARKED))
                .expressionAttributeValues(Map.of(":m", n(passStart.toEpochMilli())))
                .build();
        try {
            retries.call("marks of a pass", () -> dynamoDb.updateItem(request));
        } catch (ConditionalCheckFailedException e) {
            // Another sweep is further.
        }
    }

    /** When the stored figures of the fleet were last found to be right, by the state's item. */
    static Instant figuresConfirmedAt(Map<String, AttributeValue> item) {
        return moment(item, FIGURES_CONFIRMED, Instant.MIN);
    }

    /** The state as of now. */
    public SweepState current() {
        return read(item());
    }

    /** Begins a blackout with its event; {@code false} where another sweep began it. */
    public boolean beginBlackout(Instant now, Event event) {
        return beginEpisode(BLACKOUT, now, event);
    }

    /**
     * Ends a blackout with its amnesty and its event; an amnesty that goes further stays. {@code false} where another sweep ended
     * it.
     */
    public boolean endBlackout(Instant since, Instant now, Event event) {
        return endBlackout(since, now, event, "SET #a = :now REMOVE #b", "(attribute_not_exists(#a) OR #a <= :now)")
                || endBlackout(since, now, event, "REMOVE #b", "#a > :now");
    }

    private boolean endBlackout(Instant since, Instant now, Event event, String update, String amnesty) {
        Transactions.Items items = new Transactions.Items();
        items.update(Update.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.sweepState())
                .updateExpression(update)
                .conditionExpression("#b = :since AND " + amnesty)
                .expressionAttributeNames(Map.of("#a", AMNESTY, "#b", BLACKOUT))
                .expressionAttributeValues(Map.of(":now", n(now.toEpochMilli()), ":since", n(since.toEpochMilli()))));
        items.put(tables.registry(), EventItem.of(event, clock.instant()));
        return transactions.write("end of a blackout", items.list());
    }

    /** Begins a mass silence with its event; {@code false} where another sweep began it. */
    public boolean beginMassSilence(Instant now, Event event) {
        return beginEpisode(MASS_SILENCE, now, event);
    }

    /** Ends a mass silence; does nothing where another sweep ended it. */
    public void endMassSilence(Instant since) {
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.sweepState())
                .updateExpression("REMOVE #m, #dm, #d")
                .conditionExpression("#m = :since")
                .expressionAttributeNames(Map.of("#m", MASS_SILENCE, "#dm", DEATH_MINUTE, "#d", DEATHS))
                .expressionAttributeValues(Map.of(":since", n(since.toEpochMilli())))
                .build();
        try {
            retries.call("end of a mass silence", () -> dynamoDb.updateItem(request));
        } catch (ConditionalCheckFailedException e) {
            // Another sweep ended it, or another episode has begun since.
        }
    }

    /**
     * Takes up to {@code wanted} deaths out of what this minute allows, shared by all sweeps of the minute.
     *
     * @return how many of them were left, possibly 0
     */
    public long takeDeaths(Instant now, long wanted, long allowedPerMinute) {
        long minute = Math.floorDiv(now.getEpochSecond(), 60L);
        while (true) {
            Map<String, AttributeValue> item = item();
            long seenMinute = number(item, DEATH_MINUTE, -1);
            long seenDeaths = number(item, DEATHS, 0);
            // A sweep that began earlier than another counts in that one's minute: it must not open a new account of an
            // old one.
            boolean isOpen = seenMinute >= minute && seenMinute <= minute + MAX_MINUTES_AHEAD;
            long used = isOpen ? seenDeaths : 0;
            long granted = Math.max(0, Math.min(wanted, allowedPerMinute - used));
            if (granted == 0
                    || writeDeaths(
                            item.containsKey(DEATH_MINUTE),
                            seenMinute,
                            seenDeaths,
                            isOpen ? seenMinute : minute,
                            used + granted)) {
                return granted;
            }
        }
    }

    private boolean writeDeaths(boolean seen, long seenMinute, long seenDeaths, long minute, long deaths) {
        Map<String, AttributeValue> values = new HashMap<>(Map.of(":m", n(minute), ":d", n(deaths)));
        if (seen) {
            values.put(":seenM", n(seenMinute));
            values.put(":seenD", n(seenDeaths));
        }
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.sweepState())
                .updateExpression("SET #m = :m, #d = :d")
                .conditionExpression(seen ? "#m = :seenM AND #d = :seenD" : "attribute_not_exists(#m)")
                .expressionAttributeNames(Map.of("#m", DEATH_MINUTE, "#d", DEATHS))
                .expressionAttributeValues(values)
                .build();
        try {
            retries.call("allowance of deaths", () -> dynamoDb.updateItem(request));
            return true;
        } catch (ConditionalCheckFailedException e) {
            return false;
        }
    }

    private boolean beginEpisode(String attribute, Instant now, Event event) {
        Transactions.Items items = new Transactions.Items();
        items.update(Update.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.sweepState())
                .updateExpression("SET #since = :now")
                .conditionExpression("attribute_not_exists(#since)")
                .expressionAttributeNames(Map.of("#since", attribute))
                .expressionAttributeValues(Map.of(":now", n(now.toEpochMilli()))));
        items.put(Put.builder().tableName(tables.registry()).item(EventItem.of(event, clock.instant())));
        return transactions.write("beginning of an episode", items.list());
    }

    private Map<String, AttributeValue> item() {
        return retries.call(
                        "read of the sweep's state",
                        () -> dynamoDb.getItem(r -> r.tableName(tables.registry())
                                .key(RegistryKeys.sweepState())
                                .consistentRead(true)))
                .item();
    }

    private static SweepState read(Map<String, AttributeValue> item) {
        return new SweepState(
                moment(item, AMNESTY, Instant.EPOCH),
                moment(item, BLACKOUT, Instant.MIN),
                moment(item, MASS_SILENCE, Instant.MIN),
                number(item, FLEET, 0),
                moment(item, STARTED, Instant.MIN),
                moment(item, MARKED, Instant.MIN));
    }
}
