package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.agents.ErasedEvent;
import dev.agenthealth.functions.storage.dynamo.BatchReads;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.functions.storage.events.EventItem;
import dev.agenthealth.model.event.TrustEvents;
import dev.agenthealth.model.trust.Block;
import dev.agenthealth.model.trust.TrustSubject;
import dev.agenthealth.model.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.trust.TrustSubject.OfProvider;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Blocks of agents and providers, each an item of its own that only operators write: no invocation that is over while one is set can undo it.
 * Always read as of now. Thread-safe.
 */
public final class BlockStore {

    private static final String IN_FORCE = "blocked";
    private static final String REASON = "reason";
    private static final String ACTOR = "actor";
    private static final String AT = "at";
    private static final String REVISION = "rev";

    private final Tables tables;
    private final BatchReads reads;
    private final Transactions transactions;
    private final Clock clock;

    public BlockStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.tables = tables;
        this.reads = new BatchReads(dynamoDb, retries);
        this.transactions = new Transactions(dynamoDb, retries);
        this.clock = clock;
    }

    /**
     * What stands in the way of a call.
     *
     * @param ofProvider what was decided about the agent's provider; {@link Block#NONE} for an agent without one
     * @param ofAgent what was decided about the agent
     */
    public record Blocks(Block ofProvider, Block ofAgent) {}

    /** What was decided about an agent and about its provider, which is empty for none. One request. */
    public Blocks of(String agentId, String providerId) {
        OfAgent agent = new OfAgent(agentId);
        OfProvider provider = new OfProvider(providerId);
        Map<TrustSubject, Block> blocks = of(providerId.isEmpty() ? List.of(agent) : List.of(agent, provider));
        return new Blocks(blocks.getOrDefault(provider, Block.NONE), blocks.get(agent));
    }

    /** What was decided about each of some agents and providers. */
    public <T extends TrustSubject> Map<T, Block> of(List<T> subjects) {
        Map<T, Block> blocks = new HashMap<>();
        Map<Map<String, AttributeValue>, T> byKey = new HashMap<>();
        for (T subject : subjects) {
            blocks.put(subject, Block.NONE);
            byKey.put(key(subject), subject);
        }
        List<Map<String, AttributeValue>> keys = new ArrayList<>(byKey.keySet());
        for (int from = 0; from < keys.size(); from += BatchReads.MAX_KEYS) {
            List<Map<String, AttributeValue>> some =
                    keys.subList(from, Math.min(from + BatchReads.MAX_KEYS, keys.size()));
            for (Map<String, AttributeValue> item :
                    reads.get(Map.of(tables.registry(), some), true).of(tables.registry())) {
                blocks.put(
                        byKey.get(RegistryKeys.key(text(item, RegistryKeys.PK), text(item, RegistryKeys.SK))),
                        read(item));
            }
        }
        return blocks;
    }

    /**
     * Writes a decision with its event.
     *
     * @return {@code false} where it is not the next one to be decided: somebody was faster
     */
    public boolean decide(TrustSubject subject, Block decided) {
        Map<String, AttributeValue> item = new HashMap<>(key(subject));
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put(IN_FORCE, AttributeValue.fromBool(decided.inForce()));
        item.put(REASON, s(decided.reason()));
        item.put(ACTOR, s(decided.actor()));
        item.put(AT, n(decided.at().toEpochMilli()));
        item.put(REVISION, n(decided.revision()));
        Transactions.Items items = new Transactions.Items();
        items.put(Put.builder()
                .tableName(tables.registry())
                .item(item)
                .conditionExpression("attribute_not_exists(#pk) AND :before = :none OR #rev = :before")
                .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK, "#rev", REVISION))
                .expressionAttributeValues(
                        Map.of(":before", n(decided.revision() - 1), ":none", n(Block.NONE.revision()))));
        items.put(tables.registry(), EventItem.of(TrustEvents.decided(subject, decided), clock.instant()));
        return transactions.write("block", items.list());
    }

    /** What takes the reason from the block of an agent and leaves the block as it is; its next event needs some reason. */
    public static UpdateItemRequest withoutReason(String agentId, Tables tables) {
        return UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.blockOfAgent(agentId))
                .updateExpression("SET #reason = :erased")
                .conditionExpression("attribute_exists(#pk)")
                .expressionAttributeNames(Map.of("#reason", REASON, "#pk", RegistryKeys.PK))
                .expressionAttributeValues(Map.of(":erased", s(ErasedEvent.ERASED)))
                .build();
    }

    private static Map<String, AttributeValue> key(TrustSubject subject) {
        return subject instanceof OfProvider
                ? RegistryKeys.blockOfProvider(subject.id())
                : RegistryKeys.blockOfAgent(subject.id());
    }

    private static Block read(Map<String, AttributeValue> item) {
        return new Block(
                item.get(IN_FORCE).bool(),
                text(item, REASON),
                text(item, ACTOR),
                moment(item, AT, Instant.EPOCH),
                number(item, REVISION, 0));
    }
}
