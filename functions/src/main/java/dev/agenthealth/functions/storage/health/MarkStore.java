package dev.agenthealth.functions.storage.health;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.model.profile.AgentProfile;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.Update;

/** Makes the health of agents due in transactions that are not written through the storage kernel. */
public final class MarkStore {

    private MarkStore() {}

    public static void mark(Transactions.Items items, Tables tables, AgentProfile profile, Instant now) {
        Map<String, String> names = new HashMap<>(Map.of(
                "#dp", Attributes.DUE_PK,
                "#ds", Attributes.DUE_SK,
                "#since", DueEntry.SINCE,
                "#v", Attributes.SCHEMA_NUMBER,
                "#n", DueEntry.NUMBER,
                "#personal", DueEntry.PERSONAL,
                "#ttl", Attributes.EXPIRES));
        String set = "SET #dp = :dp, #ds = :ds, #since = if_not_exists(#since, :now), #v = :v";
        items.update(Update.builder()
                .tableName(tables.registry())
                .key(ItemKind.HEALTH.key(profile.agentId()))
                .updateExpression(set
                        + (profile.personal() ? ", #personal = :one REMOVE #ttl" : " REMOVE #ttl, #personal")
                        + " ADD #n :one")
                .expressionAttributeNames(names)
                .expressionAttributeValues(Map.of(
                        ":dp", s(DueEntry.partition(profile.agentId(), tables.duePartitions())),
                        ":ds", s(DueEntry.AT_ONCE),
                        ":now", n(now.toEpochMilli()),
                        ":v", n(Attributes.SCHEMA),
                        ":one", n(1))));
    }
}
