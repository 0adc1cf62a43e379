package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

/**
 * The contract of every event: its detail matches the schema, and its envelope or item agrees with its detail. The fixtures check it when a
 * test ends.
 */
public final class EventContract {

    private static final String SOURCE = "agent-health";
    private static final int MAX_SHOWN = 10;

    private EventContract() {}

    /**
     * Checks every event in the table.
     *
     * @throws AssertionError if an event breaks the contract
     */
    public static void checkStored(DynamoDbClient dynamoDb, String registryTable) {
        List<String> faults = new ArrayList<>();
        dynamoDb.scanPaginator(r -> r.tableName(registryTable)
                        .indexName("feed")
                        .filterExpression("attribute_exists(#d)")
                        .projectionExpression("#t, #d, #a")
                        .expressionAttributeNames(Map.of("#t", "type", "#d", "detail", "#a", "at")))
                .items()
                .forEach(item -> faults.addAll(faultsOfItem(item)));
        check(faults);
    }

    /**
     * Checks an event in the form in which a rule's target receives it.
     *
     * @throws AssertionError if it breaks the contract
     */
    public static void checkDelivered(JsonNode envelope) {
        check(faults(
                envelope.path("source").asText(),
                envelope.path("detail-type").asText(),
                TestJson.text(envelope.path("detail"))));
    }

    /** Returns the errors of an entry of a {@code PutEvents} request; empty if it is valid. */
    static List<String> faultsOfEntry(PutEventsRequestEntry entry) {
        List<String> faults = new ArrayList<>(faults(entry.source(), entry.detailType(), entry.detail()));
        if (faults.isEmpty() && timestamp(entry.detail()) != entry.time().toEpochMilli()) {
            faults.add("the envelope's time is not the event's: " + entry);
        }
        return faults;
    }

    private static List<String> faultsOfItem(Map<String, AttributeValue> item) {
        String detail = item.get("detail").s();
        List<String> faults = new ArrayList<>(faults(SOURCE, item.get("type").s(), detail));
        if (faults.isEmpty()
                && timestamp(detail) != Long.parseLong(item.get("at").n())) {
            faults.add("the item's time is not the event's: " + item);
        }
        return faults;
    }

    private static List<String> faults(String source, String detailType, String detail) {
        if (!source.equals(SOURCE)) {
            return List.of("an event of another source: " + source);
        }
        List<String> faults = EventSchemas.ofProject().faults(detailType, detail);
        return faults.isEmpty() ? TimestampForm.faults(TestJson.read(detail)) : faults;
    }

    private static long timestamp(String detail) {
        return Instant.parse(TestJson.read(detail).path("timestamp").asText()).toEpochMilli();
    }

    static void check(List<String> faults) {
        if (!faults.isEmpty()) {
            throw new AssertionError("events break their contract:\n"
                    + String.join("\n", faults.subList(0, Math.min(faults.size(), MAX_SHOWN))));
        }
    }
}
