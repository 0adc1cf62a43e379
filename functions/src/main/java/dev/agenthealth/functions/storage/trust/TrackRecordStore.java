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
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads the track records of agents and providers, strongly consistent. Thread-safe. */
public final class TrackRecordStore {

    private final Database database;
    private final Executor executor;

    /**
     * @param executor reads partitions in parallel
     */
    public TrackRecordStore(Database database, Executor executor) {
        this.database = database;
        this.executor = executor;
    }

    /** Returns the records of these agents and providers; {@link TrackRecord#NONE} if nothing is known. Costs one request per partition. */
    public <T extends TrustSubject> Map<T, TrackRecord> of(List<T> subjects) {
        Map<T, List<CompletableFuture<TrackRecord>>> reads = new LinkedHashMap<>();
        for (T subject : subjects) {
            reads.put(
                    subject,
                    TrackRecordPlace.partitions(subject).stream()
                            .map(partition -> CompletableFuture.supplyAsync(() -> read(partition, subject), executor))
                            .toList());
        }
        Map<T, TrackRecord> records = new LinkedHashMap<>();
        reads.forEach((subject, parts) ->
                records.put(subject, parts.stream().map(Waiting::on).reduce(TrackRecord.NONE, TrackRecord::plus)));
        return records;
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
