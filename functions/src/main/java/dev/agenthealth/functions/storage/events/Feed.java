package dev.agenthealth.functions.storage.events;

import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads the system-wide feed in the order of writing. Thread-safe. */
final class Feed {

    /** The maximum number of hours that are read for one page. */
    private static final int MAX_HOURS = 24;

    private final Table registry;

    Feed(Table registry) {
        this.registry = registry;
    }

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
            List<Map<String, AttributeValue>> ofHour = new ArrayList<>();
            for (String partition : FeedPosition.partitions(hour)) {
                ofHour.addAll(query(partition, from, end, limit - found.size() + 1));
            }
            ofHour.sort(Comparator.comparing(Feed::place));
            for (Map<String, AttributeValue> item : ofHour) {
                if (found.size() == limit) {
                    return new ListPage<>(found, place(found.get(limit - 1)));
                }
                found.add(item);
            }
        }
        return new ListPage<>(found, "");
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
