package dev.agenthealth.functions.storage.trust;

import dev.agenthealth.functions.runtime.threads.Waiting;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.model.health.trust.Call;
import dev.agenthealth.model.health.trust.OnlineStatus;
import dev.agenthealth.model.health.trust.TrackRecord;
import dev.agenthealth.model.health.trust.TrustSubject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads the track records of agents and providers, strongly consistent. Thread-safe. */
public final class TrackRecordStore {

    /**
     * The maximum number of parallel reads: as many as the connections to one host that Java keeps open. With more reads, each burst would
     * open new connections.
     */
    public static final int MAX_READERS = 5;

    private final Database database;
    private final Executor executor;

    /**
     * @param executor reads partitions in parallel
     */
    public TrackRecordStore(Database database, Executor executor) {
        this.database = database;
        this.executor = executor;
    }

    /** A partition of an agent or a provider. */
    private record Part<T extends TrustSubject>(T subject, String partition) {}

    /** Returns the records of these agents and providers; {@link TrackRecord#NONE} if nothing is known. Costs one request per partition. */
    public <T extends TrustSubject> Map<T, TrackRecord> of(List<T> subjects) {
        return reading(subjects).get();
    }

    /**
     * Begins to read the records of these agents and providers, and returns a supplier that waits for them. Each reader reads many partitions.
     * The supplier itself reads the only partition, in the thread of its caller.
     */
    public <T extends TrustSubject> Supplier<Map<T, TrackRecord>> reading(List<T> subjects) {
        List<Part<T>> all = subjects.stream()
                .flatMap(subject ->
                        TrackRecordPlace.partitions(subject).stream().map(partition -> new Part<>(subject, partition)))
                .toList();
        if (all.size() == 1) {
            return () -> read(all);
        }
        int each = Math.max(1, (all.size() + MAX_READERS - 1) / MAX_READERS);
        List<CompletableFuture<Map<T, TrackRecord>>> readers = new ArrayList<>(MAX_READERS);
        for (int from = 0; from < all.size(); from += each) {
            List<Part<T>> some = all.subList(from, Math.min(from + each, all.size()));
            readers.add(CompletableFuture.supplyAsync(() -> database.together(() -> read(some)), executor));
        }
        return () -> {
            Map<T, TrackRecord> records = new LinkedHashMap<>();
            readers.forEach(reader -> add(records, Waiting.on(reader)));
            return records;
        };
    }

    private <T extends TrustSubject> Map<T, TrackRecord> read(List<Part<T>> parts) {
        Map<T, TrackRecord> records = new LinkedHashMap<>();
        for (Part<T> part : parts) {
            records.merge(part.subject(), read(part.partition(), part.subject()), TrackRecord::plus);
        }
        return records;
    }

    private static <T> void add(Map<T, TrackRecord> records, Map<T, TrackRecord> more) {
        more.forEach((subject, record) -> records.merge(subject, record, TrackRecord::plus));
    }

    /**
     * Reads the track record and the end of the log by one query: the sort keys of the log directly precede the sort keys of the track record.
     */
    private TrackRecord read(String partition, TrustSubject subject) {
        Query query = Query.partition(partition)
                .between(ItemKind.AGENT_INVOCATION.prefix(), ItemKind.AGENT_TRACK_RECORD.prefix() + "~")
                .descending()
                .consistent();
        int limit = TrackRecordPlace.itemsOfPartition(subject) + OnlineStatus.MAX_CALLS;
        Instant now = database.now();
        TrackRecord sum = TrackRecord.NONE;
        List<Call> log = new ArrayList<>();
        for (Map<String, AttributeValue> item :
                database.registry().page(query, limit, Map.of()).items()) {
            if (!LoggedInvocationItem.is(item)) {
                sum = sum.plus(TrackRecordItem.read(item));
            } else if (!Attributes.isExpired(item, now)) {
                log.add(LoggedInvocationItem.read(item));
            }
        }
        // Each item holds its last call, which counts after the log has expired.
        return log.isEmpty() ? sum : sum.with(log);
    }
}
