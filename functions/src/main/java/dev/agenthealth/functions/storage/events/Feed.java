package dev.agenthealth.functions.storage.events;

import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.runtime.threads.Waiting;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads the system-wide feed in the order of writing. The shards of an hour are read in parallel. Thread-safe. */
final class Feed {

    /** The maximum number of hours that are read for one page. */
    private static final int MAX_HOURS = 24;

    /** The minimum number of events read from each shard; fewer events are not worth a request. */
    private static final int MIN_OF_SHARD = 10;

    private final Table registry;
    private final Executor executor;

    /** @param executor reads shards in parallel */
    Feed(Table registry, Executor executor) {
        this.registry = registry;
        this.executor = executor;
    }

    /**
     * Events of one hour, in order.
     *
     * @param items the events
     * @param end the position up to which all events of the hour are known; empty if all of them are
     */
    private record Batch(List<Map<String, AttributeValue>> items, String end) {}

    /**
     * Returns up to {@code limit} events, including expired events.
     *
     * @param from the position before the first event, exclusive
     * @param end the position after the last event, exclusive
     */
    ListPage<Map<String, AttributeValue>> read(String from, String end, int limit) {
        List<Map<String, AttributeValue>> found = new ArrayList<>();
        long hour = FeedPosition.hourOfPlace(from);
        long lastHour = FeedPosition.hourOfPlace(end);
        for (int hours = 0; hour <= lastHour; hour++, hours++) {
            if (hours == MAX_HOURS) {
                return new ListPage<>(found, FeedPosition.beginningOf(Instant.ofEpochSecond(hour * 3600)));
            }
            String place = from;
            while (!place.isEmpty()) {
                Batch batch = batch(hour, place, end, limit - found.size() + 1);
                for (Map<String, AttributeValue> item : batch.items()) {
                    if (found.size() == limit) {
                        return new ListPage<>(found, place(found.get(limit - 1)));
                    }
                    found.add(item);
                }
                place = batch.end();
            }
        }
        return new ListPage<>(found, "");
    }

    /**
     * Reads some events of each shard. If a shard has more, its next event may come before events of other shards, so that only events up to the
     * shard's last read event are in order.
     *
     * @param wanted the number of events that are enough
     */
    private Batch batch(long hour, String after, String end, int wanted) {
        List<String> partitions = FeedPosition.partitions(hour);
        int each = Math.min(wanted, Math.max(MIN_OF_SHARD, 2 * wanted / partitions.size()));
        List<List<Map<String, AttributeValue>>> shards =
                Waiting.onAll(partitions, partition -> query(partition, after, end, each), executor);
        Optional<String> known = shards.stream()
                .filter(shard -> shard.size() == each)
                .map(shard -> place(shard.get(each - 1)))
                .min(Comparator.naturalOrder());
        List<Map<String, AttributeValue>> items = shards.stream()
                .flatMap(List::stream)
                .filter(item -> known.isEmpty() || place(item).compareTo(known.get()) <= 0)
                .sorted(Comparator.comparing(Feed::place))
                .toList();
        return new Batch(items, known.orElse(""));
    }

    static String place(Map<String, AttributeValue> item) {
        return text(item, Attributes.FEED_SK);
    }

    private List<Map<String, AttributeValue>> query(String partition, String after, String end, int limit) {
        Query query = Query.index(Attributes.FEED_INDEX, Attributes.FEED_PK, Attributes.FEED_SK, partition)
                .between(FeedPosition.justAfter(after), end);
        return after.compareTo(end) >= 0 ? List.of() : registry.first(limit, query);
    }
}
