package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.b;
import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.census.FleetRow;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Reads the whole table of pulses, segment by segment, and does the plain writes of the sweep. An eventually consistent scan of narrow
 * rows is the cheapest way to find who is overdue; whatever it says is checked by the condition of the write that follows. Thread-safe.
 */
public final class FleetScan {

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;

    public FleetScan(DynamoDbClient dynamoDb, Tables tables, Retries retries) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
    }

    /**
     * Reads one segment.
     *
     * @param agents is given every agent's row
     * @param canaries is given the id and the last sign of life of every canary row
     */
    public void segment(int segment, int totalSegments, Consumer<FleetRow> agents, CanaryConsumer canaries) {
        Map<String, AttributeValue> start = Map.of();
        do {
            ScanRequest request = ScanRequest.builder()
                    .tableName(tables.pulses())
                    .segment(segment)
                    .totalSegments(totalSegments)
                    .exclusiveStartKey(start.isEmpty() ? null : start)
                    .build();
            ScanResponse response = retries.call("scan of the fleet", () -> dynamoDb.scan(request));
            for (Map<String, AttributeValue> row : response.items()) {
                if (PulseItem.isCanary(row)) {
                    canaries.accept(
                            Values.text(row, PulseItem.ID), Values.moment(row, PulseItem.STATUS_SINCE, Instant.EPOCH));
                } else {
                    agents.accept(new FleetRow(PulseItem.read(row), PulseItem.standing(row)));
                }
            }
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty());
    }

    /** Takes canary rows. */
    @FunctionalInterface
    public interface CanaryConsumer {

        void accept(String canaryId, Instant placedAt);
    }

    /** Removes a revoked credential from an agent's row; {@code false} where the agent has another by now. */
    public boolean clearCredential(Pulse seen) {
        return updated(UpdateItemRequest.builder()
                .tableName(tables.pulses())
                .key(PulseItem.key(seen.agentId()))
                .updateExpression("REMOVE #k")
                .conditionExpression("#k = :k")
                .expressionAttributeNames(Map.of("#k", PulseItem.CREDENTIAL))
                .expressionAttributeValues(Map.of(":k", b(seen.credential().bytes())))
                .build());
    }

    /** Notes that nothing is left of the incarnations up to the marked one; {@code false} where the marker moved on. */
    public boolean clearCleanUp(Pulse seen) {
        return updated(UpdateItemRequest.builder()
                .tableName(tables.pulses())
                .key(PulseItem.key(seen.agentId()))
                .updateExpression("REMOVE #z")
                .conditionExpression("#z = :z")
                .expressionAttributeNames(Map.of("#z", PulseItem.CLEAN_UP_OF))
                .expressionAttributeValues(Map.of(":z", n(seen.cleanUpOf())))
                .build());
    }

    /**
     * Notes the health of an agent as it was computed. One write unit, and no index.
     *
     * @param measured the health status by the outcomes alone
     * @param hundredths the score in hundredths of a point, or {@link dev.agenthealth.model.health.HealthSummary#INACTIVE}
     * @return {@code false} where the agent's row is gone or of another incarnation by now
     */
    public boolean putStanding(String agentId, long incarnation, HealthStatus measured, int hundredths) {
        return updated(UpdateItemRequest.builder()
                .tableName(tables.pulses())
                .key(PulseItem.key(agentId))
                .updateExpression("SET #q = :q")
                .conditionExpression("#c = :c")
                .expressionAttributeNames(Map.of("#q", PulseItem.HEALTH, "#c", PulseItem.INCARNATION))
                .expressionAttributeValues(
                        Map.of(":q", n(PulseItem.health(measured, hundredths)), ":c", n(incarnation)))
                .build());
    }

    private boolean updated(UpdateItemRequest request) {
        try {
            retries.call("sweep", () -> dynamoDb.updateItem(request));
            return true;
        } catch (ConditionalCheckFailedException e) {
            return false;
        }
    }
}
