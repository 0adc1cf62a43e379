package dev.agenthealth.functions.storage.health;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.outcomes.SliceItem;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The mark on an agent's health item: when the health is to be computed again. It stands on that item so that one write stores a health
 * and settles the mark. This class owns the attribute names.
 */
public final class MarkItem {

    /** Counts the reasons for which the health was to be computed. */
    static final String NUMBER = DueEntry.NUMBER;

    /** Sort keys of slices that changed although they may have been read for the last time, as the version before wrote them. */
    public static final String LATE = "late";

    /** A due time before every moment: due at once. */
    public static final String AT_ONCE = DueEntry.AT_ONCE;

    /** Since when it is due, where it is due at once. */
    static final String DUE_SINCE = DueEntry.SINCE;

    private MarkItem() {}

    static Mark read(String agentId, Map<String, AttributeValue> item) {
        AttributeValue late = item.get(LATE);
        Set<Slice> slices = late == null || !late.hasSs()
                ? Set.of()
                : late.ss().stream().map(SliceItem::sliceOfPrefix).collect(Collectors.toSet());
        return new Mark(agentId, number(item, NUMBER, 0), slices);
    }

    /**
     * Since when the health on this item, computed at this moment, is to be computed again; {@link Instant#MAX} where it still holds. It may
     * be yet to come.
     */
    static Instant dueSince(Map<String, AttributeValue> item, Instant computedAt) {
        String dueAt = text(item, RegistryKeys.DUE_SK);
        if (dueAt.isEmpty()) {
            return Instant.MAX;
        }
        // A mark may outlive a computation that found others coming; what came before is in it.
        Instant since = dueAt.equals(AT_ONCE)
                ? moment(item, DUE_SINCE, Instant.MAX)
                : Instant.ofEpochSecond(Long.parseLong(dueAt));
        return since.isBefore(computedAt) ? computedAt : since;
    }

    /** The partition of the index in which the marks of a shard stand. */
    public static String partition(int shard) {
        return DueEntry.partition(shard);
    }

    /** The partition that the marks of an agent are put into. */
    public static String partition(String agentId, Tables tables) {
        return DueEntry.partition(agentId, tables.duePartitions());
    }

    /** A due time as the index sorts it. */
    public static String dueAt(Instant moment) {
        return DueEntry.dueAt(moment);
    }
}
