package dev.agenthealth.functions.storage.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.storage.events.EventItem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads and writes the audit log. The store that changes an object also writes the entry. Thread-safe. */
public final class AuditStore {

    /** The maximum number of partitions that are queried for a page. */
    private static final int MAX_QUERIES = 128;

    /** The maximum number of entries that are read for a page whose filters exclude most entries. */
    private static final int MAX_READ = 2_000;

    private final Database database;

    public AuditStore(Database database) {
        this.database = database;
    }

    /**
     * Returns a store for one change by its author. The next write of the store adds the entry in the same transaction, so that neither is
     * written without the other.
     *
     * @param entry {@link AuditEntry#NONE} adds nothing
     */
    public static <S> S recording(Database database, AuditEntry entry, Function<Database, S> store) {
        return store.apply(entry.author()
                .map(author -> database.writing(AuditItem.of(entry, author, database)))
                .orElse(database));
    }

    /** Writes an entry of an action that changes nothing. */
    public static void write(Database database, AuditEntry entry) {
        entry.author().ifPresent(author -> database.registry().put(AuditItem.of(entry, author, database)));
    }

    /**
     * Returns the newest entries of a range of time as they are published, newest first.
     *
     * @param position the end of the previous page; empty to begin at {@code until}
     * @param since the time of the oldest entry, limited by the retention of the log
     * @param until the time after the newest entry
     * @param object the one requested object; empty for all objects
     * @param wanted selects the entries of the page; if it selects few entries, the page may be short
     */
    public ListPage<JsonNode> page(
            String position,
            Instant since,
            Instant until,
            int limit,
            Optional<AuditObject> object,
            Predicate<JsonNode> wanted) {
        Instant now = database.now();
        Instant kept = now.minus(database.auditRetention());
        if (since.isAfter(now)) {
            return new ListPage<>(List.of(), "");
        }
        Instant oldest = since.isBefore(kept) ? kept : since;
        String from = AuditItem.place(oldest);
        String end = position.isEmpty() ? AuditItem.place(until.isAfter(now) ? now.plusMillis(1) : until) : position;
        List<Integer> shards = object.map(one -> List.of(AuditItem.shardOf(one)))
                .orElseGet(() -> IntStream.range(0, AuditItem.SHARDS).boxed().toList());
        List<JsonNode> details = new ArrayList<>();
        int queries = 0;
        int read = 0;
        while (from.compareTo(end) < 0) {
            if (queries + shards.size() > MAX_QUERIES || read >= MAX_READ) {
                return new ListPage<>(details, end);
            }
            long day = AuditItem.dayOf(before(end));
            Newest newest = newest(day, shards, from, end, Math.max(limit - details.size(), shards.size()));
            queries += shards.size();
            read += newest.items().size();
            for (Map<String, AttributeValue> item : newest.items()) {
                JsonNode detail = Json.stored(Values.text(item, EventItem.DETAIL));
                if (!Attributes.isExpired(item, now) && wanted.test(detail)) {
                    if (details.size() == limit) {
                        return new ListPage<>(details, end);
                    }
                    details.add(detail);
                }
                end = place(item);
            }
            end = newest.complete() ? AuditItem.place(Instant.EPOCH.plus(Duration.ofDays(day))) : newest.until();
        }
        return new ListPage<>(details, "");
    }

    /**
     * Entries of one day, newest first.
     *
     * @param until the position from which on every entry of the day was read
     */
    private record Newest(List<Map<String, AttributeValue>> items, boolean complete, String until) {}

    private Newest newest(long day, List<Integer> shards, String from, String end, int limit) {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        String until = from;
        boolean complete = true;
        for (int shard : shards) {
            List<Map<String, AttributeValue>> ofShard = database.registry()
                    .first(
                            limit / shards.size() + 1,
                            Query.partition(AuditItem.partition(day, shard))
                                    .between(ItemKind.AUDIT_ENTRY.prefix() + from, ItemKind.AUDIT_ENTRY.prefix() + end)
                                    .descending()
                                    .consistent());
            items.addAll(ofShard);
            if (ofShard.size() > limit / shards.size()) {
                complete = false;
                String last = place(ofShard.get(ofShard.size() - 1));
                until = last.compareTo(until) > 0 ? last : until;
            }
        }
        String horizon = until;
        return new Newest(
                items.stream()
                        .filter(item -> place(item).compareTo(horizon) >= 0
                                && place(item).compareTo(end) < 0)
                        .sorted(Comparator.comparing(AuditStore::place).reversed())
                        .toList(),
                complete,
                until);
    }

    /** Returns a moment of the day with the entries before a position. */
    private static Instant before(String place) {
        int digits = place.indexOf('#');
        return digits < 0
                ? Instant.ofEpochMilli(Long.parseLong(place) - 1)
                : Instant.ofEpochMilli(Long.parseLong(place.substring(0, digits)));
    }

    private static String place(Map<String, AttributeValue> item) {
        return ItemKind.AUDIT_ENTRY.afterPrefix(item);
    }
}
