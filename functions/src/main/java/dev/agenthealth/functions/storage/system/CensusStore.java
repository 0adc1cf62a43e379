package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.BatchReads;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.model.census.Census;
import dev.agenthealth.model.census.CensusText;
import dev.agenthealth.model.census.GroupFigures;
import dev.agenthealth.model.census.GroupKind;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/** The figures of the fleet as the sweep last counted it: one item. Thread-safe. */
public final class CensusStore {

    private static final String AT = "at";
    private static final String FLEET = "fleet";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final BatchReads reads;

    public CensusStore(DynamoDbClient dynamoDb, Tables tables, Retries retries) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.reads = new BatchReads(dynamoDb, retries);
    }

    /**
     * A census that was taken.
     *
     * @param census the figures
     * @param asOf the last moment of which it is known that these were the figures
     */
    public record Taken(Census census, Instant asOf) {}

    /**
     * Writes the figures of a moment.
     *
     * @param census at most some hundred groups of a kind, or it does not fit into an item
     * @return {@code false} where figures of a later moment are stored
     */
    public boolean put(Census census, Instant at) {
        Map<String, AttributeValue> item = new HashMap<>(RegistryKeys.fleetFigures());
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put(AT, n(at.toEpochMilli()));
        item.put(FLEET, s(CensusText.of(census.fleet())));
        census.groups().forEach((kind, groups) -> {
            if (!groups.equals(GroupFigures.NONE)) {
                item.put(kind.word(), s(CensusText.of(groups)));
            }
        });
        PutItemRequest request = PutItemRequest.builder()
                .tableName(tables.registry())
                .item(item)
                .conditionExpression("attribute_not_exists(#at) OR #at <= :at")
                .expressionAttributeNames(Map.of("#at", AT))
                .expressionAttributeValues(Map.of(":at", n(at.toEpochMilli())))
                .build();
        try {
            retries.call("figures of the fleet", () -> dynamoDb.putItem(request));
            return true;
        } catch (ConditionalCheckFailedException e) {
            return false;
        }
    }

    /** The latest figures; empty before the first. One request. */
    public Optional<Taken> latest() {
        Map<String, AttributeValue> item = Map.of();
        Instant confirmed = Instant.MIN;
        List<Map<String, AttributeValue>> keys = List.of(RegistryKeys.fleetFigures(), RegistryKeys.sweepState());
        for (Map<String, AttributeValue> found : reads.get(tables.registry(), keys)) {
            if (found.containsKey(AT)) {
                item = found;
            } else {
                confirmed = SweepStateStore.figuresConfirmedAt(found);
            }
        }
        if (item.isEmpty()) {
            return Optional.empty();
        }
        Instant at = moment(item, AT, Instant.EPOCH);
        // A pass that finds the same figures again writes none, but says so when the next one starts.
        return Optional.of(new Taken(read(item), confirmed.isAfter(at) ? confirmed : at));
    }

    private static Census read(Map<String, AttributeValue> item) {
        Map<GroupKind, GroupFigures> groups = new EnumMap<>(GroupKind.class);
        for (GroupKind kind : GroupKind.values()) {
            groups.put(kind, CensusText.groups(text(item, kind.word())));
        }
        return new Census(CensusText.figures(text(item, FLEET)), groups);
    }
}
