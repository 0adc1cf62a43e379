package dev.agenthealth.model.sweep;

import dev.agenthealth.model.identity.Owner;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The items that each owner added lately in this process. A count of the sweep does not have them yet. An item that is added again counts once. Not
 * thread-safe.
 */
public final class RecentCounts {

    /** Seconds since 1970 at which each item was added last, in the order of the additions. */
    private final LinkedHashMap<Item, Long> seconds = new LinkedHashMap<>();

    private final Map<Long, Long> numbers = new HashMap<>();

    /** @param owner the {@linkplain OwnerCounts#numberOf number} of the owner */
    private record Item(long owner, String id) {}

    /** Counts an item of an owner. */
    public void add(Owner owner, String id, Instant now) {
        Item item = new Item(OwnerCounts.numberOf(owner), id);
        if (seconds.remove(item) == null) {
            numbers.merge(item.owner(), 1L, Long::sum);
        }
        seconds.put(item, now.getEpochSecond());
    }

    /** Removes an item of an owner. Returns {@code false} if the item was not added lately. */
    public boolean remove(Owner owner, String id) {
        Item item = new Item(OwnerCounts.numberOf(owner), id);
        if (seconds.remove(item) == null) {
            return false;
        }
        forget(item);
        return true;
    }

    /** Returns the number of all items. */
    public long all() {
        return seconds.size();
    }

    /** Returns the number of an owner's items. */
    public long of(Owner owner) {
        return numbers.getOrDefault(OwnerCounts.numberOf(owner), 0L);
    }

    /** Returns the number of an owner's items other than this item. */
    public long others(Owner owner, String id) {
        Item item = new Item(OwnerCounts.numberOf(owner), id);
        return numbers.getOrDefault(item.owner(), 0L) - (seconds.containsKey(item) ? 1 : 0);
    }

    /** Forgets the items of all seconds before the second of {@code moment}. */
    public void forgetBefore(Instant moment) {
        Iterator<Map.Entry<Item, Long>> oldest = seconds.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<Item, Long> item = oldest.next();
            if (item.getValue() >= moment.getEpochSecond()) {
                return;
            }
            oldest.remove();
            forget(item.getKey());
        }
    }

    private void forget(Item item) {
        numbers.computeIfPresent(item.owner(), (owner, number) -> number > 1 ? number - 1 : null);
    }
}
