package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.threads.Waiting;
import dev.agenthealth.model.trust.Call;
import dev.agenthealth.model.trust.OnlineStatus;
import dev.agenthealth.model.trust.TrackRecord;
import dev.agenthealth.model.trust.TrustSubject;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Reads how agents and providers fared, as of now: whoever recorded an invocation reads it. Thread-safe. */
public final class TrackRecordStore {

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final Clock clock;
    private final Executor executor;

    /**
     * @param executor reads partitions beside each other
     */
    public TrackRecordStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock, Executor executor) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.clock = clock;
        this.executor = executor;
    }

    /** The records of some agents and providers; {@link TrackRecord#NONE} of those that nothing is known of. One request a partition. */
    public <T extends TrustSubject> Map<T, TrackRecord> of(List<T> subjects) {
        Map<T, List<CompletableFuture<TrackRecord>>> reads = new LinkedHashMap<>();
        for (T subject : subjects) {
            reads.put(
                    subject,
                    FiguresPlace.partitions(subject).stream()
                            .map(partition -> CompletableFuture.supplyAsync(() -> read(partition, subject), executor))
                            .toList());
        }
        Map<T, TrackRecord> records = new LinkedHashMap<>();
        reads.forEach((subject, parts) ->
                records.put(subject, parts.stream().map(Waiting::on).reduce(TrackRecord.NONE, TrackRecord::plus)));
        return records;
    }

    /** The figures of a partition and the end of its log stand beside each other. */
    private TrackRecord read(String partition, TrustSubject subject) {
        QueryRequest request = QueryRequest.builder()
                .tableName(tables.registry())
                .keyConditionExpression("#pk = :pk AND #sk BETWEEN :from AND :to")
                .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK, "#sk", RegistryKeys.SK))
                .expressionAttributeValues(Map.of(
                        ":pk", s(partition),
                        ":from", s(RegistryKeys.INVOCATION_PREFIX),
                        ":to", s(RegistryKeys.FIGURES_PREFIX + "~")))
                .scanIndexForward(false)
                .limit(FiguresPlace.itemsOfPartition(subject) + OnlineStatus.CALLS)
                .consistentRead(true)
                .build();
        Instant now = clock.instant();
        TrackRecord figures = TrackRecord.NONE;
        List<Call> log = new ArrayList<>();
        for (Map<String, AttributeValue> item :
                retries.call("track record", () -> dynamoDb.query(request)).items()) {
            if (!LoggedInvocationItem.is(item)) {
                figures = figures.plus(FiguresItem.read(item));
            } else if (!RegistryKeys.isExpired(item, now)) {
                log.add(LoggedInvocationItem.read(item));
            }
        }
        // Each item of figures remembers the last call that it was told of, for when the log is gone.
        return log.isEmpty() ? figures : figures.with(log);
    }
}
