package dev.agenthealth.functions.storage;

import static dev.agenthealth.functions.storage.Values.s;

import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Reads the health of agents as it was computed. Thread-safe. */
public final class HealthStore {

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retrying retrying;
    private final BatchReads reads;
    private final Clock clock;

    HealthStore(DynamoDbClient dynamoDb, Tables tables, Retrying retrying, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retrying = retrying;
        this.reads = new BatchReads(dynamoDb, retrying);
        this.clock = clock;
    }

    /**
     * What is known of an agent's health: one request.
     *
     * @param fresh whether it must be as of now; otherwise it costs half as much and may be about a second old
     * @return empty where there is neither a health nor a pulse
     */
    public Optional<StoredHealth> find(String agentId, boolean fresh) {
        BatchReads.Result result = reads.get(
                Map.of(
                        tables.pulses(), List.of(PulseItem.key(agentId)),
                        tables.registry(), List.of(RegistryKeys.health(agentId))),
                fresh);
        Optional<AgentHealth> health = result.of(tables.registry()).stream()
                .filter(item -> HealthItem.holdsHealth(item) && !RegistryKeys.isExpired(item, clock.instant()))
                .findFirst()
                .map(item -> HealthItem.read(agentId, item));
        Optional<Pulse> pulse = result.of(tables.pulses()).stream()
                .filter(row -> !PulseItem.isCanary(row))
                .findFirst()
                .map(PulseItem::read);
        return health.isEmpty() && pulse.isEmpty() ? Optional.empty() : Optional.of(new StoredHealth(health, pulse));
    }

    /**
     * The history of an agent, oldest first: one point an hour for those hours in which its health was computed, and one where its score ended.
     *
     * @param from the first hour is the one that this moment is in
     * @param to the last hour is the one that this moment is in
     */
    public List<HistoryPoint> history(String agentId, Instant from, Instant to) {
        List<HistoryPoint> points = new ArrayList<>();
        Map<String, AttributeValue> start = Map.of();
        do {
            QueryRequest request = QueryRequest.builder()
                    .tableName(tables.registry())
                    .keyConditionExpression("#pk = :pk AND #sk BETWEEN :from AND :to")
                    .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK, "#sk", RegistryKeys.SK))
                    .expressionAttributeValues(Map.of(
                            ":pk", s(RegistryKeys.agent(agentId)),
                            ":from", s(HistoryItem.sortKey(HistoryItem.hour(from))),
                            ":to", s(HistoryItem.sortKeyOfEnd(HistoryItem.hour(to)))))
                    .exclusiveStartKey(start.isEmpty() ? null : start)
                    .build();
            QueryResponse response = retrying.call("history", () -> dynamoDb.query(request));
            response.items().stream()
                    .filter(item -> !RegistryKeys.isExpired(item, clock.instant()))
                    .forEach(item -> points.add(HistoryItem.read(item)));
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty());
        return points;
    }
}
