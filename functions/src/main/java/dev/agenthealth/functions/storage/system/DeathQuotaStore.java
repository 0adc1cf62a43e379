package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.sweep.FairShareRule;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores how many deaths the sweeps of one minute have taken from the allowed number, in the item of the sweep's state. Thread-safe. */
public final class DeathQuotaStore {

    static final Attribute<Long> DEATH_MINUTE = new Attribute<>("death_minute", NUMBER.or(-1L));
    static final Attribute<Long> DEATHS = new Attribute<>("deaths", NUMBER);
    private static final Attribute<Long> DEATH_CURSOR = new Attribute<>("death_cursor", NUMBER);

    /** The number of minutes by which the minute of another sweep may be ahead. A minute further in the future is a mistake and is replaced. */
    private static final long MAX_MINUTES_AHEAD = 2;

    private final Table registry;

    public DeathQuotaStore(Database database) {
        this.registry = database.registry();
    }

    /**
     * Takes up to {@code wanted} deaths from the allowed number of this minute, which all sweeps of the minute share. {@link FairShareRule}
     * shares the remaining number among the owners.
     *
     * @param wanted deaths by owner
     * @return the number of deaths that each owner gets, possibly 0
     */
    public Map<Long, Long> take(Instant now, Map<Long, Long> wanted, long allowedPerMinute) {
        long all = wanted.values().stream().mapToLong(Long::longValue).sum();
        long minute = Math.floorDiv(now.getEpochSecond(), 60L);
        return OptimisticUpdates.untilPresent(() -> {
            Map<String, AttributeValue> item = registry.get(ItemKind.SWEEP_STATE.key());
            long seenMinute = DEATH_MINUTE.of(item);
            long seenDeaths = DEATHS.of(item);
            // A sweep that began before another sweep counts in the other's minute, not in an older minute.
            boolean isOpen = seenMinute >= minute && seenMinute <= minute + MAX_MINUTES_AHEAD;
            long used = isOpen ? seenDeaths : 0;
            long granted = Math.max(0, Math.min(all, allowedPerMinute - used));
            FairShareRule.Shares shares = FairShareRule.share(granted, wanted, DEATH_CURSOR.of(item));
            Update update = Update.upsert(ItemKind.SWEEP_STATE.key())
                    .set(DEATH_MINUTE, isOpen ? seenMinute : minute)
                    .set(DEATHS, used + granted)
                    .set(DEATH_CURSOR, shares.cursor())
                    .when(
                            DEATH_MINUTE.isIn(item)
                                    ? DEATH_MINUTE.is(seenMinute).and(DEATHS.is(seenDeaths))
                                    : DEATH_MINUTE.isAbsent());
            return granted == 0 || registry.update(update) ? Optional.of(shares.byOwner()) : Optional.empty();
        });
    }
}
