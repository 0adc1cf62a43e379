package dev.agenthealth.functions.storage.health;

import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.functions.storage.dynamo.BatchReads;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.RegistryHealth;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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
    private final Retries retries;
    private final BatchReads reads;
    private final Clock clock;

    public HealthStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.reads = new BatchReads(dynamoDb, retries);
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
        Map<String, AttributeValue> item =
                result.of(tables.registry()).stream().findFirst().orElse(Map.of());
        Optional<AgentHealth> health = health(agentId, item);
        Optional<Pulse> pulse = result.of(tables.pulses()).stream()
                .filter(row -> !PulseItem.isCanary(row))
                .findFirst()
                .map(PulseItem::read);
        Instant dueSince = health.map(computed -> MarkItem.dueSince(item, computed.computedAt()))
                .orElse(Instant.MAX);
        return health.isEmpty() && pulse.isEmpty()
                ? Optional.empty()
                : Optional.of(new StoredHealth(health, dueSince, pulse));
    }

    /**
     * The registry's own health: one request, which costs half of {@link #find}, as the registry has no pulse.
     *
     * @param fresh as for {@link #find}
     * @return empty where it was never computed
     */
    public Optional<AgentHealth> ofRegistry(boolean fresh) {
        Map<String, AttributeValue> item = retries.call(
                        "read of the registry's health",
                        () -> dynamoDb.getItem(r -> r.tableName(tables.registry())
                                .key(RegistryKeys.health(RegistryHealth.ID))
                                .consistentRead(fresh)))
                .item();
        return health(RegistryHealth.ID, item);
    }

    private Optional<AgentHealth> health(String agentId, Map<String, AttributeValue> item) {
        return HealthItem.holdsHealth(item) && !RegistryKeys.isExpired(item, clock.instant())
                ? Optional.of(HealthItem.read(agentId, item))
                : Optional.empty();
    }

    /**
     * The history of an agent, oldest first: one point an hour for those hours in which its health was computed, and one where its score began and
     * one where it ended within an hour.
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
            QueryResponse response = retries.call("history", () -> dynamoDb.query(request));
            response.items().stream()
                    .filter(item -> !RegistryKeys.isExpired(item, clock.instant()))
                    .forEach(item -> points.add(HistoryItem.read(item)));
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty());
        points.sort(Comparator.comparing(HistoryPoint::at));
        return points;
    }
}
