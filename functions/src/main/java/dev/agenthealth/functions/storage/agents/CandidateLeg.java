package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * One stretch of a listing: candidates in the order of their agent ids, read by queries. A listing walks its legs one after the
 * other.
 */
sealed interface CandidateLeg {

    /** Up to {@code most} candidates after this agent id, which is empty at the beginning of the leg. */
    Candidates after(String agentId, int most);

    /** Whether agents of this status are looked for here: each status belongs to one kind of leg, so that nobody is found twice. */
    boolean finds(LifecycleStatus status);

    /**
     * A piece of a leg.
     *
     * @param agentIds in ascending order
     * @param pulses the pulses that came along; the others are read from their table
     * @param itemsRead how many tags or index entries were read, those passed over included
     * @param readUpTo where the leg goes on; beyond the last candidate where some were passed over
     * @param more whether the leg goes on at all
     */
    record Candidates(List<String> agentIds, Map<String, Pulse> pulses, int itemsRead, String readUpTo, boolean more) {}

    /** Living agents by discovery tags: the merged partitions of several capabilities or roles. */
    record ByTags(DynamoDbClient dynamoDb, Retries retries, String table, List<String> partitions, DiscoveryQuery query)
            implements CandidateLeg {

        /** The fewest tags read of each of several partitions: less is not worth a request. */
        private static final int MIN_EACH = 10;

        @Override
        public boolean finds(LifecycleStatus status) {
            // A gone agent keeps its tags until it is buried, but is looked for by its status.
            return status.isMonitored();
        }

        @Override
        public Candidates after(String agentId, int most) {
            int each = Math.min(most, Math.max(MIN_EACH, most / partitions.size()));
            TreeSet<String> merged = new TreeSet<>();
            String safe = "";
            boolean more = false;
            int itemsRead = 0;
            for (String partition : partitions) {
                QueryResponse response =
                        retries.call("discovery", () -> dynamoDb.query(request(partition, agentId, each)));
                itemsRead += response.items().size();
                String last = "";
                for (Map<String, AttributeValue> tag : response.items()) {
                    last = text(tag, RegistryKeys.SK);
                    if (isOfRole(text(tag, DiscoveryTags.ROLE))) {
                        merged.add(last);
                    }
                }
                if (response.hasLastEvaluatedKey()
                        && !response.lastEvaluatedKey().isEmpty()) {
                    // Beyond the last id of a partition that goes on, another of its ids could come first.
                    safe = !more || last.compareTo(safe) < 0 ? last : safe;
                    more = true;
                }
            }
            List<String> ids = new ArrayList<>();
            for (String id : more ? merged.headSet(safe, true) : merged) {
                if (ids.size() == most) {
                    return new Candidates(ids, Map.of(), itemsRead, ids.get(most - 1), true);
                }
                ids.add(id);
            }
            return new Candidates(ids, Map.of(), itemsRead, safe, more);
        }

        private boolean isOfRole(String roleId) {
            return query.roleIds().isEmpty() || query.roleIds().contains(roleId);
        }

        private QueryRequest request(String partition, String after, int most) {
            Map<String, AttributeValue> values = new HashMap<>(Map.of(":p", s(partition)));
            String condition = "#pk = :p";
            if (!after.isEmpty()) {
                condition += " AND #sk > :after";
                values.put(":after", s(after));
            }
            Map<String, String> names = new HashMap<>(Map.of("#pk", RegistryKeys.PK));
            if (!after.isEmpty()) {
                names.put("#sk", RegistryKeys.SK);
            }
            return QueryRequest.builder()
                    .tableName(table)
                    .keyConditionExpression(condition)
                    .expressionAttributeNames(names)
                    .expressionAttributeValues(values)
                    .limit(most)
                    .build();
        }
    }

    /** Agents of one status by one partition of an index: those of a status shard, or the tombstones of one. */
    record ByIndex(
            DynamoDbClient dynamoDb,
            Retries retries,
            LifecycleStatus status,
            String table,
            String index,
            String hashName,
            String partition,
            String idName,
            boolean tombstones)
            implements CandidateLeg {

        @Override
        public boolean finds(LifecycleStatus found) {
            return found == status;
        }

        @Override
        public Candidates after(String agentId, int most) {
            Map<String, AttributeValue> values = new HashMap<>(Map.of(":p", s(partition)));
            Map<String, String> names = new HashMap<>(Map.of("#p", hashName));
            String condition = "#p = :p";
            if (!agentId.isEmpty()) {
                condition += " AND #id > :after";
                values.put(":after", s(agentId));
                names.put("#id", idName);
            }
            QueryRequest request = QueryRequest.builder()
                    .tableName(table)
                    .indexName(index)
                    .keyConditionExpression(condition)
                    .expressionAttributeNames(names)
                    .expressionAttributeValues(values)
                    .limit(most)
                    .build();
            QueryResponse response = retries.call("discovery", () -> dynamoDb.query(request));
            List<String> ids = new ArrayList<>();
            Map<String, Pulse> pulses = new HashMap<>();
            for (Map<String, AttributeValue> item : response.items()) {
                String id = text(item, idName);
                ids.add(id);
                if (tombstones) {
                    pulses.put(id, TombstoneItem.read(id, item));
                }
            }
            boolean more = response.hasLastEvaluatedKey()
                    && !response.lastEvaluatedKey().isEmpty();
            return new Candidates(ids, pulses, ids.size(), ids.isEmpty() ? agentId : ids.get(ids.size() - 1), more);
        }
    }
}
