package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.expression.Condition;
import dev.agenthealth.dynamodb.sqlite.Rows;
import dev.agenthealth.dynamodb.table.ItemBytes;
import dev.agenthealth.dynamodb.table.ItemReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Collects a page of items, up to a limit or 1 MB. Both count items before the filter and the projection. Not thread-safe. */
final class PageReader implements Rows.Visitor {

    private final int limit;
    private final Condition filter;
    private final Set<String> projection;
    private final boolean collects;

    /** True if the filter needs attributes, which the projection may leave out. */
    private final boolean filtered;

    private final ItemReader reader;
    private final List<Map<String, AttributeValue>> items = new ArrayList<>();
    private int count;
    private int scanned;
    private long bytes;
    private byte[] last = new byte[0];
    private boolean full;

    /**
     * @param limit the maximum number of items to read
     * @param projection the attributes to keep; empty for all
     * @param collects false to only count the items
     */
    PageReader(int limit, Condition filter, Set<String> projection, boolean collects) {
        this.limit = limit;
        this.filter = filter;
        this.projection = projection;
        this.collects = collects;
        this.filtered = !projection.isEmpty() && !filter.attributes().isEmpty();
        this.reader = collects && projection.isEmpty() ? ItemReader.ofAll() : ItemReader.of(needed());
    }

    private Set<String> needed() {
        Set<String> needed = new HashSet<>(projection);
        needed.addAll(filter.attributes());
        return needed;
    }

    @Override
    public boolean visit(byte[] stored) {
        int size = ItemBytes.size(stored);
        scanned++;
        bytes += size;
        last = stored;
        Map<String, AttributeValue> item = reader.read(stored);
        if (filter.holds(item)) {
            count++;
            if (collects) {
                items.add(filtered ? projected(item) : item);
            }
        }
        full = scanned >= limit || bytes >= Limits.MAX_PAGE;
        return !full;
    }

    private Map<String, AttributeValue> projected(Map<String, AttributeValue> item) {
        Map<String, AttributeValue> projected = new HashMap<>(item);
        projected.keySet().retainAll(projection);
        return projected;
    }

    List<Map<String, AttributeValue>> items() {
        return items;
    }

    int count() {
        return count;
    }

    int scanned() {
        return scanned;
    }

    long bytes() {
        return bytes;
    }

    /** Returns true if the page is full, so that more items may follow. */
    boolean isFull() {
        return full;
    }

    /** Returns the last item read. At least one item must have been read. */
    Map<String, AttributeValue> last() {
        return ItemBytes.read(last);
    }
}
