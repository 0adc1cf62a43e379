package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.UpdateResult;
import dev.agenthealth.functions.storage.dynamo.Values;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The permits of synchronous invocations and of runs of probes. Each invocation and run holds one permit of each of its groups while it is
 * in progress. The permits of a group limit how many of them wait for agents. A conditional write takes a permit, and another gives it back.
 * A permit expires by itself if its holder crashes. Thread-safe.
 */
public final class CallPermitStore {

    /** The number of permits in one item, which stays below one write unit. */
    static final int PERMITS_PER_ITEM = 50;

    /** The maximum time for which a permit is held, which is the time of a streamed answer. */
    public static final Duration MAX_HELD = Duration.ofMinutes(16);

    private static final String PERMIT = "s";

    /** The maximum difference between the clocks of functions that take permits. */
    private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(60);

    /** The time for which the item is kept, well above the time that a permit is held. */
    private static final Duration RETENTION = Duration.ofDays(1);

    private final Database database;

    public CallPermitStore(Database database) {
        this.database = database;
    }

    /**
     * A permit that is held.
     *
     * @param until when it expires; no two holders of one permit have the same moment, because the later holder takes the permit
     *     after that moment
     */
    public record Permit(String group, int number, Instant until) {}

    /**
     * Takes a free permit of a group.
     *
     * @param callId spreads the calls over the permits
     * @param permits number of permits of the group, at least 1
     * @param longest the time after which a call can no longer be in progress, at most {@link #MAX_HELD}
     * @return empty if all permits are taken
     */
    public Optional<Permit> take(String group, String callId, int permits, Duration longest) {
        int first = Math.floorMod(callId.hashCode(), permits);
        int items = (permits + PERMITS_PER_ITEM - 1) / PERMITS_PER_ITEM;
        for (int i = 0; i < items; i++) {
            int item = (first / PERMITS_PER_ITEM + i) % items;
            int ofItem = Math.min(PERMITS_PER_ITEM, permits - item * PERMITS_PER_ITEM);
            Optional<Permit> taken = takeFrom(group, item, ofItem, first % PERMITS_PER_ITEM % ofItem, longest);
            if (taken.isPresent()) {
                return taken;
            }
        }
        return Optional.empty();
    }

    /** Takes a permit from one item. An attempt fails only if another call took the permit first. */
    private Optional<Permit> takeFrom(String group, int number, int permits, int first, Duration longest) {
        OptionalInt wanted = OptionalInt.of(first);
        for (int i = 0; i <= permits && wanted.isPresent(); i++) {
            Instant now = database.now();
            Instant until = now.plus(longest);
            String attribute = PERMIT + wanted.getAsInt();
            UpdateResult result = database.registry()
                    .updateAndGet(Update.upsert(key(group, number))
                            .set(attribute, moment(until))
                            .set(Attributes.EXPIRES, seconds(now.plus(RETENTION)))
                            .when(Condition.absent(attribute)
                                    .or(Condition.atMost(attribute, moment(now)))
                                    .or(Condition.moreThan(attribute, moment(impossible(now))))));
            // An earlier attempt of this write may have taken the permit, and its response was lost.
            if (result.applied()
                    || result.retried() && moment(until).equals(result.item().get(attribute))) {
                return Optional.of(new Permit(group, number * PERMITS_PER_ITEM + wanted.getAsInt(), until));
            }
            wanted = free(result.item(), permits, first, now);
        }
        return Optional.empty();
    }

    /** Returns a free permit. A permit that is held for longer than any call can last was taken by a wrong clock, and counts as free. */
    private static OptionalInt free(Map<String, AttributeValue> item, int permits, int first, Instant now) {
        return IntStream.range(0, permits)
                .map(i -> (first + i) % permits)
                .filter(permit -> {
                    Instant held = Values.moment(item, PERMIT + permit, Instant.MIN);
                    return !held.isAfter(now) || held.isAfter(impossible(now));
                })
                .findFirst();
    }

    private static Instant impossible(Instant now) {
        return now.plus(MAX_HELD).plus(CLOCKS_DIFFER);
    }

    /** Gives a permit back. If the permit has expired and another call holds it, nothing changes. */
    public void giveBack(Permit permit) {
        String attribute = PERMIT + permit.number() % PERMITS_PER_ITEM;
        database.registry()
                .update(Update.of(key(permit.group(), permit.number() / PERMITS_PER_ITEM))
                        .remove(attribute)
                        .when(Condition.equal(attribute, moment(permit.until()))));
    }

    private static Map<String, AttributeValue> key(String group, int number) {
        return ItemKind.CALL_PERMITS.key(group, String.valueOf(number));
    }
}
