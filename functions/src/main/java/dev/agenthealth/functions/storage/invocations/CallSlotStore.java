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
 * The slots of synchronous invocations: each call holds one while it is under way, so that no more calls wait for agents than there are
 * slots. A slot is taken and given back by one conditional write each, and expires by itself where its holder crashes. Thread-safe.
 */
public final class CallSlotStore {

    /** Slots in one item, which stays below one write unit. */
    static final int SLOTS_PER_ITEM = 50;

    private static final String SLOT = "s";

    /** By so much at most the clocks of those who take slots together may differ. */
    private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(60);

    /** Well above the time that a slot is held. */
    private static final Duration RETENTION = Duration.ofDays(1);

    private final Database database;

    public CallSlotStore(Database database) {
        this.database = database;
    }

    /**
     * A slot that is held.
     *
     * @param until when it expires; no two holders of one slot have the same moment, since the later one takes it after that
     */
    public record Slot(int number, Instant until) {}

    /**
     * Takes a free slot.
     *
     * @param callId spreads the calls over the slots
     * @param slots number of slots, at least 1
     * @param longest the time after which a call cannot be under way any more
     * @return empty where all slots are taken
     */
    public Optional<Slot> take(String callId, int slots, Duration longest) {
        int first = Math.floorMod(callId.hashCode(), slots);
        int parts = (slots + SLOTS_PER_ITEM - 1) / SLOTS_PER_ITEM;
        for (int i = 0; i < parts; i++) {
            int part = (first / SLOTS_PER_ITEM + i) % parts;
            int ofPart = Math.min(SLOTS_PER_ITEM, slots - part * SLOTS_PER_ITEM);
            Optional<Slot> taken = takeFrom(part, ofPart, first % SLOTS_PER_ITEM % ofPart, longest);
            if (taken.isPresent()) {
                return taken;
            }
        }
        return Optional.empty();
    }

    /** Each attempt that fails was overtaken by another call that took a slot. */
    private Optional<Slot> takeFrom(int part, int slots, int first, Duration longest) {
        OptionalInt wanted = OptionalInt.of(first);
        for (int i = 0; i <= slots && wanted.isPresent(); i++) {
            Instant now = database.now();
            Instant until = now.plus(longest);
            String attribute = SLOT + wanted.getAsInt();
            UpdateResult result = database.registry()
                    .updateAndGet(Update.upsert(ItemKind.CALL_SLOTS.key(String.valueOf(part)))
                            .set(attribute, moment(until))
                            .set(Attributes.EXPIRES, seconds(now.plus(RETENTION)))
                            .when(Condition.absent(attribute)
                                    .or(Condition.atMost(attribute, moment(now)))
                                    .or(Condition.moreThan(attribute, moment(until.plus(CLOCKS_DIFFER))))));
            // An earlier attempt of this write may have taken it, whose response was lost.
            if (result.applied()
                    || result.retried() && moment(until).equals(result.item().get(attribute))) {
                return Optional.of(new Slot(part * SLOTS_PER_ITEM + wanted.getAsInt(), until));
            }
            wanted = free(result.item(), slots, first, now, until);
        }
        return Optional.empty();
    }

    /** A free slot. One that is held for longer than any call can last was taken by a clock that was wrong. */
    private static OptionalInt free(
            Map<String, AttributeValue> item, int slots, int first, Instant now, Instant until) {
        return IntStream.range(0, slots)
                .map(i -> (first + i) % slots)
                .filter(slot -> {
                    Instant held = Values.moment(item, SLOT + slot, Instant.MIN);
                    return !held.isAfter(now) || held.isAfter(until.plus(CLOCKS_DIFFER));
                })
                .findFirst();
    }

    /** Gives a slot back. Where it has expired and another call holds it, nothing changes. */
    public void giveBack(Slot slot) {
        String attribute = SLOT + slot.number() % SLOTS_PER_ITEM;
        database.registry()
                .update(Update.of(ItemKind.CALL_SLOTS.key(String.valueOf(slot.number() / SLOTS_PER_ITEM)))
                        .remove(attribute)
                        .when(Condition.equal(attribute, moment(slot.until()))));
    }
}
